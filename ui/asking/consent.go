package asking

import (
	"fmt"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/text"
)

// Question is the question whether a prompt may leave this machine.
type Question struct {
	wanted   live.Wanted
	Dialog   *dialog.Confirm // nil while nothing is asked
	Answered bool            // and the engine has not heard it yet
	Below    dialog.Dialog   // the conversation under it; nil without one
}

// AskConsent opens the question that the engine waits for, and closes one that
// the engine does not wait for any more. It waits until nothing is being typed: a y in a
// sentence is no consent.
func (m *Models) AskConsent() {
	w := m.Ctx.Live.Consent
	if m.Consent.Dialog != nil && m.Dialog != dialog.Dialog(m.Consent.Dialog) {
		m.Consent.Dialog, m.Consent.Answered = nil, m.Dialog == nil // another dialog in its place is no answer
		if m.Consent.Answered {
			m.Dialog = m.Consent.Below
		}
	}
	if w == nil || *w != m.Consent.wanted {
		if m.Consent.Dialog != nil {
			m.Dialog = m.Consent.Below
			m.Withdrawn()
		}
		m.Consent = Question{}
	}
	if w == nil || m.Quiet() || m.Consent.Answered || m.Consent.Dialog != nil || m.Dialog != nil && !m.Discussion.idle() ||
		m.Typing || m.Commanding || m.Filtering != nil || m.Execution.Quitting || m.Execution.Over != nil {
		return
	}
	m.Consent = Question{wanted: *w, Dialog: consentDialog(*w), Below: m.Dialog}
	m.PopUp(m.Consent.Dialog)
}

func consentDialog(w live.Wanted) *dialog.Confirm {
	host, model := text.Line(w.Host), text.Line(w.Model)
	return &dialog.Confirm{
		Head: "Send this to " + host + "?",
		Body: []string{
			fmt.Sprintf("%s runs on another machine. The prompt, with source and values of your program, leaves this machine for %s.", model, host),
			"Known secrets are removed first (pausetui config shows which). Yes is remembered for this project.",
		},
		Yes: "sends it", Do: intent.Consent{Host: w.Host, Model: w.Model, Given: true},
		No: "keeps it here", Else: intent.Consent{Host: w.Host, Model: w.Model},
	}
}
