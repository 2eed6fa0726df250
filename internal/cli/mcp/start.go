package mcp

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/debugger/trace"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/cli/share"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/mcp"
	"github.com/pausetui/pausetui/session"
)

// ownSessions starts the sessions of an agent's own, one after the other, with the flags
// of the command.
type ownSessions struct {
	*settings
	marks *setup.Marks
}

// errOutside refuses what is not the module's: an agent is to run no other programs, and
// to read no other memory. A person can, and let the agent join.
var errOutside = advice.Add(errors.New("it is not of the module in the working directory"), "a person can open it with pausetui and --agents, and you join them")

// start starts a session that an agent has asked for.
func (o ownSessions) start(ctx context.Context, in mcp.Start, name string, leave func() error) (*mcp.Session, error) {
	dir, err := o.Dir()
	if err != nil {
		return nil, err
	}
	if !arguments.InModule(dir) {
		return nil, fmt.Errorf("there is no module in %q", dir)
	}
	root, err := o.ModuleRoot()
	if err != nil {
		return nil, err
	}
	within := func(what, file string) (string, error) {
		if file == "" {
			return "", fmt.Errorf("%s is missing", what)
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		return inside(root, file)
	}
	var mode session.LaunchMode
	var text string
	switch in.Mode {
	case "", "debug", "test":
		if in.Package == "" {
			in.Package = "."
		}
		_, err = within("package", in.Package)
		if !filepath.IsAbs(in.Package) {
			in.Package = "./" + filepath.ToSlash(filepath.Clean(in.Package))
		}
	case session.ModeExec:
		mode.Kind = in.Mode
		mode.Binary, err = within("binary", in.Binary)
	case session.ModeCore:
		mode.Kind = in.Mode
		if mode.Binary, err = within("binary", in.Binary); err == nil {
			mode.Core, err = within("core", in.Core)
		}
	case session.ModeAttach:
		mode.Kind, mode.PID = in.Mode, in.PID
		err = ofModule(in.PID, root)
	case session.ModeTrace:
		mode.Kind, text = in.Mode, in.Trace
	default:
		err = fmt.Errorf("mode is %q: want debug, test, exec, attach, core or trace", in.Mode)
	}
	if err != nil {
		return nil, err
	}
	return o.begin(ctx, in, name, func(e *options.Session) error {
		e.Target.Mode = mode
		if mode.Kind == session.ModeTrace {
			if err := takeText(ctx, e, text); err != nil {
				return err
			}
		}
		return leave()
	})
}

// inside is a file or directory below root, once links are followed.
func inside(root, file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return "", err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%q: %w", file, errOutside)
	}
	return real, nil
}

// ofModule reports, as an error, that a process does not run a program of the module, or
// is not this user's.
func ofModule(pid int, root string) error {
	exe := fmt.Sprintf("/proc/%d/exe", pid)
	if pid <= 0 || !cli.Owned(fmt.Sprintf("/proc/%d", pid)) {
		return fmt.Errorf("process %d is not yours: %w", pid, errOutside)
	}
	info, err := exeinfo.Read(exe)
	if err != nil {
		return fmt.Errorf("attach to process %d: %w", pid, err)
	}
	if _, err := inside(root, info.MainFile); err != nil {
		return fmt.Errorf("process %d: %w", pid, errOutside)
	}
	return nil
}

// takeText makes the first trace in a text the target.
func takeText(ctx context.Context, e *options.Session, text string) error {
	log, err := trace.Read(ctx, strings.NewReader(text))
	if err != nil {
		return err
	}
	list := log.Distinct()
	if len(list) == 0 {
		return errors.New("there is no trace in the text: it takes what a Go program prints when it dies")
	}
	e.Target.Trace = list[0].Trace
	e.Target.Mode.Trace = &session.Trace{Line: list[0].Line, Number: 1, Of: len(list), Times: list[0].Times}
	return nil
}

// begin begins a session with an agent in it, which has chosen its target where set is
// not nil.
func (o ownSessions) begin(ctx context.Context, in mcp.Start, name string, set func(*options.Session) error) (*mcp.Session, error) {
	stops := o.Stops
	stops.Breaks = append(append([]string{}, stops.Breaks...), in.Break...)
	s, err := setup.Prepare(o.System, o.marks, &o.Fixes, &o.Log, &o.Build, &o.Run, &stops)
	if err != nil {
		return nil, err
	}
	t := &s.Options.Target
	t.Package, t.Args, t.Test, t.Headless = in.Package, in.Args, in.Mode == "test", true
	if t.Test {
		if t.Args, err = arguments.OfTests(in.Args); err != nil {
			return nil, err
		}
	}
	if set != nil {
		if err := set(&s.Options); err != nil {
			return nil, err
		}
		t.Mode.ForeignArgs = true
	}
	e, err := engine.New(ctx, s.Options)
	if err != nil {
		return nil, err
	}
	room := pair.New(e, pair.Options{Host: share.UserName(), MayApply: o.mayApply})
	room.Expect()
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	end := func() error {
		defer cancel()
		room.Shut(pair.ErrOver)
		e.Do(intent.Quit{})
		err := <-ended
		printable.Fprintln(o.Stderr, "log:", e.LogPath())
		return cli.LeftInOrder(err)
	}
	seat, err := room.Enter(pair.Newcomer{Name: name, Via: "agent", From: "this machine", Agent: true})
	if err == nil {
		err = room.Host().GiveWheel(seat.Name) // nobody else is in it
	}
	for _, text := range in.Break {
		if cond := console.ParseBreak(text).Cond; err == nil && cond != "" && set != nil {
			err = e.Unseen(cond)
		}
	}
	if err != nil {
		return nil, errors.Join(err, end())
	}
	return &mcp.Session{Seat: seat, Past: pastSessions(filepath.Dir(e.LogPath())), End: end,
		Approve: func(i intent.Approve) error { return room.Host().Try(i) }}, nil
}
