package ui

import (
	"fmt"

	"github.com/pausetui/pausetui/engine"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/text"
)

// asking is the question whether a prompt may leave this machine.
type asking struct {
	wanted   engine.Wanted
	dialog   *dialog.Confirm // nil while nothing is asked
	answered bool            // and the engine has not heard it yet
	below    dialog.Dialog   // the conversation under it; nil without one
}

// askConsent opens the question that the engine waits for, and closes one that
// the engine does not wait for any more. It waits until nothing is being typed: a y in a
// sentence is no consent.
func (m *models) askConsent() {
	w := m.Ctx.Live.Consent
	if m.consent.dialog != nil && m.Dialog != dialog.Dialog(m.consent.dialog) {
		m.consent.dialog, m.consent.answered = nil, m.Dialog == nil // another dialog in its place is no answer
		if m.consent.answered {
			m.Dialog = m.consent.below
		}
	}
	if w == nil || *w != m.consent.wanted {
		if m.consent.dialog != nil {
			m.Dialog = m.consent.below
			m.Withdrawn()
		}
		m.consent = asking{}
	}
	if w == nil || m.Quiet() || m.consent.answered || m.consent.dialog != nil || m.Dialog != nil && !m.discussion.idle() ||
		m.Typing || m.Commanding || m.Filtering != nil || m.execution.Quitting || m.execution.Over != nil {
		return
	}
	m.consent = asking{wanted: *w, dialog: consentDialog(*w), below: m.Dialog}
	m.PopUp(m.consent.dialog)
}

func consentDialog(w engine.Wanted) *dialog.Confirm {
	host, model := text.Line(w.Host), text.Line(w.Model)
	return &dialog.Confirm{
		Head: "Send this to " + host + "?",
		Body: []string{
			fmt.Sprintf("%s runs on another machine. The prompt, with source and values of your program, leaves this machine for %s.", model, host),
			"Known secrets are removed first (pausetui config shows which). Yes is remembered for this project.",
		},
		Yes: "sends it", Do: engine.Consent{Host: w.Host, Model: w.Model, Given: true},
		No: "keeps it here", Else: engine.Consent{Host: w.Host, Model: w.Model},
	}
}
