package program

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
)

// OwnOfTrace finds the files of a trace in the user's modules, and the package
// that counts as its program: the command or the tests that it shows, else the
// command that uses the package that is to blame, or the tests of that.
func OwnOfTrace(ctx context.Context, opts options.Session, ws workspace.Workspace) (Own, error) {
	home := trace.Home{GoRoot: ws.GoRoot, ModCache: ws.ModCache}
	for _, m := range ws.Modules {
		home.Modules = append(home.Modules, trace.Module{Path: m.Path, Dir: m.Dir})
	}
	located, err := opts.Target.Trace.Locate(ctx, home)
	if err != nil {
		return Own{}, err
	}
	own := Own{Trace: located, tags: opts.Target.Tags, flags: opts.Target.BuildFlags}
	command, tests, blamed, blamedDir := "", "", "", ""
	packages := map[string]string{}                          // by file: stacks repeat
	first := trace.Goroutine{Frames: own.Trace.Panic.Raised} // before it was raised again
	for _, g := range append([]trace.Goroutine{first}, own.Trace.Goroutines...) {
		for _, f := range append(slices.Clip(g.Frames), g.CreatedBy) {
			if !f.User {
				continue
			}
			pkg, known := packages[f.File]
			if !known {
				pkg = packageOfFile(ws, f.File)
				packages[f.File] = pkg
			}
			switch {
			case pkg == "":
				continue
			case blamed == "":
				blamed, blamedDir = pkg, filepath.Dir(f.File)
			}
			if !slices.Contains(own.passes, pkg) && len(own.passes) < maxPasses {
				own.passes = append(own.passes, pkg)
			}
			if command == "" && strings.HasPrefix(f.Function, "main.") {
				command = pkg
			}
			if tests == "" && strings.HasSuffix(f.File, "_test.go") {
				tests = pkg
			}
		}
	}
	switch stale := own.Trace.Stale(); {
	case stale != "":
		own.why, own.hint = stale, "check out the version that made the trace"
	case tests != "":
		own.Pkg, own.Test = tests, true
	case command != "":
		own.Pkg = command
	case blamed != "": // of a goroutine that a library has started
		commands := build.CommandsOf(ctx, build.Spec{Dir: ws.Dir, Tags: own.tags, Flags: own.flags}, blamed)
		own.Pkg, own.Test = blamed, true
		if has, _ := filepath.Glob(filepath.Join(blamedDir, "*_test.go")); len(commands) == 1 || len(commands) > 1 && len(has) == 0 {
			own.Pkg, own.Test = commands[0], false
		}
	default:
		own.why, own.hint = "no line of the trace is in one of your modules here", "run pausetui trace in the directory of the program's module"
	}
	return own, nil
}

// maxPasses bounds the packages that are loaded because a trace goes through them.
const maxPasses = 50

// packageOfFile is the import path of a file's package, if it is the user's.
func packageOfFile(ws workspace.Workspace, file string) string {
	m, ok := ws.ModuleOf(file)
	if !ok {
		return ""
	}
	rel, err := filepath.Rel(m.Dir, filepath.Dir(file))
	if err != nil {
		return ""
	}
	return path.Join(m.Path, filepath.ToSlash(rel))
}

// maxTraceText bounds what is kept of a trace next to the log, in bytes.
const maxTraceText = 1 << 20

// Shortened cuts a long trace after one of its goroutines.
func Shortened(text string) string {
	if len(text) <= maxTraceText {
		return text
	}
	text = text[:maxTraceText]
	if i := strings.LastIndex(text, "\n\ngoroutine "); i > 0 {
		text = text[:i+1]
	}
	return text
}

// recallTrace reads the trace of a session again.
func recallTrace(ctx context.Context, opts *options.Session, texts *session.Texts) error {
	name := ""
	if opts.Target.Mode.Trace != nil {
		name = opts.Target.Mode.Trace.Kept
	}
	text, err := texts.Text(name)
	if err != nil {
		return advice.Add(fmt.Errorf("the text of the trace: %w", err), "read it again: pausetui trace FILE")
	}
	log, err := trace.Read(ctx, strings.NewReader(string(text)))
	switch {
	case err != nil:
		return fmt.Errorf("read the trace again: %w", err)
	case len(log.Traces) == 0:
		return advice.Add(errors.New("the stored text of the trace contains no trace"), "read it again: pausetui trace FILE")
	}
	opts.Target.Trace = log.Traces[0]
	return nil
}
