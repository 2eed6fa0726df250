package bench

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/bench/matrix"
	scores "github.com/pausetui/pausetui/bench/report"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

// reportOptions are the options of bench report.
type reportOptions struct {
	view           viewFlags
	format, output string
	baseline, cell string
	failUnder      []string
	use            bool
}

var formats = []string{"text", "html", "markdown", "csv", "jsonl", "junit", "corpus", "rules", "record"}

func newReport(sys *cli.System) *cobra.Command {
	o := &reportOptions{}
	c := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Show a run: a matrix, one cell, or a file for people and programs",
		Long: "report summarizes a run: the newest, or the one with the given directory or plan id. On a terminal it opens a matrix\n" +
			"that can be sorted, filtered, and opened down to the prompts, answers, diffs and checks of a case. With a flag other than\n" +
			"--sort and --only, or without a terminal, it prints. The HTML page is one file with the same contents. --cell prints one\n" +
			"case. In a markdown file with markers, like the corpus's README, only the text between them is replaced. Exit codes: 0, 1 error,\n" +
			"2 usage, 6 below --fail-under.",
		Example: "pausetui bench report --sort right_first --only 'ollama/*'\npausetui bench report --cell nil-map-write-dedup-window --only builtin\npausetui bench report --format html --baseline before -o bench.html",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: completeRuns,
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := runDir(first(args))
			if err != nil {
				return err
			}
			if sys.NoScreen() == nil && !printsReport(c.Flags()) {
				return showRun(c.Context(), sys, dir, o)
			}
			return o.run(c, dir)
		},
	}
	f := c.Flags()
	o.view.register(f)
	f.StringVar(&o.format, "format", "text", "print as `FORMAT`: text, html, markdown, csv, jsonl, junit, corpus (the tables of the corpus's README),\nrules (what each rule of the built-in fixer did), or record (of the built-in fixer, llm/choose/builtin.json)")
	f.StringVarP(&o.output, "output", "o", "", "write to `FILE` (default standard output)")
	f.StringVar(&o.baseline, "baseline", "", "compare with `RUN` on the HTML page")
	f.StringVar(&o.cell, "cell", "", "show the results of `CASE`: prompts, answers, diffs, checks")
	f.StringSliceVar(&o.failUnder, "fail-under", nil, "exit with 6 if a score of a column is below its limit, `SCORE=SHARE`, such as right=0.6")
	f.BoolVar(&o.use, "use", false, "use this run to choose models: for merged shards; a whole run does this by itself")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// printsReport reports whether a flag says that the report is printed: all but
// those that say what the screen begins with.
func printsReport(s *pflag.FlagSet) bool {
	prints := false
	s.Visit(func(f *pflag.Flag) { prints = prints || f.Name != "sort" && f.Name != "only" })
	return prints
}

func first(args []string) string {
	if len(args) > 0 {
		return args[0]
	}
	return ""
}

func (o *reportOptions) run(c *cobra.Command, dir string) error {
	limits, err := parseLimits(o.failUnder)
	if err != nil {
		return cli.UsageError(err)
	}
	s, err := scores.Summarize(dir)
	if err != nil {
		return err
	}
	v, err := o.view.view()
	if err != nil {
		return err
	}
	if o.cell != "" {
		return o.printCell(c.OutOrStdout(), dir, s, v)
	}
	if o.output == "" || o.output == "-" {
		err = o.write(c.OutOrStdout(), dir, s, v)
	} else {
		err = o.writeFile(dir, s, v)
	}
	if err != nil {
		return err
	}
	if o.use {
		if err := useScores(c.ErrOrStderr(), s); err != nil {
			return err
		}
	}
	return below(s, limits)
}

// write writes the report in its format.
func (o *reportOptions) write(w io.Writer, dir string, s *scores.Summary, v scores.View) error {
	switch o.format {
	case "text":
		troubles, err := matrix.Troubles(dir)
		if err != nil {
			return err
		}
		return o.view.text(w, s, stillTroubled(dir, s.Plan, troubles))
	case "html":
		var compared []scores.Comparison
		if o.baseline != "" {
			before, err := runDir(o.baseline)
			if err != nil {
				return err
			}
			if compared, err = scores.Compare(before, "", dir, "", scores.Scores[0]); err != nil {
				return err
			}
		}
		return scores.Page(w, dir, s, compared, v)
	case "markdown":
		return scores.Markdown(w, s, v)
	case "csv":
		return scores.CSV(w, s, v)
	case "jsonl":
		return scores.JSONLines(printable.NewJSONWriter(w), dir, v)
	case "junit":
		return scores.JUnit(w, s, v)
	case "corpus", "rules":
		text, err := map[string]func(string) (string, error){"corpus": scores.Corpus, "rules": scores.Rules}[o.format](dir)
		if err == nil {
			_, err = io.WriteString(printable.NewWriter(w), text)
		}
		return err
	}
	if o.format == "record" {
		data, err := scores.Record(dir)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	return cli.UsageError(advice.Add(fmt.Errorf("unknown format %q", o.format), "formats: text, html, markdown, csv, jsonl, junit, corpus, rules, record"))
}

// writeFile writes a file as a whole. In one that has markers, what is around
// them stays.
func (o *reportOptions) writeFile(dir string, s *scores.Summary, v scores.View) error {
	var b bytes.Buffer
	v.Color = false
	o.view.noColor = true
	if err := o.write(&b, dir, s, v); err != nil {
		return err
	}
	data := b.Bytes()
	if o.format == "corpus" || o.format == "markdown" {
		if before, err := os.ReadFile(o.output); err == nil {
			if with, ok := scores.Insert(before, b.String()); ok {
				data = with
			}
		}
	}
	return renameio.WriteFile(o.output, data, 0o644)
}

// printCell prints the details of a case in the columns that are shown.
func (o *reportOptions) printCell(w io.Writer, dir string, s *scores.Summary, v scores.View) error {
	found := 0
	err := matrix.Details(dir, func(c matrix.Cell) bool {
		return s.Plan.Has(c) && s.Plan.Cases[c.Case].Name == o.cell && !s.Plan.Cases[c.Case].Closed && (v.Columns == nil || v.Columns(s.Columns[c.Column].Name()))
	}, func(d matrix.Detail) error {
		found++
		return scores.Cell(w, dir, s, d)
	})
	if err == nil && found == 0 {
		err = cli.UsageError(advice.Add(fmt.Errorf("the run has no result of an open case %q", session.Clean(o.cell)), "pausetui bench cases list names the cases"))
	}
	return err
}
