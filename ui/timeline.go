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
func (m *model) swap(s shown) shown {
	was := shown{m.ctx.Store, m.ctx.At, m.ctx.Stop, m.ctx.Held, m.focus}
	m.ctx.Store, m.ctx.At, m.ctx.Stop, m.ctx.Held, m.focus = s.store, s.at, s.stop, s.held, s.focus
	return was
}

// inPresent does what concerns the present, whatever is shown.
func (m *model) inPresent(do func()) {
	if m.past == nil {
		do()
		return
	}
	was := m.swap(m.past.present)
	do()
	if m.past != nil {
		m.past.present = m.swap(was)
	}
}

// storeOf is the store that an answer belongs to.
func (m *model) storeOf(tag inspect.Tag) *inspect.Store {
	switch {
	case tag.Past() && (m.past == nil || tag.Stop != m.ctx.Store.Tag().Stop):
		return inspect.NewStore() // that stop is not looked at any more
	case m.past != nil && !tag.Past():
		return m.past.present.store
	}
	return m.ctx.Store
}

// inspector reads the stop that is shown.
func (m *model) inspector() debugger.Inspector {
	if m.past != nil {
		return m.past.record
	}
	return m.face.Inspector()
}

// stopsSoFar are the stops that can be looked at, as indexes into State.Stops.
func (m *model) stopsSoFar() []int {
	var list []int
	for i, r := range m.ctx.State.Stops {
		if !r.Stop.Ended() {
			list = append(list, i)
		}
	}
	return list
}

// shownIndex is the index of the stop that is shown; one beyond the last where
// the target does not stand at any.
func (m *model) shownIndex() int {
	switch s := m.ctx.State; {
	case m.past != nil:
		return m.past.index
	case s.Current >= 0:
		return s.Current
	}
	return len(m.ctx.State.Stops)
}

// earlier is the stop before the one that is shown; -1 without one.
func (m *model) earlier() int {
	now, found := m.shownIndex(), -1
	for i, r := range m.ctx.State.Stops {
		if i < now && !r.Stop.Ended() {
			found = i
		}
	}
	return found
}

func (m *model) goEarlier() { m.showStop(m.earlier()) }

// goLater shows the stop after the one that is shown; after the last comes the
// present.
func (m *model) goLater() {
	for _, i := range m.stopsSoFar() {
		if i > m.shownIndex() {
			m.showStop(i)
			return
		}
	}
	m.leavePast()
}

// showStop looks at a stop as it was; at the one that the target is held at, as
// it is.
func (m *model) showStop(index int) {
	s := m.ctx.State
	if index < 0 || index >= len(s.Stops) {
		return
	}
	if index == s.Current {
		m.leavePast()
		return
	}
	m.leaveReview()
	record := s.Stops[index]
	store := inspect.NewPast(index+1, record, m.face.SourceOf)
	store.Formats = m.ctx.Store.Formats
	next := shown{store: store, at: debugger.FrameRef{Goroutine: record.Stop.Goroutine}, stop: record, held: true, focus: m.focus}
	if f, ok := record.Stop.SelectedFrame(); ok {
		next.at.Frame = f.Index
	}
	if next.focus == layout.Output || next.focus == layout.Fixes {
		next.focus = layout.Source
	}
	was := m.swap(next)
	if m.past != nil {
		was = m.past.present
	}
	m.past = &past{index: index, record: record.Past(), present: was}
	m.wantUser, m.wantHolder = 0, 0
}

// leavePast returns to the present.
func (m *model) leavePast() {
	if m.past == nil {
		return
	}
	m.swap(m.past.present)
	m.past = nil
	m.wantUser, m.wantHolder = 0, 0
}

// pastMeanwhile says what happens in the present while the past is looked at.
func (m *model) pastMeanwhile(events []session.Event) {
	if m.past == nil {
		return
	}
	for _, e := range events {
		if b, ok := e.Body.(*session.Stopped); ok {
			m.say("warn", "meanwhile the target: "+stoppedBriefly(b.Stop)+". "+m.keys.Key(keymap.Back)+" shows it")
		}
	}
}

// pastWords is the banner over a stop that is over.
func (m *model) pastWords(w int) string {
	list := m.stopsSoFar()
	number := 0
	for i, at := range list {
		if at == m.past.index {
			number = i + 1
		}
	}
	r := m.ctx.Stop
	head := fmt.Sprintf("◷ the past: stop %d of %d · %s", number, len(list), text.Ago(m.ctx.Now.Sub(r.At)))
	keys := fmt.Sprintf("%s %s other stops · %s returns", m.keys.Key(keymap.Earlier), m.keys.Key(keymap.Later), m.keys.Key(keymap.Back))
	words := head + " · " + whatStopped(r) + " · " + keys
	if text.Width(words) > w {
		words = head + " · " + keys
	}
	return text.Cut(words, w)
}

// nowWords is what the target does while the past is looked at.
func (m *model) nowWords() string {
	switch s := m.ctx.State; s.Phase {
	case session.PhaseStopped:
		if stop, ok := s.CurrentStop(); ok {
			return "it is held: " + whatStopped(stop)
		}
	case session.PhaseRunning, session.PhaseStarting:
		return "it runs"
	case session.PhaseBuilding:
		return "it is being built"
	case session.PhaseBroken:
		return "it does not compile"
	case session.PhaseExited, session.PhaseEnded:
		return "it has ended"
	}
	return "it has not begun"
}

// whatStopped names a stop: why it was, and where.
func whatStopped(r session.StopRecord) string {
	words := text.Line(session.StopNote(r.Stop))
	if r.Stop.Panic != nil {
		words = text.Line(string(r.Stop.Panic.Class))
	}
	if f, ok := r.Stop.SelectedFrame(); ok {
		words += " · " + text.Line(text.Function(f.Function)) + " " + text.Place(f.File, f.Line)
	}
	return words
}

// goToStop is a stop chosen in the list.
type goToStop struct{ index int }

// listStops offers the stops of the session, the newest first.
func (m *model) listStops() {
	d := &dialog.Choose{Head: "Stops of this session"}
	list := m.stopsSoFar()
	for n := len(list) - 1; n >= 0; n-- {
		i := list[n]
		r := m.ctx.State.Stops[i]
		when := text.Ago(m.ctx.Now.Sub(r.At))
		if i == m.ctx.State.Current {
			when = "now"
		}
		d.Choices = append(d.Choices, dialog.Choice{Words: fmt.Sprintf("%d  %s", n+1, whatStopped(r)), Key: when, Do: goToStop{i}})
	}
	m.dialog = d
}
