package pane

import (
	"fmt"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Behavior is in a few words what a candidate changes in what functions answer; empty while
// that is not known.
func Behavior(c *Context, r session.CandidateRecord) string {
	if r.Behavior == nil {
		return ""
	}
	words, style := text.Line(r.Behavior.Short()), c.Theme.Dim
	if r.Behavior.Status == verdict.Warn {
		style = c.Theme.Warn
	}
	if words == "" {
		return ""
	}
	return style.Render(words)
}

// changesPage shows inputs with the answers before and now, that of the stop first.
func (p *Review) changesPage() []string {
	t, b := p.c.Theme, p.record.Behavior
	out := []string{t.Strong.Render("What this changes"), ""}
	switch {
	case b == nil && p.record.Passes():
		return append(out, p.paragraph(t.Dim.Render, "The functions that it changes are called before and after it, once nothing else is to be proved.")...)
	case b == nil:
		return append(out, p.paragraph(t.Dim.Render, "Only fixes that pass are compared.")...)
	}
	for _, row := range b.Rows {
		out = append(out, p.changedRow(row)...)
	}
	if b.Tried > 0 {
		out = append(out, p.paragraph(t.Text.Render, b.Tally()+".")...)
	} else {
		out = append(out, p.paragraph(t.Dim.Render, text.Line(b.Detail))...)
	}
	for _, l := range b.Left {
		out = append(out, wrapped(t.Dim.Render, "– ", text.Line("not compared: "+l), p.width, 0)...)
	}
	return out
}

func (p *Review) paragraph(style func(string) string, words string) []string {
	lines := text.Wrap(words, max(p.width, 1), 0)
	for i, l := range lines {
		lines[i] = style(l)
	}
	return lines
}

// changedRow is one input: the call, what it answered, and what it answers now.
func (p *Review) changedRow(row verdict.BehaviorRow) []string {
	t := p.c.Theme
	const inputRows, answerRows, indent = 3, 2, "           "
	out := wrapped(t.Strong.Render, sign(t, row.Sign())+" ", text.Line(row.Input), p.width, inputRows)
	if label := row.Origin(); label != "" {
		out[0] = text.Sides(out[0], t.Faint.Render(label), p.width)
	}
	for _, line := range []struct {
		name, words string
		style       func(string) string
	}{{"before", row.Before, t.Dim.Render}, {"now", row.After, t.Text.Render}} {
		for i, l := range text.Wrap(text.Line(line.words), max(p.width-len(indent), 1), answerRows) {
			head := indent
			if i == 0 {
				head = fmt.Sprintf("    %-*s", len(indent)-4, line.name)
			}
			out = append(out, t.Faint.Render(head)+line.style(l))
		}
	}
	return append(out, "")
}
