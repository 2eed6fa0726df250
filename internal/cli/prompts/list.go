package prompts

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/prompts"
)

// Listed is a profile as `prompts list --json` prints it.
type Listed struct {
	Name         string   `json:"name"`
	Task         string   `json:"task"`
	Format       string   `json:"format,omitempty"` // of a fix
	From         string   `json:"from"`             // embedded, user, project
	File         string   `json:"file"`
	Description  string   `json:"description"`
	Needs        []string `json:"needs"`
	Classes      []string `json:"classes"`
	Families     []string `json:"families"`
	Capabilities []string `json:"capabilities"`
	Parameters   float64  `json:"parameters,omitempty"` // billions
	Context      int      `json:"context,omitempty"`    // tokens
	// Measured is what past sessions and benchmarks showed, with all models.
	Measured choose.Tally `json:"measured"`
}

// measured is what past sessions and benchmarks showed; what cannot be read is
// reported to w.
func measured(w io.Writer) choose.Results {
	records, err1 := choose.LoadRecords(choose.RecordsPath())
	list, err2 := choose.ReadBench(choose.BenchPath())
	for _, err := range []error{err1, err2} {
		if err != nil {
			printable.Fprintln(w, err.Error())
		}
	}
	results := records.Results()
	results.AddBench(list)
	return results
}

func listed(l prompts.Library, results choose.Results) []Listed {
	list := []Listed{}
	for _, name := range l.Names() {
		p := l[name]
		one := Listed{Name: p.Name, Task: string(p.Task), From: p.From, File: p.File, Description: p.Description,
			Needs: or(p.Needs), Classes: or(p.Classes), Families: or(p.Families), Capabilities: or(p.Requires.Capabilities),
			Parameters: p.Requires.Parameters, Context: p.Requires.Context, Measured: results.OfPrompt(p.Name)}
		if p.Task == prompts.Fix {
			one.Format = string(p.Format)
		}
		list = append(list, one)
	}
	return list
}

// or is never nil, so that JSON has [].
func or(list []string) []string { return append([]string{}, list...) }

// wants says in short what a profile requires.
func (l Listed) wants() string {
	var words []string
	if l.Parameters > 0 {
		words = append(words, fmt.Sprintf("%gB", l.Parameters))
	}
	words = append(words, l.Capabilities...)
	if l.Context > 0 {
		words = append(words, fmt.Sprintf("%d tokens", l.Context))
	}
	words = append(words, l.Families...)
	return cli.Dash(strings.Join(words, ", "))
}

// listOptions are the options of prompts list.
type listOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
}

func newList(sys *cli.System, runF func(context.Context, *listOptions) error) *cobra.Command {
	o := &listOptions{System: sys}
	c := &cobra.Command{Use: "list", Short: "List the prompt profiles", Args: cobra.NoArgs}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runList
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	return c
}

func runList(_ context.Context, o *listOptions) error {
	l, err := readLibrary(o.System, o.Errs)
	if err != nil {
		return err
	}
	list := listed(l, measured(o.Errs))
	if o.AsJSON {
		return cli.PrintJSON(o.Out, list)
	}
	table := cli.NewTable(o.Out, "PROMPT", "TASK", "FORMAT", "FROM", "WANTS", "MEASURED", "DESCRIPTION")
	for _, p := range list {
		table.Row(p.Name, p.Task, cli.Dash(p.Format), p.From, p.wants(), roster.MeasuredWords(p.Measured), p.Description)
	}
	return table.Flush()
}
