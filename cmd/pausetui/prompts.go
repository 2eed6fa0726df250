package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

func newPrompts() *cobra.Command {
	c := &cobra.Command{
		Use:   "prompts",
		Short: "Prompt profiles: list them, show one, check your own, render one for a recorded stop",
		Long: "A prompt profile is a markdown file with front matter. Your own stand in .pausetui/prompts/ of a module and in\n" +
			"$XDG_CONFIG_HOME/pausetui/prompts/; one with the name of another takes its place, the module's before yours.",
		Example: "pausetui prompts list\npausetui prompts show whole-function > .pausetui/prompts/mine.md\npausetui prompts check\npausetui prompts render minimal --session latest --sections",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newPromptsList(), newPromptsShow(), newPromptsCheck(), newPromptsRender())
	return c
}

// moduleRoot is the root of the module that the person stands in.
func moduleRoot() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the working directory: %w", err)
	}
	return config.Root(here), nil
}

// library reads all profiles; those with mistakes are reported to w.
func library(w io.Writer) (prompts.Library, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	l, errs := prompts.Scan(prompts.Dirs(root)...)
	for _, err := range errs {
		fmt.Fprintln(w, session.Clean(err.Error()))
	}
	return l, nil
}

// completePrompts offers the names of the profiles.
func completePrompts(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	l, err := library(io.Discard)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return l.Names(), cobra.ShellCompDirectiveNoFileComp
}

// listedPrompt is a profile as `prompts list --json` prints it.
type listedPrompt struct {
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
			fmt.Fprintln(w, session.Clean(err.Error()))
		}
	}
	results := records.Results()
	results.AddBench(list)
	return results
}

