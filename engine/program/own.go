package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/delve/corefile"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// Own is what is known of the source of a target that was not built here.
type Own struct {
	Info exeinfo.Info
	// Pkg is its main package in the user's modules; empty when it is none of
	// theirs, and why says so then.
	Pkg string
	why string
	// flags are those that it was built with and that we build with, too.
	tags  string
	race  bool
	flags []string
	// Of a trace: whether it is of tests of pkg, the packages that it goes
	// through, and the trace itself with the files that are here.
	Test   bool
	passes []string
	hint   string // what to do about why
	Trace  trace.Trace
}

// FindSource finds the user's modules. Those of a target that was not built
// here are the ones that its main package is of: those of the person's directory, or
// else where the program was built, if that is here.
func FindSource(ctx context.Context, opts options.Session) (workspace.Workspace, Own, error) {
	ws, err := workspace.Find(ctx, opts.Target.Dir, nil)
	if opts.Target.Mode.Builds() {
		if errors.Is(err, workspace.ErrNoModule) && strings.HasSuffix(opts.Target.Package, ".go") {
			return ws.Loose(ws.Dir), Own{}, nil
		}
		return ws, Own{}, err
	}
	if err != nil && !errors.Is(err, workspace.ErrNoModule) && !errors.Is(err, workspace.ErrNoToolchain) {
		return ws, Own{}, err
	}
	if ws.Dir == "" {
		ws.Dir = opts.Target.Dir
	}
	if ws.Root == "" {
		ws.Root = ws.Dir
	}
	if opts.Target.Mode.Kind == session.ModeTrace {
		own, err := OwnOfTrace(ctx, opts, ws)
		return ws, own, err
	}
	info, err := readProgram(opts.Target.Mode)
	if err != nil {
		return ws, Own{}, err
	}
	own := ownOf(info, ws)
	if dir := info.SourceDir(); own.Pkg == "" && dir != "" && ws.GoRoot != "" {
		if there, err := workspace.Find(ctx, dir, nil); err == nil {
			if o := ownOf(info, there); o.Pkg != "" {
				return there, o, nil
			}
		}
	}
	return ws, own, nil
}

// CheckMode finds out before the screen is drawn what can be known before.
func CheckMode(ctx context.Context, w session.LaunchMode) error {
	switch w.Kind {
	case session.ModeAttach:
		return delve.CheckAttach(w.PID)
	case session.ModeCore:
		return corefile.Check(ctx, w.Binary, w.Core)
	case session.ModeConnect:
		return delve.CheckAddr(w.Addr)
	}
	return nil
}

// WithBinary completes a process with the program that it runs.
func WithBinary(w session.LaunchMode) session.LaunchMode {
	if w.Kind == session.ModeAttach {
		if file, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", w.PID)); err == nil {
			w.Binary = strings.TrimSuffix(file, " (deleted)")
		}
	}
	return w
}

// readProgram reads the executable of a target, where it is on this machine.
func readProgram(w session.LaunchMode) (exeinfo.Info, error) {
	if w.Builds() { // there is none yet
		return exeinfo.Info{}, nil
	}
	file, verb := w.Binary, "run"
	switch w.Kind {
	case session.ModeConnect, session.ModeTrace:
		return exeinfo.Info{}, nil
	case session.ModeAttach:
		file = fmt.Sprintf("/proc/%d/exe", w.PID)
	case session.ModeCore:
		verb = "open the core dump of"
	}
	info, err := exeinfo.Read(file)
	switch {
	case err == nil, w.Kind == session.ModeAttach: // attaching says why, and better
		return info, nil
	case errors.Is(err, exeinfo.ErrNoGo):
		return info, advice.Add(fmt.Errorf("%s %q: it is not a Go program", verb, file), "pausetui debugs programs made by the Go toolchain")
	}
	return info, fmt.Errorf("%s %q: %w", verb, file, errors.Unwrap(err))
}

// ownOf finds a program's main package among the user's modules.
func ownOf(info exeinfo.Info, ws workspace.Workspace) Own {
	own := Own{Info: info, Pkg: mainPackage(info.Build, ws)}
	if own.Pkg == "" {
		own.why = "the program's main package is not in one of your modules here"
		return own
	}
	own.tags, own.race = info.Setting("-tags"), info.Setting("-race") == "true"
	if flags := info.Setting("-ldflags"); flags != "" {
		own.flags = append(own.flags, "-ldflags="+unstripped(flags))
	}
	return own
}

// unstripped leaves out what takes the debug information away.
func unstripped(ldflags string) string {
	var kept []string
	for _, f := range strings.Fields(ldflags) {
		if f != "-s" && f != "-w" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " ")
}

// mainPackage is the path of a program's main package if it is the user's.
func mainPackage(build *debug.BuildInfo, ws workspace.Workspace) string {
	if build == nil {
		return ""
	}
	for _, m := range ws.Modules {
		rest, below := strings.CutPrefix(build.Path+"/", m.Path+"/")
		if !below {
			continue
		}
		if info, err := os.Stat(filepath.Join(m.Dir, filepath.FromSlash(rest))); err == nil && info.IsDir() {
			return build.Path
		}
	}
	return ""
}

// LogDir is where the session's log goes: into the module, or where programs
// keep what they note when there is none.
func LogDir(ws workspace.Workspace, opts options.Session) (dir, note string, err error) {
	if len(ws.Modules) > 0 || opts.Log.Dir != "" {
		return session.Dir(ws.Root, opts.Log.Dir)
	}
	dir, note, err = session.Dir(ws.Root, filepath.Join(xdg.StateHome, "pausetui", "log"))
	if err == nil {
		note = fmt.Sprintf("there is no module here: the log goes to %s", dir)
	}
	return dir, note, err
}

// OwnAgain is what is known of the source of a session's target.
func OwnAgain(ctx context.Context, opts *options.Session, ws workspace.Workspace, journal string, started session.Started) (Own, error) {
	if opts.Target.Mode.Kind != session.ModeTrace {
		info, err := readProgram(opts.ProgramMode())
		return ownOf(info, ws), err
	}
	if err := recallTrace(ctx, opts, session.OpenTexts(filepath.Dir(journal), started.ID)); err != nil {
		return Own{}, err
	}
	return OwnOfTrace(ctx, *opts, ws)
}
