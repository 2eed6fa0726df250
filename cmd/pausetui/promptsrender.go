package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
)

// draft gathers the recorded stop and prepares the question.
func (f *renderFlags) draft(c *cobra.Command, name string) (d prompts.Draft, missing []string, err error) {
	l, err := library(c.ErrOrStderr())
	if err != nil {
		return d, nil, err
	}
	profile, err := l.Get(name)
	if err != nil {
		return d, nil, err
	}
	journal, err := f.journal()
	if err != nil {
		return d, nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return d, nil, fmt.Errorf("find the working directory: %w", err)
	}
	stop, err := engine.Recorded(c.Context(), journal, f.stop, here)
	if err != nil {
		return d, nil, err
	}
	info := f.modelInfo()
	screen, err := screenOf(info)
	if err != nil {
		return d, nil, err
	}
	options := screen.Options(info.Context)
	options.Goroutines = stop.Goroutines
	gathered, err := prompts.Gather(c.Context(), stop.Evidence, options)
	if err != nil {
		return d, nil, fmt.Errorf("gather the context: %w", err)
	}
	gathered.Question = f.question
	missing = append(stop.Missing, profile.Missing(gathered, info)...)
	if !profile.SuitsClass(gathered.Class) {
		missing = append(missing, fmt.Sprintf("%s is not written for %s", profile.Name, gathered.Class))
	}
	counts := prompts.NewEstimator(prompts.TokensFile())
	d = prompts.NewDraft(profile, info, gathered, counts.BytesPerToken(info))
	if len(f.without) > 0 {
		d = d.Without(f.without...)
	}
	if f.expected != "" {
		d = d.Expecting(f.expected)
	}
	return d, missing, nil
}

// journal finds the session: a file, or one of the module's logs.
func (f *renderFlags) journal() (string, error) {
	if info, err := os.Stat(f.session); err == nil && info.Mode().IsRegular() {
		if log, ok := strings.CutSuffix(f.session, ".md"); ok {
			return log + ".jsonl", nil
		}
		return f.session, nil
	}
	e, err := findSession(f.logDir, []string{f.session})
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

func (f *renderFlags) print(w io.Writer, d prompts.Draft, messages []llm.Message) error {
	r := rendered{Prompt: d.Profile.Name, Model: d.Model.Name, Tokens: d.Tokens(), Budget: d.Budget, Redacted: d.Redacted, Messages: messages}
	for _, s := range d.Sections {
		r.Sections = append(r.Sections, renderedSection{s.Key, s.Title, s.Tokens, s.Budget, s.Left, d.HiddenIn(s.Key)})
	}
	switch {
	case f.asJSON:
		return printJSON(w, r)
	case f.sections:
		return r.table(w)
	}
	for _, m := range messages {
		fmt.Fprintf(w, "=== %s ===\n%s\n\n", m.Role, session.Clean(m.Text))
	}
	return nil
}

// table shows the sections with their sizes.
func (r rendered) table(w io.Writer) error {
	table := tabwriter.NewWriter(printable.NewWriter(w), 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "SECTION\tTOKENS\tBUDGET\tLEFT OUT\tHIDDEN\t")
	sum := 0
	for _, s := range r.Sections {
		fmt.Fprintf(table, "%s\t%d\t%d\t%d lines\t%d\t\n", s.Key, s.Tokens, s.Budget, s.Left, s.Hidden)
		sum += s.Tokens
	}
	fmt.Fprintf(table, "all sections\t%d\t%d\t\t%d\t\n", sum, r.Budget, r.Redacted)
	fmt.Fprintf(table, "whole prompt\t%d\t\t\t\t\n", r.Tokens)
	return table.Flush()
}

// screenOf is what stands before a model, as the configuration says.
func screenOf(info llm.Info) (*prompts.Screen, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	c, err := config.Load(root)
	if err != nil {
		return nil, err
	}
	settings, localOff := redaction(c)
	if localOff && !info.Remote {
		return prompts.NewScreen(redact.Off()), nil
	}
	return prompts.NewScreen(redact.New(settings, os.Environ())), nil
}
