package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/cli/share"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/lines"
)

// dapOptions are the options of dap.
type dapOptions struct {
	*cli.System

	flags.Fixes
	flags.Log
	listen string
}

func newDAP(sys *cli.System, runF func(context.Context, *dapOptions) error) *cobra.Command {
	o := &dapOptions{System: sys}
	c := &cobra.Command{
		Use:   "dap",
		Short: "Debug from an editor: a debug adapter over standard input and output",
		Long: "dap speaks the Debug Adapter Protocol. The editor starts a session with a launch or attach configuration as for dlv dap, and has\n" +
			"no screen beside it. Fixes are listed, shown and applied in its debug console. The session ends when the editor leaves.\n" +
			"To attach an editor to a session in a terminal, use debug --listen.",
		Example: "pausetui dap\npausetui dap --listen 4040",
		Args:    cobra.NoArgs,
	}
	o.Fixes.Register(c.Flags())
	o.Log.Register(c.Flags())
	c.Flags().StringVar(&o.listen, "listen", "", "serve editors at `ADDR` instead, a session each: a port of 127.0.0.1, or unix:PATH")
	if runF == nil {
		runF = runDAP
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return runF(c.Context(), o) }
	return c
}

func runDAP(ctx context.Context, o *dapOptions) error {
	if o.listen == "" {
		return o.serve(ctx, stdio{endable(o.Stdin), o.Stdout})
	}
	l, err := share.Listen(o.listen)
	if err != nil {
		return err
	}
	printable.Fprintf(o.Stdout, "DAP server listening at: %s\n", l.Addr())
	d := share.OpenDoor(l, share.Patience, func(ctx context.Context, c net.Conn) {
		if err := o.admit(ctx, c, share.SameUser(c)); err != nil && !errors.Is(err, dap.ErrNoEditor) {
			printable.Fprintln(o.Stderr, "error:", err)
		}
	})
	<-ctx.Done()
	d.Close()
	return nil
}

// errOtherUser refuses a connection, which could run programs with the rights of this user.
var errOtherUser = advice.Add(errors.New("an editor was refused: it is not known to be run by you"), "listen on unix:PATH, or have the editor start pausetui dap")

// admit serves an editor of the same user.
func (o *dapOptions) admit(ctx context.Context, c net.Conn, own bool) error {
	if !own {
		return errOtherUser
	}
	c, err := dap.Greeted(c, share.GreetingPatience)
	if err != nil {
		return err
	}
	return o.serve(ctx, c)
}

// stdio is standard input and output as one connection.
type stdio struct {
	io.ReadCloser
	out io.Writer
}

// endable returns an input whose reads return when it is closed; those of a terminal or a pipe do
// not. The goroutine that reads from it ends with the process.
func endable(in io.Reader) io.ReadCloser {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		_ = w.CloseWithError(err) // never fails
	}()
	return r
}

// Write implements io.Writer.
func (s stdio) Write(b []byte) (int, error) { return s.out.Write(b) }

// serve serves one editor, and the session that it begins.
func (o *dapOptions) serve(ctx context.Context, conn io.ReadWriteCloser) error {
	one := &editorSession{dapOptions: o, gate: make(chan struct{})}
	err := dap.Serve(ctx, one.begin, dap.Options{Own: true, Calls: true, Begin: sync.OnceFunc(func() { close(one.gate) }), Console: share.Console, Knows: lines.KnowsBeside}, conn)
	return errors.Join(cli.LeftInOrder(err), one.end())
}

// editorSession is a session that an editor has begun.
type editorSession struct {
	*dapOptions
	gate chan struct{} // closed once the program may start

	engine *engine.Engine // nil before it has begun
	room   *pair.Room
	marks  *setup.Marks
	ended  chan error
}

