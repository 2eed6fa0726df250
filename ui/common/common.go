// Package common holds what the parts of the screen share: what they are given, what is
// shown, where it is, and who gets the next key. It must not know the parts.
package common

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/updates"
)

// Common is what the parts of the screen share: what they are given, what is
// shown, and who gets the next key.
type Common struct {
	Base   context.Context // ends with the program; reads of the target wait on it
	Engine live.Client
	Opts   options.Screen
	Keys   keymap.Table
	Paint  *frames.Writer
	Pace   *frames.Pace
	Reads  *Reads
	Ctx    *pane.Context
	Panes  Panes
	Facts  func() keymap.Facts // what decides which keys do something

	Window
	Said       Notice
	Dialog     dialog.Dialog
	Popped     dialog.Dialog // the last that came by itself
	DeafUntil  time.Time     // keys are ignored until then
	QuietUntil time.Time     // nothing is asked until then
	ResumedAt  time.Time     // when the target last went on
	Past       *Past         // the earlier stop that is shown, set by the timeline; nil in the present

	// Who gets the keys, unless a dialog does.
	Dismissed  *session.BuildFailed // whose errors the person has closed
	Typing     bool                 // the target
	Ahead      TypedAhead           // the target, which has stopped meanwhile
	Commanding bool                 // the command line
	Filtering  *Filter
}

// Screen is what fills the terminal now.
func (c *Common) Screen() layout.Screen {
	if c.Past != nil {
		return layout.Held
	}
	switch c.Ctx.State.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		return layout.Building
	case session.PhaseBroken:
		return layout.Broken
	case session.PhaseStopped:
		if b := c.Ctx.State.Build; b != nil && b != c.Dismissed {
			return layout.Broken
		}
		return layout.Held
	case session.PhaseExited:
		return layout.Gone
	case session.PhaseEnded:
		if c.Ctx.Held && !c.Ctx.Stop.Stop.Ended() {
			return layout.Held
		}
		return layout.Gone
	}
	if c.Lingers() {
		return layout.Held
	}
	return layout.Flow
}

// linger is how long the screen of a stop stays after the target went on, so
// that a step does not flicker.
const linger = 250 * time.Millisecond

// Lingers reports whether the target has only just gone on from the stop that is shown.
func (c *Common) Lingers() bool {
	return c.Ctx.State.Phase == session.PhaseRunning && c.Ctx.Held && !c.Ctx.Stop.Stop.Ended() &&
		c.Ctx.Now.Sub(c.ResumedAt) < linger
}

// Notice is a word on the bottom line, until the next key. What comes by itself goes by
// itself: the keys that matter are below it, and the log keeps it.
type Notice struct {
	Level, Text string
	Until       time.Time // zero for as long as no key is pressed
	held        bool      // said of a stop: it goes when the program moves on
	Running     bool      // said of the running program: it goes when that stops
	Logged      bool      // the log has it, too
}

// Passing is how long a notice that came by itself stays.
const Passing = 15 * time.Second

// InBackground runs what may take a while, and is waited for at the end.
func (c *Common) InBackground(do func() tea.Msg) tea.Cmd {
	return func() tea.Msg {
		if !c.Reads.begin() {
			return nil
		}
		defer c.Reads.end()
		return do()
	}
}

// Later sends a message after a while, unless the program ends before.
func (c *Common) Later(d time.Duration, msg tea.Msg) tea.Cmd {
	return c.InBackground(func() tea.Msg {
		updates.Pause(c.Base, d)
		return msg
	})
}

// Attend has what comes drawn soon, and reports that a person is at the keyboard,
// or looks at something new.
func (c *Common) Attend() {
	c.Pace.Answer()
	if c.Opts.Attended != nil {
		c.Opts.Attended()
	}
}

// Say puts a word on the bottom line, until the next key.
func (c *Common) Say(level, words string) {
	c.Said = Notice{Level: level, Text: words, held: c.Ctx.Held, Running: level == "info" && c.Ctx.State.Phase == session.PhaseRunning}
}

// Unsay takes back what was said of a stop that the program leaves.
func (c *Common) Unsay() {
	if c.Said.held {
		c.Said = Notice{}
	}
}

// Remember changes what is remembered, in the background.
func (c *Common) Remember(change func(*preferences.Screen)) tea.Cmd {
	if c.Opts.Preferences == nil {
		return nil
	}
	return c.InBackground(func() tea.Msg { return RememberedMsg{c.Opts.Preferences.Change(change)} })
}

// LeaveReview closes the candidate that is open.
func (c *Common) LeaveReview() { c.Reviewing, c.Ctx.Draft, c.Ctx.NoTest = false, nil, false }

// RememberedMsg says what became of remembering something.
type RememberedMsg struct{ Err error }

// TypedAhead is what was typed for a target that had stopped.
type TypedAhead struct {
	Until time.Time // keys are kept until then; zero: they are commands
	Text  string
	Drawn bool // the target drew a screen: keys mean something to that screen only
}

// TypesAhead reports whether keys are for the target, which has stopped.
func (c *Common) TypesAhead() bool { return !c.Ahead.Until.IsZero() }

// QuestionPause is how long nothing is asked after a question that went away by itself.
const QuestionPause = 3 * time.Second

// Withdrawn has nothing asked for a while.
func (c *Common) Withdrawn() { c.QuietUntil = c.Ctx.Now.Add(QuestionPause) }

// Quiet reports whether a question has to wait.
func (c *Common) Quiet() bool { return c.Ctx.Now.Before(c.QuietUntil) }

// PopUp opens a dialog by itself: keys meant for what was there before are ignored for a
// moment, which does not become longer with what appears within it.
func (c *Common) PopUp(d dialog.Dialog) {
	c.Dialog, c.Popped = d, d
	if !c.Ctx.Now.Before(c.DeafUntil) {
		c.DeafUntil = c.Ctx.Now.Add(c.Deafness())
	}
}

// Deaf is how long keys are ignored after something appeared by itself.
const Deaf = 300 * time.Millisecond

// Deafness is how long keys are ignored after something appeared by itself.
func (c *Common) Deafness() time.Duration { return cmp.Or(c.Opts.Deaf, Deaf) }

// slow is how long a command takes that is shown: with quick steps, nothing jumps.
const slow = 100 * time.Millisecond

// SlowCommand is the line that is being carried out, once that takes a moment; nil otherwise.
func (c *Common) SlowCommand() *live.Command {
	if command := c.Ctx.Live.Command; command != nil && c.Ctx.Now.Sub(command.Since) >= slow {
		return command
	}
	return nil
}

// Past is an earlier stop that is being looked at.
type Past struct {
	Index   int // into State.Stops
	Record  debugger.Inspector
	Present Shown // what is shown again on return
}

// Shown is what decides which stop panes show.
type Shown struct {
	Store *inspect.Store
	At    debugger.FrameRef
	Stop  session.StopRecord
	Held  bool
	Focus int
}

// Filter is the filter of a pane being typed.
type Filter struct {
	Line prompt.Line
	Pane pane.Filterer
}