func listPrompts(l prompts.Library, results choose.Results) []listedPrompt {
	list := []listedPrompt{}
	for _, name := range l.Names() {
		p := l[name]
		one := listedPrompt{Name: p.Name, Task: string(p.Task), From: p.From, File: p.File, Description: p.Description,
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
func (l listedPrompt) wants() string {
	var words []string
	if l.Parameters > 0 {
		words = append(words, fmt.Sprintf("%gB", l.Parameters))
	}
	words = append(words, l.Capabilities...)
	if l.Context > 0 {
		words = append(words, fmt.Sprintf("%d tokens", l.Context))
	}
	words = append(words, l.Families...)
	return dash(strings.Join(words, ", "))
}

func newPromptsList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the prompt profiles", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := library(c.ErrOrStderr())
			if err != nil {
				return err
			}
			list := listPrompts(l, measured(c.ErrOrStderr()))
			if asJSON {
				return printJSON(c.OutOrStdout(), list)
			}
			table := tabwriter.NewWriter(printable.NewWriter(c.OutOrStdout()), 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "PROMPT\tTASK\tFORMAT\tFROM\tWANTS\tMEASURED\tDESCRIPTION")
			for _, p := range list {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", p.Name, p.Task, dash(p.Format), p.From, p.wants(), measuredWords(p.Measured), session.Clean(p.Description))
			}
			return table.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(printable.NewJSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

func newPromptsShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Print a prompt profile's file as it is", Args: cobra.ExactArgs(1), ValidArgsFunction: completePrompts,
		RunE: func(c *cobra.Command, args []string) error {
			l, err := library(io.Discard)
			if err != nil {
				return err
			}
			p, err := l.Get(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.ErrOrStderr(), "%s (%s)\n", session.Clean(p.File), p.From)
			_, err = io.WriteString(asItIs(c.OutOrStdout()), p.Text)
			return err
		},
	}
}

// asItIs is where a file's text goes unchanged, unless it goes to a terminal.
func asItIs(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return printable.NewWriter(w)
	}
	return w
}

func newPromptsCheck() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "check [FILE…]", Short: "Name every mistake in your own prompt profiles, or in the files",
		Long: "check prints a line for each mistake: file, line, key, what is wrong, and the nearest thing that would be right.\n" +
			"It exits with 1 when there is one.",
		RunE: func(c *cobra.Command, args []string) error {
			count, errs, err := checkPrompts(args)
			if err != nil {
				return err
			}
			mistakes := flatten(errs)
			if asJSON {
				err = printJSON(c.OutOrStdout(), mistakes)
			} else {
				for _, m := range mistakes {
					fmt.Fprintln(c.OutOrStdout(), session.Clean(m.Error()))
				}
			}
			if len(mistakes) > 0 {
				return errors.Join(err, &codeError{code: exitFailure})
			}
			fmt.Fprintf(c.ErrOrStderr(), "no mistake in %s\n", files(count))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// checkPrompts reads the files, or else the person's and the module's own. count
// is how many there are.
func checkPrompts(files []string) (count int, errs []error, err error) {
	for _, file := range files {
		if _, err := prompts.ReadFile(file); err != nil {
			errs = append(errs, unreadable(file, err))
		}
	}
	if len(files) > 0 {
		return len(files), errs, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return 0, nil, err
	}
	l, errs := prompts.Scan(prompts.Dirs(root)...)
	for _, p := range l {
		if p.From != prompts.FromEmbedded {
			count++
		}
	}
	return count, errs, nil
}

// unreadable names the file that has no line to name.
func unreadable(file string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		return prompts.Mistakes{{File: file, Text: "cannot be read: " + cause.Err.Error()}}
	}
	return err
}

// flatten lists mistakes one by one; a file that cannot be read is one.
func flatten(errs []error) []prompts.Mistake {
	list := []prompts.Mistake{}
	for _, err := range errs {
		var mistakes prompts.Mistakes
		if !errors.As(err, &mistakes) {
			mistakes = prompts.Mistakes{{Text: err.Error()}}
		}
		list = append(list, mistakes...)
	}
	return list
}

// renderFlags say for which stop and which model a profile is rendered.
type renderFlags struct {
	session, model, question, expected, logDir string
	stop, context                              int
	without                                    []string
	sections, asJSON                           bool
}

func newPromptsRender() *cobra.Command {
	var f renderFlags
	c := &cobra.Command{
		Use: "render NAME", Short: "Print the exact messages of a prompt profile for a recorded stop",
		Long: "render gathers the context of a crash that a session has recorded, as far as its log and the sources tell of it,\n" +
			"and prints the messages a model would be sent. Nothing is started, and no model is asked.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: completePrompts,
		RunE: func(c *cobra.Command, args []string) error { return f.render(c, args[0]) },
	}
	flags := c.Flags()
	flags.StringVar(&f.session, "session", session.Latest, "the session: its name, the beginning of it, its file, or latest")
	flags.IntVar(&f.stop, "stop", 0, "which crash of it, from 1 (default the last)")
	flags.StringVar(&f.model, "model", "", "render for this model: PROVIDER/NAME as pausetui models lists it, or a name with a size (qwen2.5-coder:7b)")
	flags.IntVar(&f.context, "context", 0, "tokens that the model can read (default what is known of it)")
	flags.StringVar(&f.question, "question", "", "the question, for prompts that answer one")
	flags.StringVar(&f.expected, "expected", "", "a line on what should have happened")
	flags.StringSliceVar(&f.without, "without", nil, "leave these sections out")
	flags.BoolVar(&f.sections, "sections", false, "print the sections and their sizes instead")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	flags.StringVar(&f.logDir, "log-dir", "", "where session logs are (default debug/ in the module root)")
	return c
}

// modelInfo is what is known of a named model: what the catalog remembers, or
// else what its name says.
func (f *renderFlags) modelInfo() llm.Info {
	info := llm.Info{Name: path.Base(f.model), Context: f.context}
	if known, err := catalog.Load(catalog.Path()); err == nil {
		if e, ok := known.Find(f.model); ok && f.model != "" {
			info = e.Info
		}
	}
	if f.context > 0 {
		info.Context = f.context
	}
	return info
}

func (f *renderFlags) render(c *cobra.Command, name string) error {
	for _, key := range f.without {
		if !slices.Contains(prompts.SectionKeys, key) {
			return usageError(advice.Add(fmt.Errorf("--without: there is no section %q", key), "there are "+strings.Join(prompts.SectionKeys, ", ")))
		}
	}
	if f.context < 0 || f.stop < 0 {
		return usageError(errors.New("--context and --stop: want 1 or more"))
	}
	draft, missing, err := f.draft(c, name)
	if err != nil {
		return err
	}
	for _, m := range missing {
		fmt.Fprintln(c.ErrOrStderr(), "note:", session.Clean(m))
	}
	messages, err := draft.Messages()
	if err != nil {
		return err
	}
	return f.print(c.OutOrStdout(), draft, messages)
}
