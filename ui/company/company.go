// Package company shows who else is in a shared session, and asks the host about what
// guests want.
package company

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/navigation"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/review"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/updates"
	"github.com/pausetui/pausetui/ui/values"
)

// RoomMsg is who takes part by now, and where they look.
type RoomMsg pair.View

// Company is the others of a shared session: who they are, where they look, and
// what the host has to decide about them.
type Company struct {
	*common.Common
	Navigation *navigation.Navigation
	Review     *review.Review
	Values     *values.Values

	View     pair.View
	said     uint64          // the last answer that was shown
	line     string          // how others come in, as it was shown last
	shown    *dialog.Message // that shows it
	followed pair.Spot       // where the participant who is followed was last
	Back     *pair.Spot      // where a participant who came back was, until they are there again
	CaughtUp uint64          // the event after which they can be
	Asked    string          // whom the open question is about; empty without one
	Question dialog.Dialog   // that question
	Answered map[string]bool
}

// Decide is what a question about a participant leads to.
type Decide func() error

// WatchRoom hands the program what changes in the room, until ctx ends.
func WatchRoom(ctx context.Context, seat *pair.Seat, send func(tea.Msg)) {
	var version uint64
	for {
		v, err := seat.Watch(ctx, version)
		if err != nil {
			return
		}
		version = v.Version
		send(RoomMsg(v))
		updates.Pause(ctx, updates.Repaint)
	}
}

// Took takes in how the room is now.
func (co *Company) Took(v pair.View) tea.Cmd {
	if co.shown != nil && v.Door != co.View.Door {
		co.shown.Lines = joining(v.Door) // a code on the screen is one that works
		if v.Door.Line == "" && co.Dialog == co.shown {
			co.Dialog = nil
		}
	}
	co.View = v
	co.Ctx.Others = co.others()
	for _, s := range v.Said {
		if s.N > co.said {
			co.said = s.N
			co.Say(s.Level, s.Text)
		}
	}
	co.follow()
	if v.Door.Line == co.line {
		return nil
	}
	co.line = v.Door.Line
	if co.line == "" || co.Dialog != nil {
		return nil
	}
	return co.show()
}

// show shows how others come in, and copies the line for them.
func (co *Company) show() tea.Cmd {
	co.shown = &dialog.Message{Head: "This session is shared", Lines: joining(co.View.Door)}
	co.PopUp(co.shown)
	return values.Clipboard(co.View.Door.Line)
}

// joining says how others come in through a door.
func joining(d pair.Door) []string {
	return append(strings.Split(d.Words(time.Now()), "\n"), "The first line was copied. You are asked before anybody comes in.")
}

// others are the places of the others, for the panes.
func (co *Company) others() []pane.Other {
	var list []pane.Other
	for _, p := range co.View.People {
		if p.Name != co.View.Me && !p.Waiting {
			list = append(list, pane.Other{Name: p.Name, Color: p.Color, File: p.Spot.File, Line: p.Spot.Line, At: p.Spot.At})
		}
	}
	return list
}

// Sync says where this participant looks, and asks the host what is to be decided.
func (co *Company) Sync() {
	if co.Opts.Seat == nil || !co.View.Shared {
		return
	}
	co.comeBack()
	if co.Back == nil {
		co.Opts.Seat.Look(co.spot())
	}
	co.Ask()
}

// comeBack goes to where this participant was when their line was lost, once the
// session is shown.
func (co *Company) comeBack() {
	if co.Back == nil || co.Ctx.State.Seq < co.CaughtUp {
		return
	}
	at := *co.Back
	co.Back = nil
	if _, known := co.Ctx.State.Candidate(at.Candidate); !known {
		at.Candidate = ""
	}
	co.goTo(at, pair.Spot{})
}

func (co *Company) spot() pair.Spot {
	at := pair.Spot{At: co.Ctx.At}
	if file, line, ok := co.Panes.Source.Line(); ok {
		at.File, at.Line = file, line
	}
	if co.Reviewing {
		at.Candidate = co.Ctx.Candidate
	}
	if v, ok := co.Values.Value(); ok && co.Focus == layout.Locals {
		at.Value = v.Expr
	}
	return at
}

