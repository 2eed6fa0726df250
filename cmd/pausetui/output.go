package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/internal/printable"
)

// streams are where a command prints.
type streams struct{ out, errs io.Writer }

func streamsOf(c *cobra.Command) streams { return streams{c.OutOrStdout(), c.ErrOrStderr()} }

// jsonFlag is --json.
type jsonFlag struct{ asJSON bool }

func (f *jsonFlag) registerJSON(s *pflag.FlagSet) {
	s.BoolVar(&f.asJSON, "json", false, "print JSON")
}

func printJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(printable.NewJSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func printLines(w io.Writer, lines []string) error {
	var b strings.Builder
	for _, l := range lines {
		printable.Fprintln(&b, l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table prints rows in columns, each cell in one line.
type table struct {
	w   *tabwriter.Writer
	end []string // of each row
}

// newTable begins a table whose columns have heads; none where there are no heads.
func newTable(w io.Writer, heads ...string) table {
	return beginTable(table{w: tabwriter.NewWriter(printable.NewWriter(w), 0, 0, 2, ' ', 0)}, heads)
}

// newFigures begins a table whose columns are aligned on the right.
func newFigures(w io.Writer, heads ...string) table {
	t := table{w: tabwriter.NewWriter(printable.NewWriter(w), 0, 0, 2, ' ', tabwriter.AlignRight), end: []string{""}}
	return beginTable(t, heads)
}

func beginTable(t table, heads []string) table {
	if len(heads) > 0 {
		t.row(heads...)
	}
	return t
}

// row adds a row.
func (t table) row(cells ...string) { printable.Row(t.w, slices.Concat(cells, t.end)...) }

// flush prints the rows.
func (t table) flush() error { return t.w.Flush() }
