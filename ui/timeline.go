package ui

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// timeline shows earlier stops of the session as they were.
type timeline struct {
	*common
	selection *selection
}

// past is an earlier stop that is being looked at.
type past struct {
	index   int // into State.Stops
	record  debugger.Inspector
	present shown // what is shown again on return
}

// shown is what decides which stop panes show.
type shown struct {
	store *inspect.Store
	at    debugger.FrameRef
	stop  session.StopRecord
	held  bool
	focus int
}

// swap shows something else, and returns what was shown.
func (t *timeline) swap(s shown) shown {
	was := shown{t.ctx.Store, t.ctx.At, t.ctx.Stop, t.ctx.Held, t.focus}
	t.ctx.Store, t.ctx.At, t.ctx.Stop, t.ctx.Held, t.focus = s.store, s.at, s.stop, s.held, s.focus
	return was
}

// inPresent does what concerns the present, whatever is shown.
func (t *timeline) inPresent(do func()) {
	if t.past == nil {
		do()
		return
	}
	was := t.swap(t.past.present)
	do()
	if t.past != nil {
		t.past.present = t.swap(was)
	}
}

// storeOf is the store that an answer belongs to.
func (t *timeline) storeOf(tag inspect.Tag) *inspect.Store {
	switch {
	case tag.Past() && (t.past == nil || tag.Stop != t.ctx.Store.Tag().Stop):
		return inspect.NewStore() // that stop is not looked at any more
	case t.past != nil && !tag.Past():
		return t.past.present.store
	}
	return t.ctx.Store
}

// inspector reads the stop that is shown.
func (t *timeline) inspector() debugger.Inspector {
	if t.past != nil {
		return t.past.record
	}
	return t.engine.Inspector()
}

// stopsSoFar are the stops that can be looked at, as indexes into State.Stops.
func (t *timeline) stopsSoFar() []int {
	var list []int
	for i, r := range t.ctx.State.Stops {
		if !r.Stop.Ended() {
			list = append(list, i)
		}
	}
	return list
}

// shownIndex is the index of the stop that is shown; one beyond the last where
// the target is held at none.
func (t *timeline) shownIndex() int {
	switch s := t.ctx.State; {
	case t.past != nil:
		return t.past.index
	case s.Current >= 0:
		return s.Current
	}
	return len(t.ctx.State.Stops)
}

// fatal is the crash of the run that has ended, which the card of the end is about;
// -1 without one.
func (t *timeline) fatal() int {
	s := t.ctx.State
	if s.Current < 0 || !s.Stops[s.Current].Stop.Ended() {
		return -1
	}
	if i := s.CaseIndex(); i >= 0 && s.Stops[i].Round == s.Stops[s.Current].Round {
		return i
	}
	return -1
}

// earlier is the stop before the one that is shown, after the end of the target the
// crash rather than a step after it; -1 without one.
func (t *timeline) earlier() int {
	now, found := t.shownIndex(), -1
	if i := t.fatal(); t.past == nil && i >= 0 {
		return i
	}
	for i, r := range t.ctx.State.Stops {
		if i < now && !r.Stop.Ended() {
			found = i
		}
	}
	return found
}

func (t *timeline) goEarlier() { t.showStop(t.earlier()) }

// goLater shows the stop after the one that is shown; after the last comes the
// present.
func (t *timeline) goLater() {
	for _, i := range t.stopsSoFar() {
		if i > t.shownIndex() {
			t.showStop(i)
			return
		}
	}
	t.leavePast()
}

// showStop looks at a stop as it was; at the one that the target is held at, as
// it is.
func (t *timeline) showStop(index int) {
	s := t.ctx.State
	if index < 0 || index >= len(s.Stops) {
		return
	}
	if index == s.Current {
		t.leavePast()
		return
	}
	t.leaveReview()
	record := s.Stops[index]
	store := inspect.NewPast(index+1, record, t.engine.SourceOf)
	store.Formats = t.ctx.Store.Formats
	next := shown{store: store, at: debugger.FrameRef{Goroutine: record.Stop.Goroutine}, stop: record, held: true, focus: t.focus}
	if f, ok := record.Stop.SelectedFrame(); ok {
		next.at.Frame = f.Index
	}
	if next.focus == layout.Output || next.focus == layout.Fixes {
		next.focus = layout.Source
	}
	was := t.swap(next)
	if t.past != nil {
		was = t.past.present
	}
	t.past = &past{index: index, record: record.Past(), present: was}
	t.selection.wantFrame, t.selection.wantHolder = 0, 0
}

// leavePast returns to the present.
func (t *timeline) leavePast() {
	if t.past == nil {
		return
	}
	t.swap(t.past.present)
	t.past = nil
	t.selection.wantFrame, t.selection.wantHolder = 0, 0
}

// pastMeanwhile says what happens in the present while the past is looked at.
func (t *timeline) pastMeanwhile(events []session.Event) {
	if t.past == nil {
		return
	}
	for _, e := range events {
		if b, ok := e.Body.(*session.Stopped); ok {
			t.say("warn", "meanwhile the target: "+stoppedBriefly(b.Stop)+". "+t.keys.Key(keymap.Back)+" shows it")
		}
	}
}

// pastWords is the banner over a stop that is over.
func (t *timeline) pastWords(w int) string {
	list := t.stopsSoFar()
	number := 0
	for i, at := range list {
		if at == t.past.index {
			number = i + 1
		}
	}
	r := t.ctx.Stop
	head := fmt.Sprintf("◷ viewing stop %d of %d · %s", number, len(list), text.Ago(t.ctx.Now.Sub(r.At)))
	keys := fmt.Sprintf("%s %s other stops · %s returns", t.keys.Key(keymap.Earlier), t.keys.Key(keymap.Later), t.keys.Key(keymap.Back))
	words := head + " · " + whatStopped(r) + " · " + keys
	if text.Width(words) > w {
		words = head + " · " + keys
	}
	return text.Cut(words, w)
}

// nowWords is what "the program" does while the past is looked at.
func (t *timeline) nowWords() string {
	switch s := t.ctx.State; s.Phase {
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

// goToStop is a stop chosen in the list.
type goToStop struct{ index int }

// listStops offers the stops of the session, the newest first.
func (t *timeline) listStops() {
	d := &dialog.Choose{Head: "Stops of this session"}
	list := t.stopsSoFar()
	for n := len(list) - 1; n >= 0; n-- {
		i := list[n]
		r := t.ctx.State.Stops[i]
		when := text.Ago(t.ctx.Now.Sub(r.At))
		if i == t.ctx.State.Current {
			when = "now"
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: fmt.Sprintf("%d  %s", n+1, whatStopped(r)), Key: when, Do: goToStop{i}})
	}
	t.dialog = d
}
