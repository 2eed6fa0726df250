package program

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// OtherSources names the files of the stops so far that are not here as they were,
// for the person: lines and fixes then are those of the source here.
func OtherSources(ws workspace.Workspace, texts *session.Texts, events []session.Event) []session.Notice {
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

// OfClone hides the module that a snapshot was built in, if that is another clone
// on this machine: its source is that of the module here.
func OfClone(l *paths.Local, info exeinfo.Info, root string) *paths.Local {
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
