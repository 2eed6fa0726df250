package status

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// notable is the title of a stop that has more to tell than its place; empty
// for the others, which speak in the status line.
func notable(s debugger.Stop) string {
	b := s.Breakpoint
	switch {
	case s.Panic != nil || s.Ended(), s.Called != "": // of a call the command line tells
		return ""
	case s.Fault != "" && badCondition(s):
		return "CONDITION FAILS"
	case s.Fault != "":
		return "NOT DONE"
	case s.Watched != nil:
		return "WATCHPOINT"
	case b != nil && b.OnError:
		return "RETURNS AN ERROR"
	case b != nil && b.OnReturn:
		return "RETURNS"
	case len(s.Returned) > 0:
		return "RETURNED"
	case len(s.Printed) > 0, len(s.Also) > 0, s.Step != 0 && s.Step != s.Goroutine:
		return strings.ToUpper(session.StopHead(s))
	}
	return ""
}

// notableText is what such a stop tells.
func (st *Status) notableText(s debugger.Stop, w int, boxed bool) []string {
	t := st.Ctx.Theme
	if s.Fault != "" {
		return st.faultText(s, w)
	}
	var out []string
	add := func(words string) {
		if words != "" {
			out = append(out, words)
		}
	}
	var head string
	switch {
	case s.Watched != nil:
		head = session.StopHead(s)
	default:
		head = valueWords(s.Returned, valueRows*w)
		if !boxed && head != "" { // there is no title to say so
			head = "returned " + head
		}
	}
	given := valueWords(s.Printed, valueRows*w)
	if head == "" {
		head, given = given, ""
	}
	for _, l := range text.Wrap(given, w, valueRows) {
		add(l)
	}
	if s.Step != 0 && s.Step != s.Goroutine {
		add(t.Warn.Render(text.Cut(fmt.Sprintf("Goroutine %d came here during the step of goroutine %d: %s goes on with that step, %s steps goroutine %d.",
			s.Goroutine, s.Step, st.Keys.Key(keymap.Continue), st.Keys.Key(keymap.Next), s.Goroutine), w)))
	}
	for _, also := range s.Also[:min(len(s.Also), 2)] {
		add(t.Dim.Render(text.Cut(fmt.Sprintf("at the same moment goroutine %d at %s, %s", also.Goroutine, session.BreakpointWords(also.Breakpoint), text.Place(also.File, also.Line)), w)))
	}
	if more := len(s.Also) - 2; more > 0 {
		add(t.Dim.Render("and " + text.Plural(int64(more), "other goroutine")))
	}
	where := ""
	if boxed { // else it is in the status line
		where = st.where(s)
	}
	return append(st.besidePlace(head, where, w), out...)
}

// valueRows is how many lines the values of a notable stop may take.
const valueRows = 3

// besidePlace writes values with the place beside them, or below where both do not
// fit in one line.
func (st *Status) besidePlace(values, where string, w int) []string {
	t := st.Ctx.Theme
	if text.Width(values)+text.Width(where)+2 <= w {
		return []string{text.Sides(t.Strong.Render(values), t.Dim.Render(where), w)}
	}
	var out []string
	for _, l := range text.Wrap(values, w, valueRows) {
		out = append(out, t.Strong.Render(l))
	}
	if where != "" {
		out = append(out, t.Dim.Render(text.Cut(where, w)))
	}
	return out
}

// badCondition reports whether a stop is one because a condition failed.
func badCondition(s debugger.Stop) bool {
	return s.Breakpoint != nil && strings.HasPrefix(s.Fault, "its condition")
}

// faultText says what went wrong, and what can be done about it.
func (st *Status) faultText(s debugger.Stop, w int) []string {
	t := st.Ctx.Theme
	if !badCondition(s) {
		return text.Wrap(text.Line(s.Fault), w, 3)
	}
	b := s.Breakpoint
	words := fmt.Sprintf("Breakpoint %d, if %s: %s.", b.ID, text.Line(b.Cond), text.Line(s.Fault))
	next := fmt.Sprintf("%s changes it, %s goes on.", st.Keys.Key(keymap.Breaks), st.Keys.Key(keymap.Continue))
	return append(text.Wrap(words, w, 2), t.Dim.Render(text.Cut(next, w)))
}

// valueWords writes values next to each other: "n = 3, err = EOF".
func valueWords(list []debugger.Variable, w int) string {
	var words []string
	for _, v := range list {
		brief := pane.Brief(v, max(w/len(list), 20))
		if v.Name != "" {
			brief = text.Line(v.Name) + " = " + brief
		}
		words = append(words, brief)
	}
	return strings.Join(words, ", ")
}
