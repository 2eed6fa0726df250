package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
)

// Cell writes what became of one cell: what was asked and answered, and each
// candidate with its checks and its diff.
func Cell(w io.Writer, dir string, s *Summary, d matrix.Detail) error {
	b := &strings.Builder{}
	printable.Fprintf(b, "%s, %s, trial %d\n", printable.Line(d.Name), printable.Line(s.Columns[d.Column].Name()), d.Trial+1)
	if d.Failed != "" {
		printable.Fprintf(b, "pausetui failed: %s\n", d.Failed)
	}
	questions, err := Questions(dir, d)
	if err != nil {
		return err
	}
	for i, q := range questions {
		b.WriteString(fmt.Sprintf("\n── request %d\n", i+1) + printable.Block(q.Prompt) + "── answer\n" + printable.Block(q.Answer+q.Error))
	}
	for i, k := range d.Candidates {
		word := "right"
		if !k.Right {
			word = "not right"
		}
		printable.Fprintf(b, "\n── fix %d, by %s, %s: %s\n", i+1, printable.Line(strings.Join(k.By, ", ")), word, printable.Line(k.Title))
		for _, check := range k.Checks {
			printable.Fprintf(b, "  %-11s %-12s %s\n", check.Name, check.Status, printable.Line(check.Detail))
		}
		if k.Wrong != "" {
			printable.Fprintf(b, "  the hidden check: %s\n", strings.ReplaceAll(k.Wrong, "\n", "\n    "))
		}
		b.WriteString(printable.Diff(patch.Visible(k.Diff)))
	}
	b.WriteString("\n")
	_, err = io.WriteString(w, b.String())
	return err
}
