package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui"
	"github.com/pausetui/pausetui/ui/memory"
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
	c.RunE = func(c *cobra.Command, args []string) error { return runDebug(c, &flags, args, false) }
	return c
}

func newTest() *cobra.Command {
	var flags targetFlags
	c := &cobra.Command{
		Use:     "test [PKG] [-- FLAGS]",
		Short:   "The same for a package's tests",
		Example: "pausetui test ./store -- -run TestLoad",
	}
	flags.register(c)
	c.RunE = func(c *cobra.Command, args []string) error { return runDebug(c, &flags, args, true) }
	return c
}

var errNoTerminal = errors.New("standard input and output are no terminal")

func runDebug(c *cobra.Command, flags *targetFlags, args []string, test bool) error {
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
		return debugger.WithHint(errNoTerminal, "pausetui fix does the same without one")
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
	if opts.Test = test; test {
		opts.Args = binaryFlags(opts.Args)
	}
	e, err := engine.New(ctx, opts)
	if err != nil {
		return err
	}
	return showSession(ctx, e, flags, opts, m)
}

// showSession runs the engine and the screen side by side; whichever ends
// takes the other with it.
func showSession(ctx context.Context, e *engine.Engine, flags *targetFlags, opts engine.Options, m *marks) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	var profiles []string
	for _, p := range opts.Profiles {
		profiles = append(profiles, p.Name)
	}
	var askers ui.Askers
	if flags.roster != nil {
		askers = pickable{flags.roster}
	}
	err := ui.Run(ctx, e, ui.Options{Askers: askers, Version: versionText(), KeyOverrides: flags.keys, NoColor: flags.noColor || os.Getenv("NO_COLOR") != "", Editor: editor(),
		Mark: m.mark, Profiles: profiles, Memory: &memory.File{Path: memory.Path()}})
	e.Do(engine.Quit{})
	err = errors.Join(err, <-ended)
	if errors.Is(err, context.Canceled) {
		err = &codeError{code: exitInterrupted}
	}
	fmt.Fprintln(os.Stdout, "log:", e.LogPath())
	return err
}

// editor is what the person has named for editing files.
func editor() string {
	if v := os.Getenv("VISUAL"); v != "" {
		return v
	}
	return os.Getenv("EDITOR")
}
