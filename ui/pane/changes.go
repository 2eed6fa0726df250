package pane

import (
	"fmt"
	"strings"

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

// rowSigns are the signs of the kinds of rows.
var rowSigns = map[string]verdict.Status{verdict.RowAnswers: verdict.Pass, verdict.RowSupplied: verdict.Pass,
	verdict.RowChanged: verdict.Warn, verdict.RowPanics: verdict.Fail}

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
		out = append(out, p.paragraph(t.Text.Render, tallied(*b))...)
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
	label := ""
	switch {
	case row.Stop:
		label = "the stop"
	case row.Run:
		label = "of this run"
	}
	const inputRows, answerRows, indent = 3, 2, "           "
	out := wrapped(t.Strong.Render, sign(t, rowSigns[row.Kind])+" ", text.Line(row.Input), p.width, inputRows)
	if label != "" {
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

// tallied says how many inputs were tried and how many agree.
func tallied(b verdict.Behavior) string {
	var parts []string
	for _, k := range []struct {
		n     int
		words string
	}{{b.Same, "%d answered the same"}, {b.Answers, "%d that failed before answer now"}, {b.Supplied, "%d gave nil somewhere and give something now"}, {b.Changed, "%d answer otherwise now"}, {b.Panics, "%d that answered panic now"}} {
		if k.n > 0 {
			parts = append(parts, fmt.Sprintf(k.words, k.n))
		}
	}
	return text.Plural(int64(b.Tried), "input") + " tried: " + strings.Join(parts, ", ") + "."
}
