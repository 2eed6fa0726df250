package ui

import (
	"cmp"
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

// questionPause is how long nothing is asked after a question that went away by itself.
const questionPause = 3 * time.Second

// withdrawn has nothing asked for a while.
func (c *common) withdrawn() { c.quietUntil = c.ctx.Now.Add(questionPause) }

// quiet reports whether a question has to wait.
func (c *common) quiet() bool { return c.ctx.Now.Before(c.quietUntil) }

// popUp opens a dialog by itself: keys meant for what was there before are ignored for a
// moment, which does not become longer with what appears within it.
func (c *common) popUp(d dialog.Dialog) {
	c.dialog, c.popped = d, d
	if !c.ctx.Now.Before(c.deafUntil) {
		c.deafUntil = c.ctx.Now.Add(c.deafness())
	}
}

// deaf is how long keys are ignored after something appeared by itself.
const deaf = 300 * time.Millisecond

func (c *common) deafness() time.Duration { return cmp.Or(c.opts.Deaf, deaf) }

// urgent reports whether a key does what it does without the dialog that came by itself.
func (m *model) urgent(k tea.KeyPressMsg, deaf bool) bool {
	if key := k.String(); deaf && (key == "esc" || key == "ctrl+c") {
		return true
	}
	if !deaf && !m.asked() {
		return false
	}
	b, ok := m.keys.Find(k.String())
	return ok && (b.Action == keymap.Command || b.Action == keymap.Wheel && m.company.lent())
}

// asked reports whether a question that came by itself is open.
func (m *model) asked() bool {
	return m.dialog != nil && (m.dialog == m.company.question || m.dialog == dialog.Dialog(m.consent().dialog))
}

// putAside closes a question that came by itself. It has not been answered, and comes again
// a moment after nothing else is under way.
func (m *model) putAside() {
	if !m.asked() {
		return
	}
	if m.dialog == m.company.question {
		m.dialog, m.company.asked, m.company.question = nil, "", nil
	} else {
		m.dialog, *m.consent() = m.consent().below, asking{}
	}
	m.deafUntil, m.quietUntil = time.Time{}, m.ctx.Now.Add(m.deafness())
}

func (m *model) consent() *asking { return &m.models.consent }

// lent reports whether the person is the host, and another one has the wheel.
func (co *company) lent() bool {
	return co.view.Shared && co.view.Role == role.Host && co.view.Driver != co.view.Me
}
