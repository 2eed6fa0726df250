package lines

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
)

// company is what was said of the others of a shared session.
type company struct {
	said   uint64          // the last answer
	driver string          // who drives
	door   string          // how others come in
	asked  map[string]bool // questions that are open
}

// watchRoom hands over what changes in the room, until ctx ends.
func watchRoom(ctx context.Context, seat *pair.Seat, rooms chan<- pair.View) {
	var version uint64
	for {
		v, err := seat.Watch(ctx, version)
		if err != nil {
			return
		}
		version = v.Version
		select {
		case rooms <- v:
		case <-ctx.Done():
			return
		}
	}
}

// met tells what is new in the room: how others come in, who asks for something,
// who drives, and answers to this participant.
func (f *frontend) met(v pair.View) {
	c := &f.room
	for _, s := range v.Said {
		if s.N > c.said {
			c.said = s.N
			f.say("%s", line(s.Text))
		}
	}
	if door := doorKey(v.Door); door != c.door {
		c.door = door
		f.tellDoor(v.Door)
	}
	if c.driver != "" && c.driver != v.Driver && v.Driver == v.Me {
		f.say("you drive now")
	}
	c.driver = v.Driver
	f.questions(v)
}

// doorKey changes when there is something new to say about a door.
func doorKey(d pair.Door) string { return d.Line + d.Code }

func (f *frontend) tellDoor(d pair.Door) {
	if d.Line == "" {
		f.say("the session is no longer shared")
		return
	}
	f.say("this session is shared; you are asked before anybody joins")
	f.print(d.Words(time.Now()))
}

// questions asks the host what is to be decided about others, each once.
func (f *frontend) questions(v pair.View) {
	open := map[string]bool{}
	for _, p := range v.People {
		if v.Role != role.Host || !p.Waiting && !p.Wants {
			continue
		}
		key, words := "wheel "+p.Name, p.Name+" asks for the wheel: to run and change the program as you can. wheel "+p.Name+" gives it"
		if p.Waiting {
			key, words = "in "+p.Name, knocks(p)
		}
		open[key] = true
		if !f.room.asked[key] {
			f.say("%s", line(words))
		}
	}
	f.room.asked = open
}

// knocks says who wants to come in, and what answers them.
func knocks(p pair.Person) string {
	words := p.Name + " wants to come in by " + p.Via
	if p.From != "" {
		words += " from " + p.From
	}
	words += ", as " + p.Role.String()
	answers := "admit " + p.Name + " lets them in, kick " + p.Name + " refuses"
	if p.Key == "" {
		return words + ", with no key to know them by. " + answers
	}
	return words + ", with the key " + p.Key + ". " + answers + ", ban " + p.Name + " refuses and bans the key"
}

// aboutRoom carries out a line about the shared session; false for any other.
func (f *frontend) aboutRoom(text string) bool {
	if f.opts.Seat == nil {
		return false
	}
	answer, known, err := f.opts.Seat.Command(text, nil)
	switch {
	case err != nil:
		f.say("error: %s", line(err.Error()))
	case known && answer != "":
		f.room.door = doorKey(f.opts.Seat.Door()) // the answer says how others come in
		f.print(answer)
	}
	return known
}

// concerns reports whether an answer is for this participant.
func (f *frontend) concerns(b *session.Notice) bool {
	return b.To == "" || f.opts.Seat == nil || b.To == f.opts.Seat.Name
}

// speaker is who wrote a note, where there are others.
func (f *frontend) speaker(actor string) string {
	if actor == "" || actor == "person" || f.opts.Seat == nil || actor == f.opts.Seat.Name {
		return ""
	}
	return line(actor) + ": "
}
