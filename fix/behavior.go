package fix

import (
	"io"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/verify/verdict"
)

// writeBehavior shows what a candidate changes in what functions answer.
func writeBehavior(w io.Writer, b *verdict.Behavior) {
	if b == nil {
		return
	}
	line := func(s string) string { return cut(printable.Line(s), 160) }
	printable.Fprintf(w, "\nWhat this changes: %s\n", line(b.Detail))
	for _, r := range b.Rows {
		printable.Fprintf(w, "   %s\n     before: %s\n     now:    %s\n", line(r.Input), line(r.Before), line(r.After))
	}
}
