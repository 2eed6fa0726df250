package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/pair/role"
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
	return ok && (b.Action == keymap.Command || b.Action == keymap.Wheel && m.company.lent())
}

// asked reports whether a question that came by itself is open.
func (m *model) asked() bool {
	return m.Dialog != nil && (m.Dialog == m.company.question || m.Dialog == dialog.Dialog(m.consent().dialog))
}

// putAside closes a question that came by itself. It has not been answered, and comes again
// a moment after nothing else is under way.
func (m *model) putAside() {
	if !m.asked() {
		return
	}
	if m.Dialog == m.company.question {
		m.Dialog, m.company.asked, m.company.question = nil, "", nil
	} else {
		m.Dialog, *m.consent() = m.consent().below, asking{}
	}
	m.DeafUntil, m.QuietUntil = time.Time{}, m.Ctx.Now.Add(m.Deafness())
}

func (m *model) consent() *asking { return &m.models.consent }

// lent reports whether the person is the host, and another one has the wheel.
func (co *company) lent() bool {
	return co.view.Shared && co.view.Role == role.Host && co.view.Driver != co.view.Me
}
