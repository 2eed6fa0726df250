package models

import (
	"context"
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

// listOptions are the options of models list.
type listOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	refresh bool
}

func newList(sys *cli.System, runF func(context.Context, *listOptions) error) *cobra.Command {
	o := &listOptions{System: sys}
	c := &cobra.Command{Use: "list", Short: "List the models and what is known about each", Args: cobra.NoArgs}
	o.RegisterJSON(c.Flags())
	c.Flags().BoolVar(&o.refresh, "refresh", false, "ask the providers again, even if they were just asked")
	if runF == nil {
		runF = runList
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	return c
}

func runList(ctx context.Context, o *listOptions) error {
	d, err := newDesk(o.System)
	if err != nil {
		return err
	}
	d.Recall()
	if o.refresh || !d.recent() {
		d.Examine(ctx)
	} else {
		d.Measure(ctx)
	}
	return d.printList(o.Out, o.Errs, o.AsJSON)
}

// recent reports whether a kept catalog still serves.
func (d desk) recent() bool {
	c := d.Catalog()
	return len(c.Listings) > 0 && time.Since(c.At) < 10*time.Second && time.Since(c.At) >= 0 && len(c.Silent()) == 0
}

// Listed is a model as `models list --json` prints it.
type Listed struct {
	ID string `json:"id"`
	catalog.Entry
	Measured choose.Tally `json:"measured"`
}

func (d desk) listed(e catalog.Entry) Listed {
	return Listed{ID: e.ID(), Entry: e, Measured: d.Results().Of(e.ID(), "", "")}
}

func (d desk) printList(w, errs io.Writer, asJSON bool) error {
	cat := d.Catalog()
	list, local := []Listed{}, 0
	for _, e := range cat.Models() {
		list = append(list, d.listed(e))
		if !e.Remote && catalog.CanAnswer(e.Info) {
			local++
		}
	}
	for _, s := range cat.Silent() {
		printable.Fprintf(errs, "pausetui: %s\n", s.Err)
		if s.Hint != "" {
			printable.Fprintf(errs, "  hint: %s\n", s.Hint)
		}
	}
	d.printTrouble(errs)
	if asJSON {
		return cli.PrintJSON(w, list)
	}
	if len(list) > 0 {
		if err := printModels(w, list); err != nil {
			return err
		}
	}
	if local == 0 {
		words := "There is no local model"
		if len(cat.Silent()) > 0 {
			words = "No local model is known"
		}
		printable.Fprintf(w, "%s. %s.\n", words, capital(choose.Hint(catalog.Memory())))
	}
	return nil
}

func (d desk) printTrouble(errs io.Writer) {
	for _, err := range d.AllTrouble() {
		printable.Fprintf(errs, "pausetui: %s\n", err.Error())
	}
}

func printModels(w io.Writer, list []Listed) error {
	table := cli.NewTable(w, "MODEL", "FAMILY", "PARAMS", "QUANT", "CONTEXT", "CAPABILITIES", "SIZE", "WHERE", "MEASURED", "PROBE")
	for _, m := range list {
		table.Row(m.ID, cli.Dash(m.Family), cli.Dash(m.Parameters), cli.Dash(m.Quantisation), cli.Dash(roster.ContextWords(m.Context)),
			cli.Dash(strings.Join(m.Capabilities, ",")), cli.Dash(catalog.Bytes(m.Size)), roster.Where(m.Info), roster.MeasuredWords(m.Measured), probeWords(m.Probe))
	}
	return table.Flush()
}

func probeWords(p *catalog.Probe) string {
	if p == nil {
		return "–"
	}
	return p.Words()
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
