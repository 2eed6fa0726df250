package ui

import (
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// models asks models: which one, with which prompt, and with whose consent.
type models struct {
	*common.Common
	discussion *discussion
	execution  *execution.Execution
	consent    asking // whether a prompt may leave this machine
	asked      bool   // the person asked for fixes, and waits for what comes of it
}

// showPrompt shows what the proposer of the candidate under review was sent, or
// else what would be sent now.
func (m *models) showPrompt() {
	sent := m.prompt()
	if sent != "" && (m.Reviewing || !m.asksModels()) {
		m.Dialog = &dialog.Text{Head: "The prompt of " + pane.Fix(m.Ctx.Candidate), Body: sent}
		return
	}
	m.Dialog = dialog.NewPreview("", m.reason(), m.Ctx.Live.Preview)
	m.Engine.Do(engine.PreviewPrompt{Reason: m.reason()})
}

// asksModels reports whether there is a stop to ask a model about, and one to ask.
func (m *models) asksModels() bool { return m.Ctx.State.CaseIndex() >= 0 && len(m.Opts.Profiles) > 0 }

func (m *models) ask(profile string) {
	m.asked = true
	m.Say("info", "asking for more fixes: they come into this list")
	m.Engine.Do(engine.Ask{Profile: profile, Reason: m.reason()})
	m.LeaveReview()
	m.SetFocus(layout.Fixes)
}

// answered says what has come of an answer that the person waits for, where that is
// nothing: the list may have no room for it.
func (m *models) answered(a *session.Answered) {
	if !m.asked || a.Err == session.Canceled {
		return
	}
	name := "the model"
	for _, r := range m.Ctx.State.Requests {
		if r.Asked.Request == a.Request {
			name = pane.Proposer(r.Asked.Source)
		}
	}
	switch {
	case a.Err != "":
		m.Say("warn", common.Joined(name+": "+a.Err, a.Hint))
	case a.Candidates == 0:
		m.Say("info", name+" has nothing to propose")
	}
}

// reason is what a new try should know: why the last applied one did not help.
func (m *models) reason() string {
	if j := m.Ctx.State.Judged; j != nil && j.Judgement == session.CameBack {
		return "the panic came back: " + j.Evidence
	}
	return ""
}

// prompt is the text that the selected candidate's proposer was sent.
func (m *models) prompt() string {
	c, ok := m.Ctx.State.Candidate(m.Ctx.Candidate)
	if !ok {
		return ""
	}
	for _, r := range m.Ctx.State.Requests {
		if r.Asked.Request == c.Request {
			return r.Asked.Prompt
		}
	}
	return ""
}
