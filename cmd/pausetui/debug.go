package main

import (
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config/userstate"
)

func newDebug() *cobra.Command {
	var flags targetFlags
	c := &cobra.Command{
		Use:     "debug [PKG] [-- ARGS]",
		Short:   "Build, run, stop at panics: the terminal debugger",
		Long:    "debug builds the package and runs it under the debugger. At a panic it shows why, and what can be done.",
		Example: "pausetui debug ./cmd/app -- --port 8080\npausetui debug --stdin input.txt ./cmd/import",
	}
	flags.register(c)
	flags.registerScreen(c.Flags())
	flags.registerBreaks(c.Flags())
	flags.registerRecord(c)
	c.RunE = func(c *cobra.Command, args []string) error { return runDebug(c, &flags, args, false) }
	return c
}

func newTest() *cobra.Command {
	var flags targetFlags
	c := &cobra.Command{
		Use:     "test [PKG] [-- FLAGS]",
		Short:   "The same for a package's tests; also stops where a test fails",
		Long:    "test builds the tests of a package and runs them under the debugger. It stops where one fails, at the assertion, and at panics.\nFlags of go test may stand among ours or after --; those that fuzz (-fuzz) run what they try in processes of their own, which are not debugged.",
		Example: "pausetui test ./store -run TestLoad\npausetui test . -- -run '^$' -bench Sum",
	}
	flags.register(c)
	flags.registerScreen(c.Flags())
	flags.registerBreaks(c.Flags())
	flags.registerTests(c.Flags())
	flags.registerRecord(c)
	c.RunE = func(c *cobra.Command, args []string) error { return runDebug(c, &flags, args, true) }
	return c
}

func runDebug(c *cobra.Command, flags *targetFlags, args []string, test bool) error {
	if err := flags.canShow("pausetui fix does the same without one; --plain talks in lines"); err != nil {
		return err
	}
	m, err := openMarks(flags.timings)
	if err != nil {
		return err
	}
	defer m.close()
	ctx := c.Context()
	opts, err := flags.options(ctx, c, args, m.mark)
	if err != nil {
		return err
	}
	opts.Record, opts.Breakpoints, opts.Mutes = flags.record, userstate.Default().Breakpoints(), userstate.Default().Mutes()
	if opts.Test = test; test {
		opts.Args = binaryFlags(opts.Args)
	}
	return startSession(ctx, flags, opts, m)
}
