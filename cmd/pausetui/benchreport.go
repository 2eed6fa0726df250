package main

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

// benchReportOptions are the options of bench report.
type benchReportOptions struct {
	view           benchView
	format, output string
	baseline, cell string
	failUnder      []string
	use            bool
}

var benchFormats = []string{"text", "html", "markdown", "csv", "jsonl", "junit", "corpus", "rules", "record"}

func newBenchReport(sys *cli.System) *cobra.Command {
	o := &benchReportOptions{}
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
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(benchFormats, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
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

func (o *benchReportOptions) run(c *cobra.Command, dir string) error {
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
func (o *benchReportOptions) write(w io.Writer, dir string, s *scores.Summary, v scores.View) error {
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
func (o *benchReportOptions) writeFile(dir string, s *scores.Summary, v scores.View) error {
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
func (o *benchReportOptions) printCell(w io.Writer, dir string, s *scores.Summary, v scores.View) error {
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

func newBenchCompare() *cobra.Command {
	var columnA, columnB, key string
	c := &cobra.Command{
		Use:   "compare A [B]",
		Short: "Compare two runs: what got better, what got worse, and what is unsure",
		Long: "compare pairs the cells of two runs by case and trial. It tests whether they differ (McNemar, exact) and prints an interval\n" +
			"of the difference (bootstrap, by case). Columns of the same name are compared; --a and --b select others, also of one run.\n" +
			"A run is named by its directory, by the id of its plan, or as latest.",
		Example: "pausetui bench compare before latest\npausetui bench compare latest --a 'ollama/x:7b minimal' --b 'ollama/x:7b whole-function'",
		Args:    cobra.MaximumNArgs(2), ValidArgsFunction: completeRuns,
		RunE: func(c *cobra.Command, args []string) error {
			of, ok := scores.FindScore(key)
			if !ok {
				return cli.UsageError(fmt.Errorf("--score %q: want one of %v", key, scoreKeys()))
			}
			a, b, err := twoRuns(args, columnA != "" && columnB != "")
			if err != nil {
				return err
			}
			list, err := scores.Compare(a, columnA, b, columnB, of)
			if err != nil {
				return err
			}
			return scores.CompareText(printable.NewWriter(c.OutOrStdout()), list, of)
		},
	}
	c.Flags().StringVar(&columnA, "a", "", "use `COLUMN` of run A")
	c.Flags().StringVar(&columnB, "b", "", "use `COLUMN` of run B")
	c.Flags().StringVar(&key, "score", "right", "compare by `SCORE`")
	return c
}

func newBenchMerge() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:     "merge RUN...",
		Short:   "Merge the runs of shards into what one run would have given",
		Example: "pausetui bench merge shard1 shard2 shard3 --dir whole",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dir == "" {
				return cli.UsageError(fmt.Errorf("--dir is required"))
			}
			differing, err := matrix.Merge(dir, args)
			if differing > 0 {
				printable.Fprintf(c.ErrOrStderr(), "%d cells were run twice with different results; one result of each counts\n", differing)
			}
			if err != nil {
				return err
			}
			s, err := scores.Summarize(dir)
			if err == nil {
				printable.Fprintf(c.OutOrStdout(), "%d of %d cells have a result\n", s.Done, s.Plan.Len())
			}
			return err
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "write the merged run to `DIR`")
	return c
}
