package options

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// CoreDump is a target that was paused and dumped, here or on another machine:
// the core dump of a snapshot with its binary.
type CoreDump struct{ Binary, Core string }

// Thaw prepares the options of a session that is resumed from its snapshot. What
// is built here can be built again, so its fixes are proved and judged as ever; a
// target that was found elsewhere remains a core dump. Input that is not on this
// machine is left out, and the notice says so.
func (o Session) Thaw() Session {
	if o.Log.From == nil {
		return o
	}
	if !o.Target.Mode.Builds() {
		o.Target.Mode = session.LaunchMode{Kind: session.ModeCore, Binary: o.Log.From.Binary, Core: o.Log.From.Core, ForeignArgs: o.Target.Mode.ForeignArgs}
		o.Log.From = nil
		return o
	}
	if o.Target.Stdin != "" {
		if err := Readable(o.Target.Stdin); err != nil {
			o.Notices = append(slices.Clip(o.Notices), session.Notice{Level: "warn", Text: "the program's input is not here, so reruns have none: " + err.Error()})
			o.Target.Stdin = ""
		}
	}
	return o
}

// ProgramMode is the launch mode of the executable that the session's target ran, for
// what it says of its build.
func (o Session) ProgramMode() session.LaunchMode {
	if o.Log.From != nil {
		return session.LaunchMode{Kind: session.ModeCore, Binary: o.Log.From.Binary, Core: o.Log.From.Core, ForeignArgs: o.Target.Mode.ForeignArgs}
	}
	return o.Target.Mode
}

// ForTargetOf returns the options with the target of a session.
func (o Session) ForTargetOf(s session.Started) Session {
	o.Target.Dir, o.Target.Package, o.Target.Args, o.Target.Test, o.Target.Stdin, o.Target.WorkDir = s.Workspace.Dir, s.Package, s.Args, s.Test, s.Stdin, s.Dir
	if o.Target.Stdin != "" && !filepath.IsAbs(o.Target.Stdin) {
		o.Target.Stdin = filepath.Join(s.Workspace.Dir, o.Target.Stdin)
	}
	o.Target.Mode = s.Mode
	o.Target.Repro.Command, o.Target.Repro.After = s.Repro, s.After
	l := s.Launch
	o.Target.Tags, o.Target.Race, o.Target.BuildFlags, o.Target.Env = l.Tags, l.Race, l.BuildFlags, l.Env
	o.Target.NoFailures, o.Target.Filter = l.NoFailures, l.Filter
	if l.Panics != "" {
		o.Target.Panics = debugger.PanicMode(l.Panics)
	}
	return o
}

// Launch is what the session has to know of its target to start it
// again later.
func (o Session) Launch() session.Launch {
	return session.Launch{Tags: o.Target.Tags, Race: o.Target.Race, BuildFlags: o.Target.BuildFlags, Env: o.Target.Env, Panics: string(o.Target.Panics), NoFailures: o.Target.NoFailures, Filter: o.Target.Filter}
}

// Readable reports whether a file can be the target's standard input, again and
// again: every restart and every proof reads it from its beginning.
func Readable(path string) error {
	hint := "give --stdin a file that can be read"
	info, err := os.Stat(path)
	if err != nil {
		return advice.Add(fmt.Errorf("standard input: %w", err), hint)
	}
	if !info.Mode().IsRegular() && path != os.DevNull {
		return advice.Add(fmt.Errorf("standard input: %q is not a regular file, so it can be read only once", path), "save it to a file first")
	}
	f, err := os.Open(path)
	if err != nil {
		return advice.Add(fmt.Errorf("standard input: %w", err), hint)
	}
	return f.Close()
}
