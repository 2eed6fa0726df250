package status

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/compose"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// CardLines is how many lines of text the card holds; 0 where there is none.
// A crash, the end of the target, and a stop that has more to tell than its
// place get one: a step speaks in the status line.
func (st *Status) CardLines() int {
	if !st.Ctx.Held {
		return 0
	}
	return len(st.cardText(max(st.Width-4, 1), true))
}

// cardText is what happened, why, and what came before it; for a box, whose title says
// what kind of stop it is, or for the lines below the status line.
func (st *Status) cardText(w int, boxed bool) []string {
	stop := st.Ctx.Stop
	switch {
	case stop.Stop.Panic != nil && !stop.Stop.Ended():
		return st.panicText(stop, w)
	case stop.Stop.Exit != nil:
		return st.exitText(stop, w)
	case notable(stop.Stop) != "":
		return st.notableText(stop.Stop, w, boxed)
	}
	return nil
}

func (st *Status) panicText(stop session.StopRecord, w int) []string {
	t := st.Ctx.Theme
	p := stop.Stop.Panic
	out := st.message(text.Line(p.Message), st.where(stop.Stop), w)
	if test := stop.Stop.Test; test != nil && test.Helper != "" {
		out = append(out, t.Dim.Render(text.Cut("reported by its helper "+text.Line(text.Function(test.Helper)), w)))
	}
	if block := stop.Stop.Block; block != nil {
		out = append(out, t.Dim.Render("block  ")+text.Cut(text.Line(session.BlockWords(*block)), max(w-7, 1)))
	}
	if value := panicValue(p.Value, w); value != "" {
		out = append(out, t.Dim.Render("value  ")+t.Value.Render(text.Cut(value, max(w-7, 1))))
	}
	if words := stop.Why(); words != "" {
		named := pane.Named(stop.Stop)
		for _, l := range CardWords(text.Line(words), w) {
			out = append(out, text.Names(l, named, t.Strong.Render))
		}
	}
	for i, words := range history(*p, w-2) {
		sign := "  "
		if i == 0 {
			sign = "↺ "
		}
		out = append(out, t.Warn.Render(text.Cut(sign+words, w)))
	}
	if words := livesOn(stop.Stop); words != "" && st.Ctx.State.Can.Run {
		out = append(out, t.Warn.Render(text.Cut(words, w)))
	}
	return out
}

// Whole names the command that tells all of what has no room on the card.
const Whole = " :explain"

// CardWords is why the target stopped, in two lines at most of w cells.
func CardWords(words string, w int) []string {
	const lines = 2
	out := text.Wrap(words, w, lines)
	if len(text.Wrap(words, w, 0)) > lines && w > 4*len(Whole) {
		out = text.Wrap(words, w-len(Whole), lines)
		out[lines-1] += Whole
	}
	return out
}

// message is what failed, in three lines at most, and where.
func (st *Status) message(words, where string, w int) []string {
	t := st.Ctx.Theme
	if text.Width(words)+text.Width(where)+3 <= w {
		return []string{text.Sides(t.Strong.Render(words), t.Dim.Render(where), w)}
	}
	var out []string
	for _, l := range text.Wrap(words, w, 3) {
		out = append(out, t.Strong.Render(l))
	}
	if last := len(out) - 1; text.Width(out[last])+text.Width(where)+3 <= w {
		out[last] = text.Sides(out[last], t.Dim.Render(where), w)
		return out
	}
	return append(out, t.Dim.Render(text.CutLeft(where, w)))
}

// history is what came before a panic: in one line of w cells where it fits,
// else in three lines at most.
func history(p debugger.Panic, w int) []string {
	lines := session.PanicHistory(p)
	for i := range lines {
		lines[i] = text.Line(lines[i])
	}
	if one := strings.Join(lines, " · "); len(lines) > 0 && text.Width(one) <= w {
		return []string{one}
	}
	if n := len(lines); n > 3 {
		return []string{lines[0], fmt.Sprintf("then: %d more", n-2), lines[n-1]}
	}
	return lines
}

// historyMark is the same in two words, where there is no more room.
func historyMark(p debugger.Panic) string {
	switch {
	case len(p.Chain) > 0:
		return "↺ after " + text.Line(p.Chain[0].Class.Words())
	case p.Repanicked:
		return "↺ panicked again"
	}
	return ""
}

// blockMark names the block of work that the goroutine is in, where its intent
// has no room.
func blockMark(s debugger.Stop, w int) string {
	if s.Block == nil {
		return ""
	}
	return text.Cut("in block "+text.Line(s.Block.ID), w/3)
}

// crashName is what a crash goes by: the failing test, or its class.
func crashName(s debugger.Stop) string {
	if s.Test != nil && s.Test.Name != "" {
		return text.Line(s.Test.Name)
	}
	return text.Line(s.Panic.Class.Words())
}

