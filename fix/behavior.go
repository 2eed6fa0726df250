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
	printable.Fprintf(w, "\nWhat this changes: %s\n", oneLine(b.Detail))
	for _, r := range b.Rows {
		printable.Fprintf(w, "   %s\n     before: %s\n     now:    %s\n", oneLine(r.Input), oneLine(r.Before), oneLine(r.After))
	}
}

// oneLine is a text in one line, bounded.
func oneLine(s string) string {
	const most = 160 // runes
	text := []rune(printable.Line(s))
	if len(text) > most {
		return string(text[:most-1]) + "…"
	}
	return string(text)
}
