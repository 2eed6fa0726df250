// Package timeline shows earlier stops of a session as they were, and selects the
// goroutine and the frame that are looked at.
package timeline

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// Timeline shows earlier stops of the session as they were.
type Timeline struct {
	*common.Common
	Selection *Selection
}

// swap shows something else, and returns what was shown.
func (t *Timeline) swap(s common.Shown) common.Shown {
	was := common.Shown{Store: t.Ctx.Store, At: t.Ctx.At, Stop: t.Ctx.Stop, Held: t.Ctx.Held, Focus: t.Focus}
	t.Ctx.Store, t.Ctx.At, t.Ctx.Stop, t.Ctx.Held, t.Focus = s.Store, s.At, s.Stop, s.Held, s.Focus
	return was
}

// InPresent does what concerns the present, whatever is shown.
func (t *Timeline) InPresent(do func()) {
	if t.Past == nil {
		do()
		return
	}
	was := t.swap(t.Past.Present)
	do()
	if t.Past != nil {
		t.Past.Present = t.swap(was)
	}
}

// StoreOf is the store that an answer belongs to.
func (t *Timeline) StoreOf(tag inspect.Tag) *inspect.Store {
	switch {
	case tag.Past() && (t.Past == nil || tag.Stop != t.Ctx.Store.Tag().Stop):
		return inspect.NewStore() // that stop is not looked at any more
	case t.Past != nil && !tag.Past():
		return t.Past.Present.Store
	}
	return t.Ctx.Store
}

// Inspector reads the stop that is shown.
func (t *Timeline) Inspector() debugger.Inspector {
	if t.Past != nil {
		return t.Past.Record
	}
	return t.Engine.Inspector()
}

// StopsSoFar are the stops that can be looked at, as indexes into State.Stops.
func (t *Timeline) StopsSoFar() []int {
	var list []int
	for i, r := range t.Ctx.State.Stops {
		if !r.Stop.Ended() {
			list = append(list, i)
		}
	}
	return list
}

// shownIndex is the index of the stop that is shown; one beyond the last where
// the target is held at none.
func (t *Timeline) shownIndex() int {
	switch s := t.Ctx.State; {
	case t.Past != nil:
		return t.Past.Index
	case s.Current >= 0:
		return s.Current
	}
	return len(t.Ctx.State.Stops)
}

// Fatal is the crash of the run that has ended, which the card of the end is about;
// -1 without one.
func (t *Timeline) Fatal() int {
	s := t.Ctx.State
	if s.Current < 0 || !s.Stops[s.Current].Stop.Ended() {
		return -1
	}
	if i := s.CaseIndex(); i >= 0 && s.Stops[i].Round == s.Stops[s.Current].Round {
		return i
	}
	return -1
}

// Earlier is the stop before the one that is shown, after the end of the target the
// crash rather than a step after it; -1 without one.
func (t *Timeline) Earlier() int {
	now, found := t.shownIndex(), -1
	if i := t.Fatal(); t.Past == nil && i >= 0 {
		return i
	}
	for i, r := range t.Ctx.State.Stops {
		if i < now && !r.Stop.Ended() {
			found = i
		}
	}
	return found
}

// GoEarlier shows the stop before the one that is shown.
func (t *Timeline) GoEarlier() { t.ShowStop(t.Earlier()) }

// GoLater shows the stop after the one that is shown; after the last comes the
// present.
func (t *Timeline) GoLater() {
	for _, i := range t.StopsSoFar() {
		if i > t.shownIndex() {
			t.ShowStop(i)
			return
		}
	}
	t.LeavePast()
}

// ShowStop looks at a stop as it was; at the one that the target is held at, as
// it is.
func (t *Timeline) ShowStop(index int) {
	s := t.Ctx.State
	if index < 0 || index >= len(s.Stops) {
		return
	}
	if index == s.Current {
		t.LeavePast()
		return
	}
	t.LeaveReview()
	record := s.Stops[index]
	store := inspect.NewPast(index+1, record, t.Engine.SourceOf)
	store.Formats = t.Ctx.Store.Formats
	next := common.Shown{Store: store, At: debugger.FrameRef{Goroutine: record.Stop.Goroutine}, Stop: record, Held: true, Focus: t.Focus}
	if f, ok := record.Stop.SelectedFrame(); ok {
		next.At.Frame = f.Index
	}
	if next.Focus == layout.Output || next.Focus == layout.Fixes {
		next.Focus = layout.Source
	}
	was := t.swap(next)
	if t.Past != nil {
		was = t.Past.Present
	}
	t.Past = &common.Past{Index: index, Record: record.Past(), Present: was}
	t.Selection.wantFrame, t.Selection.WantHolder = 0, 0
}

