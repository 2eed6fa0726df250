package models

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/catalog"
)

// Probed is a probe as `models probe --json` prints it.
type Probed struct {
	ID    string         `json:"id"`
	Probe *catalog.Probe `json:"probe"`
	Error string         `json:"error,omitempty"`
}

// probeOptions are the options of models probe.
type probeOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	names []string // none: those that are in memory
}

func newProbe(sys *cli.System, runF func(context.Context, *probeOptions) error) *cobra.Command {
	o := &probeOptions{System: sys}
	c := &cobra.Command{
		Use:   "probe [NAME…]",
		Short: "Try models on a tiny case: does it follow the edit format, does it call a tool, how fast is it",
		Long: "probe asks each model to fix a function of five lines, and to call a tool. The answers are never\n" +
			"run, and nothing of your program is sent, so models on other machines can be tried by name.\n" +
			"Without names, probe tries the local models that are loaded. Results are kept until a model changes.",
		ValidArgsFunction: Complete,
	}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runProbe
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.names = cli.StreamsOf(c), args
		return runF(c.Context(), o)
	}
	return c
}

func runProbe(ctx context.Context, o *probeOptions) error {
	d, err := newDesk(o.System)
	if err != nil {
		return err
	}
	d.Examine(ctx)
	list, err := d.toProbe(o.names)
	if err != nil {
		return err
	}
	return d.probe(ctx, o.Out, o.Errs, list, o.AsJSON)
}

// toProbe are the models named, or those that are loaded.
func (d desk) toProbe(names []string) ([]catalog.Entry, error) {
	var list []catalog.Entry
	for _, name := range names {
		e, err := d.find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if len(names) > 0 {
		return list, nil
	}
	for _, e := range d.Catalog().Models() {
		if e.Loaded && !e.Remote && catalog.CanAnswer(e.Info) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil, advice.Add(errors.New("no local model is in memory, and probe loads one only by name"), "name one: pausetui models probe NAME")
	}
	return list, nil
}

// errProbe is returned when a model could not be asked.
var errProbe = errors.New("not every model could be tried")

func (d desk) probe(ctx context.Context, w, errs io.Writer, list []catalog.Entry, asJSON bool) error {
	all, failed := []Probed{}, 0
	for _, e := range list {
		if !asJSON {
			printable.Fprintf(errs, "trying %s …\n", e.ID())
		}
		_, p, err := d.Probe(ctx, e.ID())
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			failed++
			all = append(all, Probed{ID: e.ID(), Error: err.Error()})
			if !asJSON {
				printable.Fprintf(errs, "pausetui: %s\n", err.Error())
			}
			continue
		}
		all = append(all, Probed{ID: e.ID(), Probe: &p})
		if !asJSON {
			printProbe(w, e.ID(), p)
		}
	}
	if asJSON {
		if err := cli.PrintJSON(w, all); err != nil {
			return err
		}
	}
	if failed > 0 {
		return errProbe
	}
	return nil
}

func printProbe(w io.Writer, id string, p catalog.Probe) {
	printable.Fprintf(w, "%s: %s\n", id, p.Words())
	if p.Trouble != "" {
		printable.Fprintf(w, "  edit: %s\n", p.Trouble)
	}
	if p.CallTrouble != "" {
		printable.Fprintf(w, "  tools: %s\n", p.CallTrouble)
	}
}
