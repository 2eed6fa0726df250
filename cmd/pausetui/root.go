package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"charm.land/fang/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/bench"
	"github.com/pausetui/pausetui/internal/cli/completion"
	"github.com/pausetui/pausetui/internal/cli/config"
	"github.com/pausetui/pausetui/internal/cli/dap"
	"github.com/pausetui/pausetui/internal/cli/debug"
	"github.com/pausetui/pausetui/internal/cli/doctor"
	"github.com/pausetui/pausetui/internal/cli/fix"
	"github.com/pausetui/pausetui/internal/cli/help"
	"github.com/pausetui/pausetui/internal/cli/mcp"
	"github.com/pausetui/pausetui/internal/cli/models"
	"github.com/pausetui/pausetui/internal/cli/prompts"
	"github.com/pausetui/pausetui/internal/cli/sessions"
	"github.com/pausetui/pausetui/internal/cli/tour"
	"github.com/pausetui/pausetui/internal/cli/trace"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/scratch"
	terminals "github.com/pausetui/pausetui/internal/terminal"
)

// Main runs the command line and returns the exit code.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	defer scratch.Leave()
	root := newRoot()
	root.SetOut(terminals.Output(os.Stdout))
	root.SetErr(terminals.Output(os.Stderr))
	args = arguments.GoStyle(root, args)
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // names of files, sessions, processes
		root.SetOut(printable.NewWriter(os.Stdout))
	}
	if help.Wanted(root, args) {
		help.Lay(root, help.Width(os.Stdout))
		if !cli.IsTerminal(os.Stdout) {
			root.SetOut(help.Unpadded(os.Stdout))
		}
	}
	failed := keepErrors(root)
	err := fang.Execute(ctx, root, fang.WithoutManpage(), fang.WithVersion(cli.Version()), fang.WithErrorHandler(func(w io.Writer, _ fang.Styles, err error) {
		printError(w, err, root, args)
	}))
	if err == nil && *failed != nil {
		err = *failed
		printError(colorprofile.NewWriter(root.ErrOrStderr(), os.Environ()), err, root, args)
	}
	return cli.ExitCode(err)
}

func newRoot() *cobra.Command {
	sys := cli.ThisSystem()
	root := &cobra.Command{
		Use:   "pausetui",
		Short: "Stops at the panic, shows why, proposes fixes and proves them",
		Long: "pausetui is a terminal debugger for Go. It stops at the panic, shows why, proposes fixes,\n" +
			"proves them before you read them, and applies only what you approve.",
		Example:       "pausetui debug ./cmd/app -- --port 8080\npausetui fix --offline --json ./cmd/app",
		SilenceErrors: true, SilenceUsage: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return debug.Offer(c, sys) },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return cli.UsageError(err) })
	root.AddCommand(debug.NewDebug(sys, nil), debug.NewTest(sys, nil), debug.NewExec(sys, nil), debug.NewAttach(sys, nil), debug.NewCore(sys, nil), debug.NewConnect(sys, nil), trace.New(sys, nil),
		fix.New(sys, nil), tour.New(sys), sessions.New(sys), bench.New(sys), mcp.New(sys, nil), dap.New(sys, nil), models.New(sys), prompts.New(sys), config.New(sys, nil), doctor.New(sys, nil), help.NewManual(), newVersion())
	completion.Add(root)
	return root
}

// keepErrors has the commands leave their errors in failed. Fang is not to get
// them: it asks the terminal for its colors first, which may be a shell's by now.
func keepErrors(root *cobra.Command) (failed *error) {
	failed = new(error)
	var keep func(c *cobra.Command)
	keep = func(c *cobra.Command) {
		if run := c.RunE; run != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				*failed = run(c, args)
				return nil
			}
		}
		for _, below := range c.Commands() {
			keep(below)
		}
	}
	keep(root)
	return failed
}

// printError tells what happened, and what to do next.
func printError(w io.Writer, err error, root *cobra.Command, args []string) {
	if cli.Silent(err) {
		return
	}
	asked, rest := called(root, args)
	err = plainUsage(err, asked, rest)
	usage := cli.ExitCode(err) == cli.ExitUsage
	if fix.WantsReport(asked, rest) && fix.PrintFailure(root.OutOrStdout(), err, usage) == nil {
		return
	}
	cli.Say(w, "pausetui: ", err.Error())
	if hint := advice.Of(err); hint != "" {
		cli.Say(w, "  hint: ", hint)
	}
	if usage {
		printable.Fprintf(w, "  see: %s --help\n", asked.CommandPath())
	}
}

// called is the command that the arguments name, and what follows it.
func called(root *cobra.Command, args []string) (*cobra.Command, []string) {
	c, rest, _ := root.Find(args) // what is wrong was said already
	if c == nil {
		return root, nil
	}
	return c, rest
}

// plainUsage says in the words of the help what cobra says of arguments.
func plainUsage(err error, c *cobra.Command, rest []string) error {
	text := err.Error()
	unknown := strings.HasPrefix(text, "unknown command")
	switch {
	case unknown && c.HasAvailableSubCommands() && len(rest) > 0:
		c.SuggestionsMinimumDistance = 2
		if near := c.SuggestionsFor(rest[0]); len(near) > 0 {
			err = advice.Add(err, "did you mean "+strings.Join(near, " or ")+"?")
		}
	case unknown, strings.Contains(text, "arg(s)"):
		want := c.CommandPath()
		if _, names, ok := strings.Cut(c.Use, " "); ok {
			want += " " + names
		}
		err = cli.UsageError(errors.New("wrong arguments; want: " + want))
	}
	return err
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) { printable.Fprintln(c.OutOrStdout(), "pausetui", cli.Version()) },
	}
}
