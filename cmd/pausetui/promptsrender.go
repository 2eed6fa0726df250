package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
)

// draft gathers the recorded stop and prepares the question.
func (o *renderOptions) draft(ctx context.Context) (d prompts.Draft, missing []string, err error) {
	l, err := readLibrary(o.System, o.Errs)
	if err != nil {
		return d, nil, err
	}
	profile, err := l.Get(o.name)
	if err != nil {
		return d, nil, err
	}
	journal, err := o.journal()
	if err != nil {
		return d, nil, err
	}
	here, err := o.Dir()
	if err != nil {
		return d, nil, err
	}
	stop, err := engine.Recorded(ctx, journal, o.stop, here)
	if err != nil {
		return d, nil, err
	}
	info := o.modelInfo()
	screen, err := screenOf(o.System, info)
	if err != nil {
		return d, nil, err
	}
	options := screen.Options(info.Context)
	options.Goroutines = stop.Goroutines
	gathered, err := prompts.Gather(ctx, stop.Evidence, options)
	if err != nil {
		return d, nil, fmt.Errorf("gather the context: %w", err)
	}
	gathered.Question = o.question
	missing = append(stop.Missing, profile.Missing(gathered, info)...)
	if !profile.SuitsClass(gathered.Class) {
		missing = append(missing, fmt.Sprintf("%s is not written for %s", profile.Name, gathered.Class))
	}
	counts := prompts.NewEstimator(prompts.TokensFile())
	d = prompts.NewDraft(profile, info, gathered, counts.BytesPerToken(info))
	if len(o.without) > 0 {
		d = d.Without(o.without...)
	}
	if o.expected != "" {
		d = d.Expecting(o.expected)
	}
	return d, missing, nil
}

// journal finds the session: a file, or one of the module's logs.
func (o *renderOptions) journal() (string, error) {
	if info, err := os.Stat(o.session); err == nil && info.Mode().IsRegular() {
		if log, ok := strings.CutSuffix(o.session, ".md"); ok {
			return log + ".jsonl", nil
		}
		return o.session, nil
	}
	e, err := cli.FindSession(o.logDir, []string{o.session})
	if err != nil {
		return "", advice.Add(err, "pausetui debug or pausetui fix records one; pausetui sessions list names them")
	}
	return e.Journal, nil
}

// rendered is what `prompts render --json` prints.
type rendered struct {
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
	r := rendered{Prompt: d.Profile.Name, Model: d.Model.Name, Tokens: d.Tokens(), Budget: d.Budget, Redacted: d.Redacted, Messages: messages}
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
func (r rendered) table(w io.Writer) error {
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

// screenOf is the redaction for a model, as the configuration says.
func screenOf(sys *cli.System, info llm.Info) (*prompts.Screen, error) {
	root, err := sys.ModuleRoot()
	if err != nil {
		return nil, err
	}
	c, err := config.Load(root)
	if err != nil {
		return nil, err
	}
	settings, localOff := cli.Redaction(c)
	if localOff && !info.Remote {
		return prompts.NewScreen(redact.Off()), nil
	}
	return prompts.NewScreen(redact.New(settings, os.Environ())), nil
}
