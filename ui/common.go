package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/updates"
)

// common is what the parts of the screen share: what they are given, what is
// shown, and who gets the next key.
type common struct {
	base   context.Context // ends with the program; reads of the target wait on it
	engine engine.Client
	opts   Options
	keys   keymap.Table
	paint  *frames.Writer
	pace   *frames.Pace
	reads  *reads
	ctx    *pane.Context
	panes  panes
	facts  func() keymap.Facts // what decides which keys do something

	window
	said       notice
	dialog     dialog.Dialog
	popped     dialog.Dialog // the last that came by itself
	deafUntil  time.Time     // keys are ignored until then
	quietUntil time.Time     // nothing is asked until then
	resumedAt  time.Time     // when the target last went on
	past       *past         // the earlier stop that is shown, set by timeline; nil in the present

	// Who gets the keys, unless a dialog does.
	dismissed  *session.BuildFailed // whose errors the person has closed
	typing     bool                 // the target
	ahead      typedAhead           // the target, which has stopped meanwhile
	commanding bool                 // the command line
	filtering  *filter
}

// screen is what fills the terminal now.
func (c *common) screen() layout.Screen {
	if c.past != nil {
		return layout.Held
	}
	switch c.ctx.State.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		return layout.Building
	case session.PhaseBroken:
		return layout.Broken
	case session.PhaseStopped:
		if b := c.ctx.State.Build; b != nil && b != c.dismissed {
			return layout.Broken
		}
		return layout.Held
	case session.PhaseExited:
		return layout.Gone
	case session.PhaseEnded:
		if c.ctx.Held && !c.ctx.Stop.Stop.Ended() {
			return layout.Held
		}
		return layout.Gone
	}
	if c.lingers() {
		return layout.Held
	}
	return layout.Flow
}

// linger is how long the screen of a stop stays after the target went on, so
// that a step does not flicker.
const linger = 250 * time.Millisecond

func (c *common) lingers() bool {
	return c.ctx.State.Phase == session.PhaseRunning && c.ctx.Held && !c.ctx.Stop.Stop.Ended() &&
		c.ctx.Now.Sub(c.resumedAt) < linger
}

// notice is a word on the bottom line, until the next key. What comes by itself goes by
// itself: the keys that matter are below it, and the log keeps it.
type notice struct {
	level, text string
	until       time.Time // zero for as long as no key is pressed
	held        bool      // said of a stop: it goes when the program moves on
	running     bool      // said of the running program: it goes when that stops
	logged      bool      // the log has it, too
}

// passing is how long a notice that came by itself stays.
const passing = 15 * time.Second

// inBackground runs what may take a while, and is waited for at the end.
func (c *common) inBackground(do func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !c.reads.begin() {
			return nil
		}
		defer c.reads.end()
		return do()
	}
}

// later sends a message after a while, unless the program ends before.
func (c *common) later(d time.Duration, msg tea.Msg) tea.Cmd {
	return c.inBackground(func() tea.Msg {
		updates.Pause(c.base, d)
		return msg
	})
}

// attend has what comes drawn soon, and reports that a person is at the keyboard,
// or looks at something new.
func (c *common) attend() {
	c.pace.Answer()
	if c.opts.Attended != nil {
		c.opts.Attended()
	}
}

func (c *common) say(level, words string) {
	c.said = notice{level: level, text: words, held: c.ctx.Held, running: level == "info" && c.ctx.State.Phase == session.PhaseRunning}
}

// unsay takes back what was said of a stop that the program leaves.
func (c *common) unsay() {
	if c.said.held {
		c.said = notice{}
	}
}

// remember changes what is remembered, in the background.
func (c *common) remember(change func(*preferences.Screen)) tea.Cmd {
	if c.opts.Preferences == nil {
		return nil
	}
	return c.inBackground(func() tea.Msg { return rememberedMsg{c.opts.Preferences.Change(change)} })
}

func (c *common) leaveReview() { c.reviewing, c.ctx.Draft, c.ctx.NoTest = false, nil, false }