// livesOn says that the program need not die of the panic; empty if it does.
func livesOn(s debugger.Stop) string {
	p := s.Panic
	switch {
	case s.Test != nil && p.Class == debugger.ExitClass:
		return "the test binary ends here: the tests after it do not run"
	case s.Reason == debugger.ReasonTest && s.Test.Ends():
		return "this test ends here; c runs the others"
	case s.Reason == debugger.ReasonTest:
		return "c continues the test, which is marked as failed"
	case s.Hangs():
		return "c continues; the deadlock stays"
	case p.Recovered:
		return "a deferred call recovers it; c continues from there"
	case p.Thrown:
		return "it has only begun; a deferred function may still recover it"
	}
	return ""
}

// where is the goroutine, function and line of a stop.
func (st *Status) where(s debugger.Stop) string {
	parts := []string{}
	if s.Goroutine > 0 {
		parts = append(parts, fmt.Sprintf("goroutine %d", s.Goroutine))
	}
	if f, ok := s.SelectedFrame(); ok {
		parts = append(parts, text.Line(text.Function(f.Function)), text.Place(f.File, f.Line))
	}
	return strings.Join(parts, " · ")
}

// panicValue is the typed value of a panic with its fields; empty for the
// runtime's own errors and plain text, which the message says already.
func panicValue(v debugger.Variable, w int) string {
	inner := v.Deref()
	if v.Type == "" || strings.HasPrefix(strings.TrimPrefix(inner.Type, "*"), "runtime.") || inner.Type == "string" {
		return ""
	}
	var fields []string
	for _, c := range inner.Children {
		if c.Name != "" {
			fields = append(fields, text.Line(c.Name)+": "+pane.Brief(c, 40))
		}
	}
	if inner.Unloaded > 0 {
		fields = append(fields, "…")
	}
	name := text.Line(debugger.ShortType(inner.Type))
	if v.Deref().Type != v.Type && strings.HasPrefix(v.Type, "*") {
		name = text.Line(debugger.ShortType(v.Type))
	}
	if len(fields) == 0 {
		return text.Cut(name+" "+pane.Brief(inner, w), w)
	}
	return name + "{" + strings.Join(fields, ", ") + "}"
}

func (st *Status) exitText(stop session.StopRecord, w int) []string {
	t := st.Ctx.Theme
	e := *stop.Stop.Exit
	what := "The program ended with exit code 0."
	switch {
	case e.Signal != "":
		what = "The program was killed by " + text.Line(e.Signal) + "."
	case st.diedOfPanic():
		what = fmt.Sprintf("The panic ended the program, with exit code %d.", e.Code)
	case e.Code != 0:
		what = fmt.Sprintf("The program ended with exit code %d.", e.Code)
	}
	right := "ran " + text.Duration(stop.Ran)
	if st.Ctx.Output != nil {
		if v := st.Ctx.Output.View(-1, 1); v.Total > 0 {
			right += " · printed " + text.Plural(max(v.Lines, 1), "line")
		}
	}
	next := "No panic stopped it."
	if mode := st.Ctx.State.Started.Launch.Panics; e.Code != 0 && e.Signal == "" && mode != string(debugger.PanicsAll) {
		next = "Only --panics all stops at recovered panics."
	}
	next += " " + st.Keys.Key(keymap.Restart) + " starts it again, " + st.Keys.Key(keymap.Quit) + " quits."
	if index := st.Ctx.State.CaseIndex(); index >= 0 {
		parts := []string{st.Keys.Key(keymap.Restart) + " starts it again"}
		if len(st.Ctx.State.Stops[index].Candidates) > 0 {
			parts = append(parts, st.Keys.Key(keymap.Pane6)+" shows the fixes")
		}
		next = strings.Join(append(parts, st.Keys.Key(keymap.Quit)+" quits"), ", ") + "."
	}
	if i := st.Timeline.Earlier(); i >= 0 {
		words := " " + st.Keys.Key(keymap.Earlier) + " shows the stop"
		if f, ok := st.Ctx.State.Stops[i].Stop.SelectedFrame(); ok && text.Width(next+words+" at "+text.Place(f.File, f.Line)+".") <= w {
			words += " at " + text.Place(f.File, f.Line)
		}
		next += words + "."
	}
	return []string{text.Sides(t.Strong.Render(what), t.Dim.Render(right), w), t.Dim.Render(text.Cut(next, w))}
}

// panicCode is what the runtime exits with when no function recovers a panic.
const panicCode = 2

