package fix

import (
	"fmt"
	"io"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
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

// behaviorTable is the same as a table of a comment; nothing where nothing was compared.
func behaviorTable(b *verdict.Behavior) string {
	if b == nil || b.Tried == 0 {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "\n**What this changes:** %s\n", inline(b.Short()))
	if len(b.Rows) > 0 {
		text.WriteString("\n| input | before | now |\n| --- | --- | --- |\n")
	}
	for _, r := range b.Rows {
		input := cell(r.Input)
		if from := r.Origin(); from != "" {
			input += " (" + from + ")"
		}
		fmt.Fprintf(&text, "| %s | %s | %s %s |\n", input, cell(r.Before), session.Sign(r.Sign()), cell(r.After))
	}
	fmt.Fprintf(&text, "\n%s.\n", inline(b.Tally()))
	return text.String()
}
