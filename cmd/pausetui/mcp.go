package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/mcp"
	"github.com/pausetui/pausetui/session/index"
)

// mcpOptions are the options of mcp.
type mcpOptions struct {
	*system

	fixFlags
	logFlags
	buildFlags
	runFlags
	stopFlags
	socket   string
	mayApply bool
	test     bool

	pkg   string // empty joins a running session
	args  []string
	given bool
}

func newMCP(sys *system, runF func(context.Context, *mcpOptions) error) *cobra.Command {
	o := &mcpOptions{system: sys}
	c := &cobra.Command{
		Use:   "mcp [PKG] [-- ARGS]",
		Short: "Let a coding agent look at a crash and propose fixes (MCP over standard input and output)",
		Long: "mcp speaks the Model Context Protocol. With a package it builds and debugs that package, without a screen. Without one\n" +
			"it joins a session that was started with --agents, after the person there agrees. The agent looks and proposes; it applies nothing\n" +
			"unless --agent-may-apply is given.",
		Example: "pausetui debug --agents ./cmd/app      # in a terminal; then, as the agent's command:\npausetui mcp\npausetui mcp ./cmd/app -- --port 8080",
	}
	s := c.Flags()
	o.fixFlags.register(s)
	o.logFlags.register(s)
	o.buildFlags.register(s)
	o.registerRace(s)
	o.runFlags.register(s)
	o.stopFlags.register(s)
	o.registerBreaks(s)
	s.StringVar(&o.socket, "join", "", "join the session at `SOCKET` (default the newest)")
	s.BoolVar(&o.test, "test", false, "run the tests of PKG, and stop where one fails")
	s.BoolVar(&o.mayApply, "agent-may-apply", false, "the agent may apply verified fixes without approval (with PKG)")
	if runF == nil {
		runF = runMCP
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if o.pkg, o.args, err = splitArgs(c, args); err != nil {
			return usageError(err)
		}
		before, _ := cutAtDash(c, args)
		o.given = len(before) > 0
		if o.given == (o.socket != "") && o.given {
			return usageError(errors.New("give a package to start a session, or --join to join one"))
		}
		if o.test {
			if o.args, err = testArgs(o.args); err != nil {
				return err
			}
		}
		return runF(c.Context(), o)
	}
	return c
}

func runMCP(ctx context.Context, o *mcpOptions) error {
	if !o.given {
		return o.join(ctx)
	}
	m, err := openMarks(o.timings)
	if err != nil {
		return err
	}
	defer m.close()
	s, err := o.prepare(m, &o.fixFlags, &o.logFlags, &o.buildFlags, &o.runFlags, &o.stopFlags)
	if err != nil {
		return err
	}
	s.options.Target.Package, s.options.Target.Args, s.options.Target.Test, s.options.Target.Headless = o.pkg, o.args, o.test, true
	e, err := engine.New(ctx, s.options)
	if err != nil {
		return err
	}
	room := pair.New(e, pair.Options{Host: userName(), MayApply: o.mayApply})
	room.Expect()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	seat, err := room.Enter(pair.Newcomer{Name: "agent", Via: "agent", From: "this machine", Agent: true})
	if err == nil {
		options := mcp.Options{Version: versionText(), Past: pastSessions(filepath.Dir(e.LogPath())), SendOutput: o.sendOutput}
		err = mcp.Serve(ctx, seat, options, o.system.stdin, o.stdout)
	}
	room.Shut(pair.ErrOver)
	e.Do(engine.Quit{})
	err = errors.Join(leftInOrder(err), <-ended)
	printable.Fprintln(o.stderr, "log:", e.LogPath())
	return err
}

// leftInOrder drops the ends that are none of the session's failures.
func leftInOrder(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// pastSessions lists past sessions of a directory of logs for an agent.
func pastSessions(logs string) func(context.Context, string, int) ([]string, error) {
	return func(ctx context.Context, text string, limit int) (list []string, err error) {
		x, err := index.Open(ctx, index.Path(), logs)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, x.Close()) }()
		if _, err := x.Refresh(ctx, nil); err != nil {
			return nil, err
		}
		q, err := index.ParseQuery(text, time.Now())
		if err != nil {
			return nil, err
		}
		found, _, err := x.Search(ctx, q, limit, 0)
		for _, s := range found {
			list = append(list, pastLine(s))
		}
		return list, err
	}
}

// join copies between standard input and output and the socket of a session,
// which serves the protocol.
func (o *mcpOptions) join(ctx context.Context) error {
	conn, err := o.dial()
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	go func() { // ends with the process: reads of standard input cannot be interrupted
		_, _ = io.Copy(conn, o.system.stdin)
		if u, ok := conn.(*net.UnixConn); ok {
			_ = u.CloseWrite()
		}
	}()
	_, err = io.Copy(o.stdout, conn)
	return errors.Join(leftInOrder(err), conn.Close())
}

// dial connects to the session that was named, or to the newest.
func (o *mcpOptions) dial() (net.Conn, error) {
	paths := []string{o.socket}
	if o.socket == "" {
		paths, _ = filepath.Glob(filepath.Join(agentSockets(), "*.sock"))
		slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(modified(b), modified(a)) })
	}
	for _, path := range paths {
		if c, err := net.Dial("unix", path); err == nil {
			return c, nil
		}
	}
	return nil, advice.Add(errors.New("there is no session to join"), "start one in a terminal: pausetui debug --agents ./cmd/app")
}

func modified(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// pastLine is a past session in one line.
func pastLine(s index.Session) string {
	place := fmt.Sprintf("%s, %s:%d", s.Function, s.File, s.Line)
	if s.Class == "" {
		place = "no crash"
	}
	line := fmt.Sprintf("%s  %s  %s: %s (%s)  %s", s.Name, s.Target, cmp.Or(s.Class, "-"), s.Message, place, s.Outcome)
	if len(s.Applied) > 0 {
		line += ", applied " + strings.Join(s.Applied, " ") + ", " + s.Judgement
	}
	return line
}
