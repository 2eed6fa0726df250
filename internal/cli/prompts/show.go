package prompts

import (
	"context"
	"io"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
)

// showOptions are the options of prompts show.
type showOptions struct {
	*cli.System
	cli.Streams

	name string
}

func newShow(sys *cli.System, runF func(context.Context, *showOptions) error) *cobra.Command {
	o := &showOptions{System: sys}
	c := &cobra.Command{Use: "show NAME", Short: "Print a prompt profile's file as it is", Args: cobra.ExactArgs(1), ValidArgsFunction: Complete}
	if runF == nil {
		runF = runShow
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.name = cli.StreamsOf(c), args[0]
		return runF(c.Context(), o)
	}
	return c
}

func runShow(_ context.Context, o *showOptions) error {
	l, err := readLibrary(o.System, io.Discard)
	if err != nil {
		return err
	}
	p, err := l.Get(o.name)
	if err != nil {
		return err
	}
	printable.Fprintf(o.Errs, "%s (%s)\n", p.File, p.From)
	_, err = io.WriteString(asItIs(o.Out), p.Text)
	return err
}

// asItIs is where a file's text goes unchanged, unless it goes to a terminal.
func asItIs(w io.Writer) io.Writer {
	if f, ok := w.(term.File); ok && term.IsTerminal(f.Fd()) {
		return printable.NewWriter(w)
	}
	return w
}
