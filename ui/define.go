package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/pane"
)

// seeking is a question about a name of the source that is not answered yet.
type seeking struct {
	asked  int // counts the questions: the answer to an older one is dropped
	at     navigate.At
	cancel context.CancelFunc // nil when nothing is asked
}

// soughtMsg is the answer. List tells that it is to be shown as a list, however
// short.
type soughtMsg struct {
	asked  int
	answer navigate.Answer
	list   bool
	err    error
}

// define goes to the definition of a name; where there are several places, they
// are listed.
func (m *model) define(at navigate.At) tea.Cmd {
	return m.seek(at, false, func(ctx context.Context, s engine.Sources) (navigate.Answer, error) { return s.Definition(ctx, at) })
}

// callers lists who calls a function.
func (m *model) callers(at navigate.At) tea.Cmd {
	return m.seek(at, true, func(ctx context.Context, s engine.Sources) (navigate.Answer, error) { return s.Callers(ctx, at) })
}

// seek asks beside the screen. The types may still be being loaded: then the
// answer comes when they are there.
func (m *model) seek(at navigate.At, list bool, ask func(context.Context, engine.Sources) (navigate.Answer, error)) tea.Cmd {
	if !list && at.Name == "" {
		m.say("info", "there is no name in this line: left and right choose among several")
		return nil
	}
	m.stopSeeking()
	ctx, cancel := context.WithCancel(m.base)
	m.seeking = seeking{asked: m.seeking.asked + 1, at: at, cancel: cancel}
	asked, sources := m.seeking.asked, m.face.Sources()
	if !sources.Loaded() {
		m.say("info", "loading types… "+m.keys.Key("back")+" cancels")
	}
	return m.beside(func() tea.Msg {
		answer, err := ask(ctx, sources)
		return soughtMsg{asked, answer, list, err}
	})
}

// stopSeeking cancels the question under way; false when there is none.
func (m *model) stopSeeking() bool {
	if m.seeking.cancel == nil {
		return false
	}
	m.seeking.cancel()
	m.seeking.cancel = nil
	return true
}

// sought shows an answer, unless the person has gone elsewhere meanwhile.
func (m *model) sought(msg soughtMsg) {
	if msg.asked != m.seeking.asked || m.seeking.cancel == nil {
		return
	}
	m.stopSeeking()
	m.said = notice{}
	if m.dialog != nil || m.panes.source.At() != m.seeking.at {
		return
	}
	switch {
	case errors.Is(msg.err, context.Canceled):
	case msg.err != nil:
		m.say("info", joined(msg.err.Error(), advice.Of(msg.err)))
	case len(msg.answer.Hits) == 0:
		m.say("info", "nobody calls it "+msg.answer.Note)
	case len(msg.answer.Hits) == 1 && !msg.list:
		m.goToHit(msg.answer.Hits[0])
	default:
		m.listHits(msg.answer)
	}
}

func (m *model) goToHit(h navigate.Hit) {
	if h.File == m.seeking.at.File && h.Line == m.seeking.at.Line {
		m.say("info", h.Name+" is defined here")
		return
	}
	m.goTo(h.Place)
}

// sourceEffect carries out what the source asks for.
func (m *model) sourceEffect(e pane.Effect) tea.Cmd {
	switch e := e.(type) {
	case pane.Define:
		return m.define(e.At)
	case pane.FindCallers:
		return m.callers(e.At)
	case pane.ToggleBreakpoint:
		if why := m.keys.Get("breakpoint").Why(m.facts()); why != "" {
			m.say("info", why)
			return nil
		}
		m.face.Do(engine.ToggleBreakpoint{File: e.File, Line: e.Line})
	case pane.RunTo:
		if why := m.keys.Get("continue").Why(m.facts()); why != "" {
			m.say("info", why)
			return nil
		}
		m.face.Do(engine.Run{Motion: debugger.ContinueTo, File: e.File, Line: e.Line})
	}
	return nil
}
