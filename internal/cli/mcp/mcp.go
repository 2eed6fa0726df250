// Package mcp implements the command mcp: sessions of a coding agent, its own or one that
// it joins, over the Model Context Protocol.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/cli/share"
	"github.com/pausetui/pausetui/pair/mcp"
)

// settings are the options of mcp.
type settings struct {
	*cli.System

	flags.Fixes
	flags.Log
	flags.Build
	flags.Run
	flags.Stops
	socket   string
	mayApply bool
	test     bool

	pkg   string // empty joins a running session
	args  []string
	given bool
}

// New makes the command.
func New(sys *cli.System, runF func(context.Context, *settings) error) *cobra.Command {
	o := &settings{System: sys}
	c := &cobra.Command{
		Use:   "mcp [PKG] [-- ARGS]",
		Short: "Let a coding agent look at a crash and propose fixes (MCP over standard input and output)",
		Long: "mcp speaks the Model Context Protocol. With a package it builds and debugs that package, without a screen. Without one\n" +
			"the agent joins a session that was started with --agents, after the person there agrees, or starts one of its own: programs of the\n" +
			"working directory's module. It proposes fixes, and applies nothing unless a person agrees or --agent-may-apply is given.",
		Example: "pausetui debug --agents ./cmd/app      # in a terminal; then, as the agent's command:\npausetui mcp\npausetui mcp ./cmd/app -- --port 8080",
	}
	s := c.Flags()
	o.Fixes.Register(s)
	o.Log.Register(s)
	o.Build.Register(s)
	o.RegisterRace(s)
	o.Run.Register(s)
	o.Stops.Register(s)
	o.RegisterBreaks(s)
	s.StringVar(&o.socket, "join", "", "join the session at `SOCKET` (default the newest)")
	s.BoolVar(&o.test, "test", false, "run the tests of PKG, and stop where one fails")
	s.BoolVar(&o.mayApply, "agent-may-apply", false, "the agent may apply verified fixes without approval (with PKG)")
	if runF == nil {
		runF = run
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if o.pkg, o.args, err = arguments.Split(c, args); err != nil {
			return cli.UsageError(err)
		}
		before, _ := arguments.CutAtDash(c, args)
		o.given = len(before) > 0
		if o.given == (o.socket != "") && o.given {
			return cli.UsageError(errors.New("give a package to start a session, or --join to join one"))
		}
		if o.test {
			if o.args, err = arguments.OfTests(o.args); err != nil {
				return err
			}
		}
		return runF(c.Context(), o)
	}
	return c
}

func run(ctx context.Context, o *settings) (err error) {
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	own := ownSessions{o, m}
	var first *mcp.Session
	if o.given {
		start := mcp.Start{Package: o.pkg, Args: o.args}
		if o.test {
			start.Mode = "test"
		}
		if first, err = own.begin(ctx, start, "agent", nil); err != nil {
			return err
		}
	}
	doors := mcp.Doors{Start: own.start, Dial: o.dial}
	return cli.LeftInOrder(mcp.ServeClient(ctx, mcp.Options{Version: cli.Version(), SendOutput: o.SendOutput}, doors, first, o.Stdin, o.Stdout))
}

// dial connects to the session that was named, or to the newest.
func (o *settings) dial() (net.Conn, error) {
	paths := []string{o.socket}
	if o.socket == "" {
		paths, _ = filepath.Glob(filepath.Join(share.AgentSockets(), "*.sock"))
		slices.SortFunc(paths, func(a, b string) int { return cmp.Compare(modified(b), modified(a)) })
	}
	for _, path := range paths {
		if c, err := net.Dial("unix", path); err == nil {
			return c, nil
		}
	}
	return nil, errors.New("there is no session to join")
}

func modified(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}
