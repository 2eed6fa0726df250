package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
)

func newModels(sys *cli.System) *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List, show, pull and probe models",
		Long: "Models are named PROVIDER/NAME. What is known about each comes from its provider, from probes, and from\n" +
			"past sessions and benchmarks.",
		Example: "pausetui models list\npausetui models pull ollama/qwen2.5-coder:7b\npausetui models probe ollama/qwen2.5-coder:7b",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newModelsList(sys, nil), newModelsShow(sys, nil), newModelsPull(sys, nil), newModelsProbe(sys, nil))
	return c
}

// desk is what the commands about models work with.
type desk struct{ *roster.Roster }

func newDesk(sys *cli.System) (desk, error) {
	here, err := sys.Dir()
	if err != nil {
		return desk{}, err
	}
	settings, err := sys.Config(here)
	if err != nil {
		return desk{}, err
	}
	r, err := roster.New(&flags.Models{AllowRemote: true}, settings, here, "")
	return desk{r}, err
}

// modelsListOptions are the options of models list.
type modelsListOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	refresh bool
}

func newModelsList(sys *cli.System, runF func(context.Context, *modelsListOptions) error) *cobra.Command {
	o := &modelsListOptions{System: sys}
	c := &cobra.Command{Use: "list", Short: "List the models and what is known about each", Args: cobra.NoArgs}
	o.RegisterJSON(c.Flags())
	c.Flags().BoolVar(&o.refresh, "refresh", false, "ask the providers again, even if they were just asked")
	if runF == nil {
		runF = runModelsList
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	return c
}

func runModelsList(ctx context.Context, o *modelsListOptions) error {
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

// listedModel is a model as `models list --json` prints it.
type listedModel struct {
	ID string `json:"id"`
	catalog.Entry
	Measured choose.Tally `json:"measured"`
}

// shownModel is a model as `models show --json` prints it.
type shownModel struct {
	listedModel
	Lines []choose.Count `json:"measured_by_class"`
}

func (d desk) listed(e catalog.Entry) listedModel {
	return listedModel{ID: e.ID(), Entry: e, Measured: d.Results().Of(e.ID(), "", "")}
}

func (d desk) printList(w, errs io.Writer, asJSON bool) error {
	cat := d.Catalog()
	list, local := []listedModel{}, 0
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

func printModels(w io.Writer, list []listedModel) error {
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

// modelsShowOptions are the options of models show.
type modelsShowOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	name string
}

func newModelsShow(sys *cli.System, runF func(context.Context, *modelsShowOptions) error) *cobra.Command {
	o := &modelsShowOptions{System: sys}
	c := &cobra.Command{Use: "show NAME", Short: "Show what is known about a model", Args: cobra.ExactArgs(1), ValidArgsFunction: completeModels}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runModelsShow
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.name = cli.StreamsOf(c), args[0]
		return runF(c.Context(), o)
	}
	return c
}

func runModelsShow(ctx context.Context, o *modelsShowOptions) error {
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
		return cli.PrintJSON(o.Out, shownModel{d.listed(e), append([]choose.Count{}, d.Results().Lines(e.ID())...)})
	}
	d.printShow(o.Out, e)
	return nil
}

// find finds a model by its id, or by its name alone.
func (d desk) find(name string) (catalog.Entry, error) {
	cat := d.Catalog()
	for _, id := range []string{name, modelID(name)} {
		if e, ok := cat.Find(id); ok {
			return e, nil
		}
	}
	for _, s := range cat.Silent() {
		if strings.HasPrefix(modelID(name), s.Provider+"/") {
			return catalog.Entry{}, advice.Add(fmt.Errorf("%s", s.Err), s.Hint)
		}
	}
	hint := "pausetui models list shows them"
	if near := cat.Nearest(modelID(name)); near != "" {
		hint = "did you mean " + near + "?"
	}
	return catalog.Entry{}, advice.Add(fmt.Errorf("%w %q", llm.ErrUnknownModel, name), hint)
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

// completeModels offers the models of the kept catalog.
func completeModels(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []string
	if d, err := newDesk(cli.ThisSystem()); err == nil && len(args) == 0 {
		d.Recall()
		for _, e := range d.Catalog().Models() {
			names = append(names, e.ID())
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