// begin begins the session that a configuration describes.
func (s *editorSession) begin(ctx context.Context, c dap.Client, config dap.Config) (*pair.Seat, error) {
	sys := *s.System
	if dir := config.DlvCwd; dir != "" {
		sys.Getwd = func() (string, error) { return filepath.Abs(dir) }
	}
	m, err := setup.OpenMarks("")
	if err != nil {
		return nil, err
	}
	setup, err := setup.Prepare(&sys, m, &s.Fixes, &s.Log)
	if err != nil {
		return nil, err
	}
	target := &setup.Options.Target
	if err := targetOf(target, config); err != nil {
		return nil, err
	}
	target.Gate = s.gate
	if !target.Mode.Starts() {
		target.Gate = nil // it is held when it is found
	}
	setup.Options.Stores.Mutes = sys.State.Mutes()
	e, err := engine.New(ctx, setup.Options)
	if err != nil {
		return nil, err
	}
	name := c.Name
	if name == "" {
		name = "editor"
	}
	s.engine, s.marks, s.room, s.ended = e, m, pair.New(e, pair.Options{Host: name}), make(chan error, 1)
	s.room.Expect() // so that the editor's own deeds carry its name
	go func() { s.ended <- e.Run(ctx) }()
	return s.room.Host(), nil
}

// end ends the session and waits for its processes.
func (s *editorSession) end() error {
	if s.engine == nil {
		return nil
	}
	s.room.Shut(pair.ErrOver)
	s.engine.Do(engine.Quit{})
	err := <-s.ended
	s.marks.Close()
	printable.Fprintln(s.Stderr, "log:", s.engine.LogPath())
	return cli.LeftInOrder(err)
}

// targetOf sets what a configuration says of the target.
func targetOf(t *engine.TargetOptions, c dap.Config) error {
	path := func(p string) string {
		if p == "" || filepath.IsAbs(p) {
			return p
		}
		return filepath.Join(t.Dir, p)
	}
	t.Args, t.WorkDir, t.Stdin, t.BuildFlags = c.Args, path(c.Cwd), path(c.StdinFrom), c.BuildFlags
	t.Repro.Command, t.Record = c.Repro, c.Backend == "rr"
	for name, value := range c.Env {
		if value != nil {
			t.Env = append(t.Env, name+"="+*value)
		}
	}
	if c.Panics != "" {
		t.Panics = debugger.PanicMode(c.Panics)
	}
	if c.NoDebug {
		t.Panics, t.NoFailures = debugger.PanicsOff, true
	}
	if c.StopOnEntry && c.Request == dap.Launch {
		t.Break = []string{"main.main"}
	}
	if c.Request == dap.Attach {
		if c.ProcessID <= 0 {
			return advice.Add(errors.New("attach to which process? processId is missing"), "to attach to a session in a terminal, connect to the address of its --listen")
		}
		t.Mode = session.LaunchMode{Kind: session.ModeAttach, PID: c.ProcessID}
		return nil
	}
	if c.Program == "" {
		return errors.New("the launch configuration names no program")
	}
	program := path(c.Program)
	switch c.Mode {
	case "", "debug", "auto", "test":
		t.Test = c.Mode == "test" || c.Mode == "auto" && strings.HasSuffix(program, "_test.go")
		if filepath.Ext(program) == ".go" {
			program = filepath.Dir(program)
		}
		info, err := os.Stat(program)
		if err != nil || !info.IsDir() {
			return fmt.Errorf("program %q is not a directory with a package", c.Program)
		}
		if t.WorkDir == "" {
			t.WorkDir = program
		}
		t.Dir, t.Package = program, "."
		if t.Test {
			t.Args, err = arguments.OfTests(c.Args)
		}
		return err
	case "exec":
		t.Mode = session.LaunchMode{Kind: session.ModeExec, Binary: program}
	case "core":
		t.Mode = session.LaunchMode{Kind: session.ModeCore, Binary: program, Core: path(c.CoreFilePath)}
	default:
		return fmt.Errorf("mode %q: want debug, test, exec or core", c.Mode)
	}
	return nil
}