// diedOfPanic reports whether the target went on from a crash and died of it.
func (st *Status) diedOfPanic() bool {
	s, i := st.Ctx.State, st.Timeline.Fatal()
	if i < 0 {
		return false
	}
	crash := s.Stops[i].Stop
	if e := s.Stops[s.Current].Stop.Exit; (crash.Panic.Thrown || i < s.Current-1) && e != nil && e.Code != panicCode {
		return false // it was recovered
	}
	return !crash.Panic.Recovered && crash.Reason != debugger.ReasonTest && !crash.Hangs()
}

// Card draws the card: with a border where there is room, in two lines
// otherwise.
func (st *Status) Card(r layout.Rect) []string {
	t := st.Ctx.Theme
	stop := st.Ctx.Stop.Stop
	if !st.Lay.CardBox {
		return st.SmallCard(r.W, r.H)
	}
	f := compose.Frame{Title: "EXITED", Border: t.Border, Name: t.Strong}
	if p := stop.Panic; p != nil && !stop.Ended() {
		f = compose.Frame{Title: "PANIC", Note: text.Line(p.Class.Words()), Border: t.Stop, Name: t.StopStrong}
		if f.Note == "panic" { // the title says so
			f.Note = ""
		}
		switch {
		case stop.Reason == debugger.ReasonFatal:
			f.Title = "FATAL ERROR"
		case stop.Hangs():
			f.Title = strings.ToUpper(session.StopHead(stop))
		case stop.Test != nil:
			f.Title, f.Note = "TEST FAILS", crashName(stop)
		}
	} else if stop.Exit != nil && (stop.Exit.Signal != "" || stop.Exit.Code != 0) {
		f.Border, f.Name = t.Warn, t.WarnStrong
		if stop.Exit.Signal != "" {
			f.Title = "KILLED"
		}
	} else if title := notable(stop); title != "" {
		f = compose.Frame{Title: title, Border: t.Warn, Name: t.WarnStrong}
	}
	return compose.Box(t, r, f, st.cardText(r.W-4, true))
}

// SmallRows is how many lines a card without a border has at most.
const SmallRows = 4

// SmallCard is the card without a border in so many lines; its first line is for
// the status line too.
func (st *Status) SmallCard(w, rows int) []string {
	stop := st.Ctx.Stop
	lines := st.cardText(max(w-2, 1), false)
	switch p := stop.Stop.Panic; {
	case p != nil && !stop.Stop.Ended():
		return st.smallPanic(stop, *p, lines, w, rows)
	case notable(stop.Stop) != "" && len(lines) > 0:
		out := []string{st.Line(w)}
		for _, l := range lines[:min(len(lines), max(rows-1, 1))] {
			out = append(out, " "+l)
		}
		return out
	case len(lines) > 1 && rows > 2:
		return []string{st.Line(w), " " + lines[0], " " + lines[1]}
	case len(lines) > 1:
		return []string{st.Line(w), " " + lines[1]}
	}
	return []string{st.Line(w)}
}

// smallPanic is the class, the message and the place, then why it happened. With
// two lines, each of them is cut; with more they are wrapped.
func (st *Status) smallPanic(stop session.StopRecord, p debugger.Panic, all []string, w, rows int) []string {
	t := st.Ctx.Theme
	right := t.StopStrong.Render("■ stopped")
	if f, ok := stop.Stop.SelectedFrame(); ok {
		right += t.Dim.Render("  " + text.Place(f.File, f.Line))
	}
	name, message := crashName(stop.Stop), text.Line(p.Message)
	head := " " + t.StopStrong.Render(name)
	var out []string
	if rows <= 2 || text.Width(name)+text.Width(message)+text.Width(right)+6 <= w {
		out = []string{text.Sides(head+"  "+t.Strong.Render(message), right+" ", w)}
	} else {
		out = []string{text.Sides(head, right+" ", w)}
		for _, l := range text.Wrap(message, max(w-2, 1), 2) {
			out = append(out, " "+t.Strong.Render(l))
		}
	}
	marks := ""
	for _, words := range []string{historyMark(p), blockMark(stop.Stop, w), remoteWords(st.Ctx.State)} {
		if words != "" {
			marks += "   " + t.Warn.Render(words)
		}
	}
	var why []string
	if words := stop.Why(); words != "" {
		why = text.Wrap(text.Line(words), max(w-2-text.Width(marks), 1), max(min(rows-len(out), 2), 1))
	} else if len(all) > 1 {
		why = all[1:2]
	}
	named := pane.Named(stop.Stop)
	for i, l := range why {
		if i == 0 && marks != "" {
			l = text.Sides(text.Cut(l, max(w-text.Width(marks)-2, 1)), marks+" ", w-1)
		}
		out = append(out, " "+text.Names(l, named, t.Strong.Render))
	}
	if len(why) == 0 && marks != "" {
		out = append(out, text.Sides("", marks+" ", w))
	}
	return out
}