// pin is what the cursor is on.
func (co *Company) pin() *session.Pin {
	at := co.spot()
	p := &session.Pin{Candidate: at.Candidate, Value: at.Value}
	if co.Facts().Held() {
		p.At = &at.At
	}
	if at.File != "" {
		p.Place = &session.Place{File: at.File, Line: at.Line}
	}
	if *p == (session.Pin{}) {
		return nil
	}
	return p
}

// follow goes where the participant is who is followed, once each time they move.
func (co *Company) follow() {
	if co.View.Follow == "" {
		co.followed = pair.Spot{}
		return
	}
	for _, p := range co.View.People {
		if p.Name != co.View.Follow || p.Spot == co.followed {
			continue
		}
		was := co.followed
		co.followed = p.Spot
		co.goTo(p.Spot, was)
	}
}

// goTo shows a place, as far as it differs from the one before.
func (co *Company) goTo(at, was pair.Spot) {
	if co.Facts().Held() && at.At != was.At {
		co.Ctx.At = at.At
	}
	switch {
	case at.Candidate != "" && at.Candidate != was.Candidate:
		co.Review.Open(at.Candidate)
	case at.Candidate == "" && was.Candidate != "":
		co.LeaveReview()
		co.SetFocus(layout.Source) // the list of fixes would go on to show it
	}
	if at.File != "" && (at.File != was.File || at.Line != was.Line) {
		co.Panes.Source.Look(co.Ctx, at.File, at.Line)
	}
}

// Ask opens the question about the first who waits for an answer of the host's,
// and closes it when they do not wait any more.
func (co *Company) Ask() {
	waiting := map[string]pair.Person{}
	var first string
	if co.View.Role == role.Host {
		for _, p := range co.View.People {
			key := askKey(p)
			if key == "" {
				continue
			}
			waiting[key] = p
			if first == "" && !co.Answered[key] {
				first = key
			}
		}
	}
	for key := range co.Answered {
		if _, still := waiting[key]; !still {
			delete(co.Answered, key) // should they ask again, it is a new question
		}
	}
	if co.Asked != "" {
		_, still := waiting[co.Asked]
		open := co.Dialog == co.Question
		if open && still {
			return
		}
		if open {
			co.Dialog = nil
			co.Withdrawn()
		} else if still {
			co.Answered[co.Asked] = true
		}
		co.Asked, co.Question = "", nil
	}
	if first == "" || co.Answered[first] || co.Quiet() || co.occupied() || co.Typing || co.Commanding || co.Filtering != nil {
		return
	}
	co.Asked, co.Question = first, co.about(waiting[first])
	co.PopUp(co.Question)
}

// occupied reports whether a dialog is open that a question must not replace: the one
// that says how to come in has done its work when somebody is at the door.
func (co *Company) occupied() bool {
	return co.Dialog != nil && co.Dialog != dialog.Dialog(co.shown)
}

func askKey(p pair.Person) string {
	switch {
	case p.Waiting:
		return "in " + p.Name
	case p.Wants:
		return "wheel " + p.Name
	}
	return ""
}

// about is the question about a participant.
func (co *Company) about(p pair.Person) *dialog.Confirm {
	seat, name := co.Opts.Seat, p.Name
	if !p.Waiting {
		does := "to run the program, evaluate, ask models, edit, and approve fixes"
		if p.Role.IsAgent() {
			does = "to run, step and restart the program, set breakpoints, and change variables"
		}
		return &dialog.Confirm{Head: "Give " + name + " the wheel?",
			Body: []string{name + " asks to drive: " + does + ". That is running code here as you. You can take the wheel back at any time: " + co.Keys.Key("wheel") + "."},
			Yes:  "gives it", Do: Decide(func() error { return seat.GiveWheel(name) }), No: "keeps it", Else: Decide(func() error { return seat.Decline(name) })}
	}
	who := name + " wants to come in, by " + p.Via
	if p.From != "" {
		who += " from " + p.From
	}
	key := "There is no key to know them by: ask them."
	if p.Key != "" {
		key = "Key: " + p.Key
	}
	question := &dialog.Confirm{Head: "Let " + name + " in?", Body: []string{who + ", as " + p.Role.String() + ". They will see the program's source, values and output.", key},
		Yes: "lets them in", Do: Decide(func() error { return seat.Admit(name) }),
		No: "refuses", Else: Decide(func() error { return seat.Kick(name) })}
	if p.Via == "editor" { // what it wants to do is to be asked once
		question.Body = append(question.Body, "To drive is to run the program, evaluate, edit, and approve fixes. That is running code here as you.")
		question.Yes = "lets it in to look"
		question.Key2, question.Yes2 = "d", "lets it drive"
		question.Do2 = Decide(func() error { return errors.Join(seat.Admit(name), seat.GiveWheel(name)) })
	}
	if p.Key != "" {
		question.Key2, question.Yes2, question.Do2 = "B", "refuses, and bans the key", Decide(func() error { return seat.Ban(name) })
	}
	return question
}

