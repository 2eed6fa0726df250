package prompts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// renderOptions are the options of prompts render.
type renderOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	session, model, question, expected, logDir string
	stop, context                              int
	without                                    []string
	sections                                   bool
	name                                       string // of the profile
}

func newRender(sys *cli.System, runF func(context.Context, *renderOptions) error) *cobra.Command {
	o := &renderOptions{System: sys}
	c := &cobra.Command{
		Use: "render NAME", Short: "Print the exact messages of a prompt profile for a recorded stop",
		Long: "render gathers the context of a recorded crash from its session log and the source,\n" +
			"and prints the messages that a model would be sent. Nothing is started, and no model is asked.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: Complete,
	}
	flags := c.Flags()
	flags.StringVar(&o.session, "session", session.Latest, "use `SESSION`: its name, the start of its name, its file, or latest")
	flags.IntVar(&o.stop, "stop", 0, "use crash `N` of the session, counted from 1 (default the last)")
	flags.StringVar(&o.model, "model", "", "render for the model `PROVIDER/NAME`, as pausetui models lists it, or for a name with a size (qwen2.5-coder:7b)")
	flags.IntVar(&o.context, "context", 0, "assume that the model can read `TOKENS` tokens (default what is known of it)")
	flags.StringVar(&o.question, "question", "", "ask `TEXT`, for prompts that answer a question")
	flags.StringVar(&o.expected, "expected", "", "say in `TEXT` what should have happened")
	flags.StringSliceVar(&o.without, "without", nil, "leave these `SECTIONS` out")
	flags.BoolVar(&o.sections, "sections", false, "print the sections and their sizes instead")
	o.RegisterJSON(flags)
	flags.StringVar(&o.logDir, "log-dir", "", "look for session logs in `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	if runF == nil {
		runF = runRender
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.name = cli.StreamsOf(c), args[0]
		if err := o.fits(); err != nil {
			return err
		}
		return runF(c.Context(), o)
	}
	return c
}

// modelInfo is what is known of a named model: what the catalog remembers, or
// else what its name says.
func (o *renderOptions) modelInfo() llm.Info {
	info := llm.Info{Name: path.Base(o.model), Context: o.context}
	if known, err := catalog.Load(catalog.Path()); err == nil {
		if e, ok := known.Find(o.model); ok && o.model != "" {
			info = e.Info
		}
	}
	if o.context > 0 {
		info.Context = o.context
	}
	return info
}

// fits reports flags that cannot be.
func (o *renderOptions) fits() error {
	for _, key := range o.without {
		if !slices.Contains(prompts.SectionKeys, key) {
			return cli.UsageError(advice.Add(fmt.Errorf("--without: there is no section %q", key), "there are "+strings.Join(prompts.SectionKeys, ", ")))
		}
	}
	if o.context < 0 || o.stop < 0 {
		return cli.UsageError(errors.New("--context and --stop: want 1 or more"))
	}
	return nil
}

func runRender(ctx context.Context, o *renderOptions) error {
	draft, missing, err := o.draft(ctx)
	if err != nil {
		return err
	}
	for _, m := range missing {
		printable.Fprintln(o.Errs, "note:", m)
	}
	messages, err := draft.Messages()
	if err != nil {
		return err
	}
	return o.print(draft, messages)
}

// Rendered is what `prompts render --json` prints.
type Rendered struct {
	Prompt   string            `json:"prompt"`
	Model    string            `json:"model,omitempty"`
	Tokens   int               `json:"tokens"` // of the messages, estimated
	Budget   int               `json:"budget"` // of all sections
	Redacted int               `json:"redacted"`
	Sections []renderedSection `json:"sections"`
	Messages []llm.Message     `json:"messages"`
}

type renderedSection struct {
	Key    string `json:"key"`
	Title  string `json:"title"`
	Tokens int    `json:"tokens"`
	Budget int    `json:"budget"`
	Left   int    `json:"left_out"` // lines
	Hidden int    `json:"hidden"`   // secrets taken out
}

func (o *renderOptions) print(d prompts.Draft, messages []llm.Message) error {
	r := Rendered{Prompt: d.Profile.Name, Model: d.Model.Name, Tokens: d.Tokens(), Budget: d.Budget, Redacted: d.Redacted, Messages: messages}
	for _, s := range d.Sections {
		r.Sections = append(r.Sections, renderedSection{s.Key, s.Title, s.Tokens, s.Budget, s.Left, d.HiddenIn(s.Key)})
	}
	switch {
	case o.AsJSON:
		return cli.PrintJSON(o.Out, r)
	case o.sections:
		return r.table(o.Out)
	}
	for _, m := range messages {
		printable.Fprintf(o.Out, "=== %s ===\n", m.Role)
		_, _ = io.WriteString(o.Out, printable.Block(m.Text)+"\n")
	}
	return nil
}

// table shows the sections with their sizes.
func (r Rendered) table(w io.Writer) error {
	table := cli.NewFigures(w, "SECTION", "TOKENS", "BUDGET", "LEFT OUT", "HIDDEN")
	sum := 0
	for _, s := range r.Sections {
		table.Row(s.Key, strconv.Itoa(s.Tokens), strconv.Itoa(s.Budget), fmt.Sprintf("%d lines", s.Left), strconv.Itoa(s.Hidden))
		sum += s.Tokens
	}
	table.Row("all sections", strconv.Itoa(sum), strconv.Itoa(r.Budget), "", strconv.Itoa(r.Redacted))
	table.Row("whole prompt", strconv.Itoa(r.Tokens), "", "", "")
	return table.Flush()
}
