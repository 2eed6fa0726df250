package ui

import (
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// models asks models: which one, with which prompt, and with whose consent.
type models struct {
	*common
	discussion *discussion
	execution  *execution
	consent    asking // whether a prompt may leave this machine
	asked      bool   // the person asked for fixes, and waits for what comes of it
}

// showPrompt shows what the proposer of the candidate under review was sent, or
// else what would be sent now.
func (m *models) showPrompt() {
	sent := m.prompt()
	if sent != "" && (m.reviewing || !m.asksModels()) {
		m.dialog = &dialog.Text{Head: "The prompt of " + pane.Fix(m.ctx.Candidate), Body: sent}
		return
	}
	m.dialog = dialog.NewPreview("", m.reason(), m.ctx.Live.Preview)
	m.engine.Do(engine.PreviewPrompt{Reason: m.reason()})
}

// asksModels reports whether there is a stop to ask a model about, and one to ask.
func (m *models) asksModels() bool { return m.ctx.State.CaseIndex() >= 0 && len(m.opts.Profiles) > 0 }

func (m *models) ask(profile string) {
	m.asked = true
	m.say("info", "asking for more fixes: they come into this list")
	m.engine.Do(engine.Ask{Profile: profile, Reason: m.reason()})
	m.leaveReview()
	m.setFocus(layout.Fixes)
}

// answered says what has come of an answer that the person waits for, where that is
// nothing: the list may have no room for it.
func (m *models) answered(a *session.Answered) {
	if !m.asked || a.Err == session.Canceled {
		return
	}
	name := "the model"
	for _, r := range m.ctx.State.Requests {
		if r.Asked.Request == a.Request {
			name = pane.Proposer(r.Asked.Source)
		}
	}
	switch {
	case a.Err != "":
		m.say("warn", joined(name+": "+a.Err, a.Hint))
	case a.Candidates == 0:
		m.say("info", name+" has nothing to propose")
	}
}

// reason is what a new try should know: why the last applied one did not help.
func (m *models) reason() string {
	if j := m.ctx.State.Judged; j != nil && j.Judgement == session.CameBack {
		return "the panic came back: " + j.Evidence
	}
	return ""
}

// prompt is the text that the selected candidate's proposer was sent.
func (m *models) prompt() string {
	c, ok := m.ctx.State.Candidate(m.ctx.Candidate)
	if !ok {
		return ""
	}
	for _, r := range m.ctx.State.Requests {
		if r.Asked.Request == c.Request {
			return r.Asked.Prompt
		}
	}
	return ""
}
