package console

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// Widths of a history's columns, at most.
const (
	historyValue = 24
	historyText  = 44
)

// backTo begins the line that goes back to the moment of a row.
const backTo = "back "

// LeadsBack reports whether a line of an answer is a moment that can be gone back to.
func LeadsBack(l session.Line) bool { return strings.HasPrefix(l.Run, backTo) }

// history adds the history of a value, the newest event first.
func (o *Output) history(h evidence.History) {
	o.answer.History = &h
	o.Line(session.Line{Text: h.Sentence(), Style: session.StyleHead})
	if h.OtherRun != "" {
		o.Line(session.Line{Text: h.OtherRun, Style: session.StyleWarn})
	}
	var place, value, text int
	cells := make([][3]string, len(h.Rows))
	for i, r := range h.Rows {
		cells[i] = [3]string{fmt.Sprintf("%s:%d", r.File, r.Line), ansi.Truncate(r.Result(), historyValue, "…"),
			strings.Repeat("  ", r.Level) + ansi.Truncate(r.Text, historyText, "…")}
		place, value, text = max(place, ansi.StringWidth(cells[i][0])), max(value, ansi.StringWidth(cells[i][1])), max(text, ansi.StringWidth(cells[i][2]))
	}
	for i, r := range h.Rows {
		line := fmt.Sprintf("%*d  ", len(strconv.Itoa(len(h.Rows))), i+1) + padded(cells[i][0], place) + "  " + padded(cells[i][1], value) + "  " + padded(cells[i][2], text) + "  " + cmp.Or(r.Function, "the package")
		if h.Foreign(r) {
			line += fmt.Sprintf(", goroutine %d", r.Goroutine)
		}
		o.Line(session.Line{Text: line + ", " + r.When(), Place: &session.Place{File: r.Path, Line: r.Line}, Run: backTo + strconv.Itoa(i+1), Current: i == h.Origin})
		if r.Skipped > 0 {
			o.Line(session.Line{Text: fmt.Sprintf("… %d earlier changes are not kept", r.Skipped), Style: session.StyleDim})
		}
	}
	if len(h.Rows) == 0 {
		o.Line(session.Line{Text: "the run recorded no change to it", Style: session.StyleDim})
	}
	for _, g := range h.Gaps {
		o.Line(session.Line{Text: g, Style: session.StyleWarn})
	}
}

// padded fills a text up with blanks to a width.
func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}
