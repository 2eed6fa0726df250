package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/asking"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
)

// Some questions come up because a guest does something: asks for the wheel or to join, or
// has a model asked. However often that is, the person keeps the keyboard: what halts,
// goes back, opens the command line or takes the wheel back is heard at once, and does what
// it would do without the question; after a question that went away by itself there is none
// for a while.

// urgent reports whether a key does what it does without the dialog that came by itself.
func (m *model) urgent(k tea.KeyPressMsg, deaf bool) bool {
	if key := k.String(); deaf && (key == "esc" || key == "ctrl+c") {
		return true
	}
	if !deaf && !m.asked() {
		return false
	}
	b, ok := m.Keys.Find(k.String())
	return ok && (b.Action == keymap.Command || b.Action == keymap.Wheel && m.company.Lent())
}

// asked reports whether a question that came by itself is open.
func (m *model) asked() bool {
	return m.Dialog != nil && (m.Dialog == m.company.Question || m.Dialog == dialog.Dialog(m.consent().Dialog))
}

// putAside closes a question that came by itself. It has not been answered, and comes again
// a moment after nothing else is under way.
func (m *model) putAside() {
	if !m.asked() {
		return
	}
	if m.Dialog == m.company.Question {
		m.Dialog, m.company.Asked, m.company.Question = nil, "", nil
	} else {
		m.Dialog, *m.consent() = m.consent().Below, asking.Question{}
	}
	m.DeafUntil, m.QuietUntil = time.Time{}, m.Ctx.Now.Add(m.Deafness())
}

func (m *model) consent() *asking.Question { return &m.models.Consent }
