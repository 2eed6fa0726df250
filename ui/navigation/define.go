package navigation

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/common"
)

// seeking is a question about a name of the source that is not answered yet.
type seeking struct {
	asked  int // counts the questions: the answer to an older one is dropped
	at     navigate.At
	cancel context.CancelFunc // nil when nothing is asked
}

// SoughtMsg is the answer. List tells that it is to be shown as a list, however
// short.
type SoughtMsg struct {
	asked  int
	answer navigate.Answer
	list   bool
	err    error
}

// define goes to the definition of a name; where there are several places, they
// are listed.
func (n *Navigation) define(at navigate.At) tea.Cmd {
	return n.seek(at, false, func(ctx context.Context, s live.Sources) (navigate.Answer, error) { return s.Definition(ctx, at) })
}

// callers lists who calls a function.
func (n *Navigation) callers(at navigate.At) tea.Cmd {
	return n.seek(at, true, func(ctx context.Context, s live.Sources) (navigate.Answer, error) { return s.Callers(ctx, at) })
}

// seek asks in the background. The types may still be being loaded: then the
// answer comes when they are there.
func (n *Navigation) seek(at navigate.At, list bool, ask func(context.Context, live.Sources) (navigate.Answer, error)) tea.Cmd {
	if !list && at.Name == "" {
		n.Say("info", "there is no name in this line: left and right choose among several")
		return nil
	}
	n.StopSeeking()
	ctx, cancel := context.WithCancel(n.Base)
	n.seeking = seeking{asked: n.seeking.asked + 1, at: at, cancel: cancel}
	asked, sources := n.seeking.asked, n.Engine.Sources()
	if !sources.Loaded() {
		n.Say("info", "loading types… "+n.Keys.Key("back")+" cancels")
	}
	return n.InBackground(func() tea.Msg {
		answer, err := ask(ctx, sources)
		return SoughtMsg{asked, answer, list, err}
	})
}

// StopSeeking cancels the question under way; false when there is none.
func (n *Navigation) StopSeeking() bool {
	if n.seeking.cancel == nil {
		return false
	}
	n.seeking.cancel()
	n.seeking.cancel = nil
	return true
}

// Sought shows an answer, unless the person has gone elsewhere meanwhile.
func (n *Navigation) Sought(msg SoughtMsg) {
	if msg.asked != n.seeking.asked || n.seeking.cancel == nil {
		return
	}
	n.StopSeeking()
	n.Said = common.Notice{}
	if n.Dialog != nil || n.Panes.Source.At() != n.seeking.at {
		return
	}
	switch {
	case errors.Is(msg.err, context.Canceled):
	case msg.err != nil:
		n.Say("info", common.Joined(msg.err.Error(), advice.Of(msg.err)))
	case len(msg.answer.Hits) == 0:
		n.Say("info", "there are no callers "+msg.answer.Note)
	case len(msg.answer.Hits) == 1 && !msg.list:
		n.goToHit(msg.answer.Hits[0])
	default:
		n.listHits(msg.answer)
	}
}

func (n *Navigation) goToHit(h navigate.Hit) {
	if h.File == n.seeking.at.File && h.Line == n.seeking.at.Line {
		n.Say("info", h.Name+" is defined here")
		return
	}
	n.GoTo(h.Place)
}
