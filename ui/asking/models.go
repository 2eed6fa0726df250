// Package asking asks models: which of them, with what prompt, and with whose consent;
// and it leads to what their answers cite.
package asking

import (
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/execution"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// Models asks models: which one, with which prompt, and with whose consent.
type Models struct {
	*common.Common
	Discussion *Discussion
	Execution  *execution.Execution
	Consent    Question // whether a prompt may leave this machine
	Asked      bool     // the person asked for fixes, and waits for what comes of it
}

// ShowPrompt shows what the proposer of the candidate under review was sent, or
// else what would be sent now.
func (m *Models) ShowPrompt() {
	sent := m.Prompt()
	if sent != "" && (m.Reviewing || !m.AsksModels()) {
		m.Dialog = &dialog.Text{Head: "The prompt of " + pane.Fix(m.Ctx.Candidate), Body: sent}
		return
	}
	m.Dialog = dialog.NewPreview("", m.reason(), m.Ctx.Live.Preview)
	m.Engine.Do(intent.PreviewPrompt{Reason: m.reason()})
}

// AsksModels reports whether there is a stop to ask a model about, and one to ask.
func (m *Models) AsksModels() bool { return m.Ctx.State.CaseIndex() >= 0 && len(m.Opts.Profiles) > 0 }

// Ask asks the model of a profile for more fixes; with "" those of all selected profiles.
func (m *Models) Ask(profile string) {
	m.Asked = true
	m.Say("info", "asking for more fixes: they come into this list")
	m.Engine.Do(intent.Ask{Profile: profile, Reason: m.reason()})
	m.LeaveReview()
	m.SetFocus(layout.Fixes)
}

// Answered says what has come of an answer that the person waits for, where that is
// nothing: the list may have no room for it.
func (m *Models) Answered(a *session.Answered) {
	if !m.Asked || a.Err == session.Canceled {
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
func (m *Models) reason() string {
	if j := m.Ctx.State.Judged; j != nil && j.Judgement == session.CameBack {
		return "the panic came back: " + j.Evidence
	}
	return ""
}

// Prompt is the text that the selected candidate's proposer was sent.
func (m *Models) Prompt() string {
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
