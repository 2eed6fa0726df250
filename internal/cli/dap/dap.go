// Package dap implements the command dap: sessions that an editor starts, over the Debug
// Adapter Protocol.
package dap

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/share"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair/dap"
	"github.com/pausetui/pausetui/ui/lines"
)

// settings are the options of dap.
type settings struct {
	*cli.System

	flags.Fixes
	flags.Log
	listen string
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *settings) error) *cobra.Command {
	o := &settings{System: sys}
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
		runF = run
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return runF(c.Context(), o) }
	return c
}

func run(ctx context.Context, o *settings) error {
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
func (o *settings) admit(ctx context.Context, c net.Conn, own bool) error {
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
func (o *settings) serve(ctx context.Context, conn io.ReadWriteCloser) error {
	one := &editorSession{settings: o, gate: make(chan struct{})}
	err := dap.Serve(ctx, one.begin, dap.Options{Own: true, Calls: true, Begin: sync.OnceFunc(func() { close(one.gate) }), Console: share.Console, Knows: lines.KnowsBeside}, conn)
	return errors.Join(cli.LeftInOrder(err), one.end())
}