// LeavePast returns to the present.
func (t *Timeline) LeavePast() {
	if t.Past == nil {
		return
	}
	t.swap(t.Past.Present)
	t.Past = nil
	t.Selection.wantFrame, t.Selection.WantHolder = 0, 0
}

// PastMeanwhile says what happens in the present while the past is looked at.
func (t *Timeline) PastMeanwhile(events []session.Event) {
	if t.Past == nil {
		return
	}
	for _, e := range events {
		if b, ok := e.Body.(*session.Stopped); ok {
			t.Say("warn", "meanwhile the target: "+common.StoppedBriefly(b.Stop)+". "+t.Keys.Key(keymap.Back)+" shows it")
		}
	}
}

// PastWords is the banner over a stop that is over.
func (t *Timeline) PastWords(w int) string {
	list := t.StopsSoFar()
	number := 0
	for i, at := range list {
		if at == t.Past.Index {
			number = i + 1
		}
	}
	r := t.Ctx.Stop
	head := fmt.Sprintf("◷ viewing stop %d of %d · %s", number, len(list), text.Ago(t.Ctx.Now.Sub(r.At)))
	keys := fmt.Sprintf("%s %s other stops · %s returns", t.Keys.Key(keymap.Earlier), t.Keys.Key(keymap.Later), t.Keys.Key(keymap.Back))
	words := head + " · " + whatStopped(r) + " · " + keys
	if text.Width(words) > w {
		words = head + " · " + keys
	}
	return text.Cut(words, w)
}

// NowWords is what "the program" does while the past is looked at.
func (t *Timeline) NowWords() string {
	switch s := t.Ctx.State; s.Phase {
	case session.PhaseStopped:
		if stop, ok := s.CurrentStop(); ok {
			return "is stopped: " + whatStopped(stop)
		}
	case session.PhaseRunning, session.PhaseStarting:
		return "is running"
	case session.PhaseBuilding:
		return "is being built"
	case session.PhaseBroken:
		return "could not be built"
	case session.PhaseExited, session.PhaseEnded:
		return "has ended"
	}
	return "is starting"
}

// whatStopped names a stop: why it was, and where.
func whatStopped(r session.StopRecord) string {
	words := text.Line(session.StopNote(r.Stop))
	if r.Stop.Panic != nil {
		words = text.Line(r.Stop.Panic.Class.Words())
	}
	if f, ok := r.Stop.SelectedFrame(); ok {
		words += " · " + text.Line(text.Function(f.Function)) + " " + text.Place(f.File, f.Line)
	}
	return words
}

// GoToStop is a stop chosen in the list.
type GoToStop struct{ Index int }

// ListStops offers the stops of the session, the newest first.
func (t *Timeline) ListStops() {
	d := &dialog.Choose{Head: "Stops of this session"}
	list := t.StopsSoFar()
	for n := len(list) - 1; n >= 0; n-- {
		i := list[n]
		r := t.Ctx.State.Stops[i]
		when := text.Ago(t.Ctx.Now.Sub(r.At))
		if i == t.Ctx.State.Current {
			when = "now"
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: fmt.Sprintf("%d  %s", n+1, whatStopped(r)), Key: when, Do: GoToStop{i}})
	}
	t.Dialog = d
}

// AnswerMsg is what a read of the target, or of a file, gave.
type AnswerMsg inspect.Answer

// Read makes a command of what is to be read of the stop that is shown.
func (t *Timeline) Read(n inspect.Need) tea.Cmd {
	tag, in := t.Ctx.Store.Tag(), t.Inspector()
	return t.InBackground(func() tea.Msg { return AnswerMsg{Tag: tag, Key: n.Key, Result: n.Read(t.Base, in)} })
}
