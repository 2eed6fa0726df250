package cli

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

// Streams are where a command prints.
type Streams struct{ Out, Errs io.Writer }

// StreamsOf are the streams of a command.
func StreamsOf(c *cobra.Command) Streams { return Streams{c.OutOrStdout(), c.ErrOrStderr()} }

// JSONFlag is --json.
type JSONFlag struct{ AsJSON bool }

// RegisterJSON adds the flag.
func (f *JSONFlag) RegisterJSON(s *pflag.FlagSet) {
	s.BoolVar(&f.AsJSON, "json", false, "print JSON")
}

// PrintJSON prints what --json asks for.
func PrintJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(printable.NewJSONWriter(w))
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// Dash is a text for a cell of a table, which is not left empty.
func Dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

// PrintLines prints lines, which may hold the words of others.
func PrintLines(w io.Writer, lines []string) error {
	var b strings.Builder
	for _, l := range lines {
		printable.Fprintln(&b, l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Table prints rows in columns, each cell in one line.
type Table struct {
	w   *tabwriter.Writer
	end []string // of each row
}

// NewTable begins a table whose columns have heads; none where there are no heads.
func NewTable(w io.Writer, heads ...string) Table {
	return beginTable(Table{w: tabwriter.NewWriter(printable.NewWriter(w), 0, 0, 2, ' ', 0)}, heads)
}

// NewFigures begins a table whose columns are aligned on the right.
func NewFigures(w io.Writer, heads ...string) Table {
	t := Table{w: tabwriter.NewWriter(printable.NewWriter(w), 0, 0, 2, ' ', tabwriter.AlignRight), end: []string{""}}
	return beginTable(t, heads)
}

func beginTable(t Table, heads []string) Table {
	if len(heads) > 0 {
		t.Row(heads...)
	}
	return t
}

// Row adds a row.
func (t Table) Row(cells ...string) { printable.Row(t.w, slices.Concat(cells, t.end)...) }

// Flush prints the rows.
func (t Table) Flush() error { return t.w.Flush() }
