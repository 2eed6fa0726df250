package models

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
)

// Shown is a model as `models show --json` prints it.
type Shown struct {
	Listed
	Lines []choose.Count `json:"measured_by_class"`
}

// showOptions are the options of models show.
type showOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	name string
}

func newShow(sys *cli.System, runF func(context.Context, *showOptions) error) *cobra.Command {
	o := &showOptions{System: sys}
	c := &cobra.Command{Use: "show NAME", Short: "Show what is known about a model", Args: cobra.ExactArgs(1), ValidArgsFunction: Complete}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runShow
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.name = cli.StreamsOf(c), args[0]
		return runF(c.Context(), o)
	}
	return c
}

func runShow(ctx context.Context, o *showOptions) error {
	d, err := newDesk(o.System)
	if err != nil {
		return err
	}
	d.Examine(ctx)
	e, err := d.find(o.name)
	if err != nil {
		return err
	}
	if o.AsJSON {
		return cli.PrintJSON(o.Out, Shown{d.listed(e), append([]choose.Count{}, d.Results().Lines(e.ID())...)})
	}
	d.printShow(o.Out, e)
	return nil
}

func (d desk) printShow(w io.Writer, e catalog.Entry) {
	line := func(name, value string) {
		if value != "" {
			printable.Fprintf(w, "%-14s%s\n", name, value)
		}
	}
	line("model", e.ID())
	line("family", e.Family)
	line("parameters", e.Parameters)
	line("quantisation", e.Quantisation)
	if e.Context > 0 {
		line("context", fmt.Sprintf("%d tokens", e.Context))
	}
	line("capabilities", strings.Join(e.Capabilities, ", "))
	line("size", catalog.Bytes(e.Size))
	line("runs", roster.Where(e.Info))
	line("digest", e.Digest)
	if p := e.Probe; p != nil {
		line("probe", p.Words()+" ("+p.At.Local().Format(time.DateOnly)+")")
		line("", indent(p.Trouble))
		line("", indent(p.CallTrouble))
	} else {
		line("probe", "not tried: pausetui models probe "+e.ID())
	}
	lines := d.Results().Lines(e.ID())
	if len(lines) == 0 {
		line("measured", "nothing yet")
	}
	for i, c := range lines {
		name := ""
		if i == 0 {
			name = "measured"
		}
		line(name, fmt.Sprintf("%s with %s: %s", c.Class, c.Prompt, c.Words()))
	}
}

func indent(s string) string {
	if s == "" {
		return ""
	}
	return "  " + s
}