// TakeCommand takes a line about the shared session; false for any other.
func (co *Company) TakeCommand(line string) (tea.Cmd, bool) {
	if co.Opts.Seat == nil {
		return nil, false
	}
	answer, known, err := co.Opts.Seat.Command(line, co.pin())
	switch {
	case !known:
		return nil, false
	case err != nil:
		co.Say("error", err.Error())
	case strings.HasPrefix(line, "share") || line == "invite":
		co.Commanding = false
		co.View.Door = co.Opts.Seat.Door()
		co.line = co.View.Door.Line
		return co.show(), true
	case strings.Contains(answer, "\n"):
		co.Commanding = false
		co.Dialog = &dialog.Text{Head: "Who is here", Body: answer}
	case answer != "":
		co.Say("info", answer)
	}
	return nil, true
}

// Looks reports whether this participant of a shared session only looks on.
func (co *Company) Looks() bool {
	return co.View.Shared && co.View.Me != "" && co.View.Role == role.Viewer
}

// Wheel asks for the wheel, gives it to who asked first, or takes it back.
func (co *Company) Wheel() {
	if co.Opts.Seat == nil || !co.View.Shared {
		co.Say("info", "nobody else is here: share lets others in")
		return
	}
	if co.View.Role == role.Host && co.View.Driver == co.View.Me {
		for _, p := range co.View.People {
			if p.Wants {
				co.Dialog = co.about(p)
				return
			}
		}
		co.Say("info", "you drive; nobody asks for the wheel. wheel NAME gives it")
		return
	}
	if err := co.Opts.Seat.AskWheel(); err != nil {
		co.Say("warn", err.Error())
		return
	}
	if co.Opts.Seat.Wanting() {
		co.Say("info", "the host was asked for the wheel; the same key takes that back")
	}
}

// Words say on the first line who is here; empty for nobody.
func (co *Company) Words() string {
	if !co.View.Shared {
		return ""
	}
	t := co.Ctx.Theme
	var parts []string
	for _, p := range co.View.People {
		if p.Waiting {
			continue
		}
		name := text.Line(p.Name)
		if p.Name == co.View.Me {
			name = "you"
		}
		if p.Name == co.View.Driver {
			name = "▸" + name
		}
		parts = append(parts, t.Person(p.Color).Render(name))
	}
	return strings.Join(parts, " ")
}

// Ours reports whether an event answers this participant, or all.
func (co *Company) Ours(actor string) bool {
	return co.Opts.Seat == nil || actor == co.View.Me || !co.View.Shared
}

// NoteWords are a note of another participant, for the bottom line.
func (co *Company) NoteWords(e session.Event, b *session.Notice) string {
	words := b.Text
	if b.Level == "note" && e.Actor != "person" && e.Actor != "" {
		words = e.Actor + ": " + words
		if b.Pin != nil {
			if on := b.Pin.Words(co.Ctx.State.Started.Workspace.Rel); on != "" {
				words += fmt.Sprintf(" (on %s)", on)
			}
		}
	}
	return words
}

// Lent reports whether the person is the host, and another one has the wheel.
func (co *Company) Lent() bool {
	return co.View.Shared && co.View.Role == role.Host && co.View.Driver != co.View.Me
}
