package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/roster"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/catalog"
	"github.com/pausetui/pausetui/llm/choose"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

func newPrompts(sys *cli.System) *cobra.Command {
	c := &cobra.Command{
		Use:   "prompts",
		Short: "Prompt profiles: list them, show one, check your own, render one for a recorded stop",
		Long: "A prompt profile is a markdown file with front matter. Your own are in .pausetui/prompts/ of a module and in\n" +
			"$XDG_CONFIG_HOME/pausetui/prompts/. The module's profiles override yours of the same name, and yours the built-in ones.",
		Example: "pausetui prompts list\npausetui prompts show whole-function > .pausetui/prompts/mine.md\npausetui prompts check\npausetui prompts render minimal --session latest --sections",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newPromptsList(sys, nil), newPromptsShow(sys, nil), newPromptsCheck(sys, nil), newPromptsRender(sys, nil))
	return c
}

// readLibrary reads all profiles; those with mistakes are reported to w.
func readLibrary(sys *cli.System, w io.Writer) (prompts.Library, error) {
	root, err := sys.ModuleRoot()
	if err != nil {
		return nil, err
	}
	l, errs := prompts.Scan(prompts.Dirs(root)...)
	for _, m := range flatten(errs) {
		printable.Fprintln(w, m.Error())
	}
	return l, nil
}

// completePrompts offers the names of the profiles.
func completePrompts(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	l, err := readLibrary(cli.ThisSystem(), io.Discard)
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
			printable.Fprintln(w, err.Error())
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
	return cli.Dash(strings.Join(words, ", "))
}

// promptsListOptions are the options of prompts list.
type promptsListOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
}

func newPromptsList(sys *cli.System, runF func(context.Context, *promptsListOptions) error) *cobra.Command {
	o := &promptsListOptions{System: sys}
	c := &cobra.Command{Use: "list", Short: "List the prompt profiles", Args: cobra.NoArgs}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runPromptsList
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		o.Streams = cli.StreamsOf(c)
		return runF(c.Context(), o)
	}
	return c
}

func runPromptsList(_ context.Context, o *promptsListOptions) error {
	l, err := readLibrary(o.System, o.Errs)
	if err != nil {
		return err
	}
	list := listPrompts(l, measured(o.Errs))
	if o.AsJSON {
		return cli.PrintJSON(o.Out, list)
	}
	table := cli.NewTable(o.Out, "PROMPT", "TASK", "FORMAT", "FROM", "WANTS", "MEASURED", "DESCRIPTION")
	for _, p := range list {
		table.Row(p.Name, p.Task, cli.Dash(p.Format), p.From, p.wants(), roster.MeasuredWords(p.Measured), p.Description)
	}
	return table.Flush()
}

// promptsShowOptions are the options of prompts show.
type promptsShowOptions struct {
	*cli.System
	cli.Streams

	name string
}

func newPromptsShow(sys *cli.System, runF func(context.Context, *promptsShowOptions) error) *cobra.Command {
	o := &promptsShowOptions{System: sys}
	c := &cobra.Command{Use: "show NAME", Short: "Print a prompt profile's file as it is", Args: cobra.ExactArgs(1), ValidArgsFunction: completePrompts}
	if runF == nil {
		runF = runPromptsShow
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.name = cli.StreamsOf(c), args[0]
		return runF(c.Context(), o)
	}
	return c
}

func runPromptsShow(_ context.Context, o *promptsShowOptions) error {
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

// promptsCheckOptions are the options of prompts check.
type promptsCheckOptions struct {
	*cli.System
	cli.Streams

	cli.JSONFlag
	files []string // none: the person's and the module's own
}

func newPromptsCheck(sys *cli.System, runF func(context.Context, *promptsCheckOptions) error) *cobra.Command {
	o := &promptsCheckOptions{System: sys}
	c := &cobra.Command{
		Use: "check [FILE…]", Short: "Report every mistake in your own prompt profiles, or in the files",
		Long: "check prints a line for each mistake: file, line, key, what is wrong, and the nearest valid value.\n" +
			"It exits with 1 if there are any.",
	}
	o.RegisterJSON(c.Flags())
	if runF == nil {
		runF = runPromptsCheck
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.Streams, o.files = cli.StreamsOf(c), args
		return runF(c.Context(), o)
	}
	return c
}

func runPromptsCheck(_ context.Context, o *promptsCheckOptions) error {
	count, errs, err := o.check()
	if err != nil {
		return err
	}
	mistakes := flatten(errs)
	if o.AsJSON {
		err = cli.PrintJSON(o.Out, mistakes)
	} else {
		for _, m := range mistakes {
			printable.Fprintln(o.Out, m.Error())
		}
	}
	if len(mistakes) > 0 {
		return errors.Join(err, cli.Exit(cli.ExitFailure, nil))
	}
	printable.Fprintf(o.Errs, "no mistake in %s\n", files(count))
	return err
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// check reads the files, or else the person's and the module's own. count is how
// many there are.
func (o *promptsCheckOptions) check() (count int, errs []error, err error) {
	for _, file := range o.files {
		if _, err := prompts.ReadFile(file); err != nil {
			errs = append(errs, unreadable(file, err))
		}
	}
	if len(o.files) > 0 {
		return len(o.files), errs, nil
	}
	root, err := o.ModuleRoot()
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

func newPromptsRender(sys *cli.System, runF func(context.Context, *renderOptions) error) *cobra.Command {
	o := &renderOptions{System: sys}
	c := &cobra.Command{
		Use: "render NAME", Short: "Print the exact messages of a prompt profile for a recorded stop",
		Long: "render gathers the context of a recorded crash from its session log and the source,\n" +
			"and prints the messages that a model would be sent. Nothing is started, and no model is asked.",
		Args: cobra.ExactArgs(1), ValidArgsFunction: completePrompts,
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
		runF = runPromptsRender
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

func runPromptsRender(ctx context.Context, o *renderOptions) error {
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
