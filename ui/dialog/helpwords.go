package dialog

import (
	"strings"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
	"github.com/pausetui/pausetui/verify/verdict"
)

type meaning struct{ word, means string }

// meanings explains the words and signs beside fixes.
var meanings = []meaning{
	{session.Sign(verdict.Pass) + " " + string(verdict.Repairs), "the failing line runs and does its work"},
	{session.Sign(verdict.Pass) + " " + string(verdict.Declines), "an error, or a refusal, where it panicked"},
	{session.Sign(verdict.Pass) + " " + string(verdict.Skips), "the work that failed is left out, as the code around does"},
	{session.Sign(verdict.Pass) + " " + string(verdict.Declines) + "?", "an error where it panicked: is the input invalid?"},
	{session.Sign(verdict.Pass) + " " + string(verdict.Skips) + "?", "the work that failed is left out: is that right?"},
	{session.Sign(verdict.Warn) + " " + string(verdict.Hides), "the failure is caught, or a test asks less"},
	{verdict.Scope, "it changes only files of your modules"},
	{verdict.Rerun, "the program again, with the same input"},
	{verdict.Tests, "how many tests pass in the packages it affects"},
	{"+test", "a regression test made from the values at the stop"},
	{session.Sign(verdict.Pass) + " " + session.Sign(verdict.Fail) + " " + session.Sign(verdict.Warn), "a check passes, fails, passes with a warning"},
	{session.Sign(verdict.Inconclusive) + " " + session.Sign(verdict.Skip), "a check is inconclusive, was not run"},
}

// glossary is the meanings that hold every word of a search; all without one.
func glossary(t theme.Theme, w int, query string) []line {
	return explained(t, w, "Fixes and checks", meanings, t.Value, query)
}

// mouse is what the mouse does that holds every word of a search; all without one.
func mouse(t theme.Theme, w int, query string) []line {
	list := make([]meaning, len(keymap.Mouse))
	for i, m := range keymap.Mouse {
		list[i] = meaning{m.What, m.Does}
	}
	return explained(t, w, "Mouse", list, t.Key, strings.ReplaceAll(query, "mouse", ""))
}

// explained writes below a heading what a search is for.
func explained(t theme.Theme, w int, head string, list []meaning, style theme.Style, query string) []line {
	var out []line
	cells := keyCells(w)
	for _, m := range list {
		cells = max(cells, text.Width(m.word))
	}
	for _, m := range list {
		if !holdsWords(strings.ToLower(m.word+" "+m.means), query) {
			continue
		}
		first := text.Fit(m.word, cells)
		for _, l := range text.Wrap(m.means, max(w-cells-1, 1), 3) {
			out = append(out, line{text: style.Render(first) + " " + t.Text.Render(l)})
			first = strings.Repeat(" ", cells)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append([]line{{text: t.Strong.Render(head)}}, append(out, line{})...)
}

// holdsWords reports whether a text holds every word of a search.
func holdsWords(s, query string) bool {
	for word := range strings.FieldsSeq(query) {
		if !strings.Contains(s, word) {
			return false
		}
	}
	return true
}
