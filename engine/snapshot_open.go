package engine

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// openCore opens the core dump that the session goes on from.
func (ln *launcher) openCore(config delve.Config) (*delve.Target, error) {
	return delve.Core(ln.Ctx, delve.CoreConfig{Binary: ln.Opts.Log.From.Binary, Core: ln.Opts.Log.From.Core, UserDirs: config.UserDirs, Local: config.Local, CheckGoVersion: true})
}

// thawed reports whether the next round shows the snapshot that the session goes
// on from: the first does.
func (ln *launcher) thawed() bool { return ln.Opts.Log.From != nil && !ln.opened }

// unbuilt goes on with the snapshot although the source here does not compile:
// there is a stop to look at, but no fix can be proved.
func (ln *launcher) unbuilt(failed *session.BuildFailed) {
	ln.Notice("warn", failed.Message+" here: the snapshot can be looked at, and no fix can be proved", "r builds again")
	ln.launchFirst()
}

// ranBefore is how long the target ran before the stop that a snapshot was taken
// of, as far as the journal says.
func ranBefore(s session.State, fingerprint string) time.Duration {
	for _, record := range slices.Backward(s.Stops) {
		if p := record.Stop.Panic; p != nil && p.Fingerprint == fingerprint && record.Ran > 0 {
			return record.Ran
		}
	}
	return 0
}

// otherSources names the files of the stops so far that are not here as they were,
// for the person: lines and fixes then are those of the source here.
func otherSources(ws workspace.Workspace, texts *session.Texts, events []session.Event) []session.Notice {
	last := map[string]string{}
	for _, e := range events {
		if kept, ok := e.Body.(*session.SourcesKept); ok {
			for _, f := range kept.Files {
				last[f.File] = f.Name
			}
		}
	}
	var differ []string
	for file, name := range last {
		was, err := texts.Text(name)
		if name == "" || err != nil || !filepath.IsAbs(file) {
			continue
		}
		if now, err := readWithin(ws.Root, file); err != nil || !bytes.Equal(now, was) {
			differ = append(differ, ws.Rel(file))
		}
	}
	if len(differ) == 0 {
		return nil
	}
	slices.Sort(differ)
	return []session.Notice{{Level: "warn", Text: fmt.Sprintf("source that differs from the snapshot: %s", strings.Join(differ, ", ")),
		Hint: "the stop shows the lines of the snapshot; fixes are made for and proved on the current source"}}
}

// readWithin reads a file of the module, which a journal from elsewhere names.
func readWithin(root, file string) ([]byte, error) {
	if err := regular.Within(root, file); err != nil {
		return nil, os.ErrNotExist
	}
	return regular.Read(file)
}

// ofSnapshot are the abilities of a core dump whose program can be built here.
func ofSnapshot(can debugger.Abilities) debugger.Abilities {
	can.Restart, can.Rebuild = true, true
	can.Of = "a snapshot"
	return can
}

// ofClone hides the module that a snapshot was built in, if that is another clone
// on this machine: its source is that of the module here.
func ofClone(l *paths.Local, info exeinfo.Info, root string) *paths.Local {
	theirs := builtIn(info)
	if theirs == "" || theirs == root {
		return l
	}
	l.Exists = func(path string) bool {
		if path == theirs || strings.HasPrefix(path, theirs+string(filepath.Separator)) {
			return false
		}
		_, err := os.Stat(path)
		return err == nil
	}
	return l
}

// builtIn is the root of the main module that a program was built in; empty where
// it does not say.
func builtIn(info exeinfo.Info) string {
	if info.Build == nil || !filepath.IsAbs(info.MainFile) {
		return ""
	}
	rel, below := strings.CutPrefix(info.Build.Path, info.Build.Main.Path)
	dir, ok := strings.CutSuffix(filepath.ToSlash(filepath.Dir(info.MainFile)), rel)
	if !below || !ok || info.Build.Main.Path == "" {
		return ""
	}
	return filepath.FromSlash(dir)
}
