package lines

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
)

// company talks about the others of a shared session.
type company struct {
	*printer
	seat   *pair.Seat      // nil in a session that cannot be shared
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
func (c *company) met(v pair.View) {
	for _, s := range v.Said {
		if s.N > c.said {
			c.said = s.N
			c.say("%s", line(s.Text))
		}
	}
	if door := doorKey(v.Door); door != c.door {
		c.door = door
		if v.Door.Withdrawn == "" && v.Door.Lost == "" { // else the answer has said so
			c.tellDoor(v.Door)
		}
	}
	if c.driver != "" && c.driver != v.Driver && v.Driver == v.Me {
		c.say("you drive now")
	}
	c.driver = v.Driver
	c.questions(v)
}

// doorKey changes when there is something new to say about a door.
func doorKey(d pair.Door) string { return d.Line + d.Code + d.Lost }

func (c *company) tellDoor(d pair.Door) {
	if d.Line == "" {
		c.say("the session is no longer shared")
		return
	}
	c.say("this session is shared; you are asked before anybody joins")
	c.print(d.Words(time.Now()))
}

// questions asks the host what is to be decided about others, each once.
func (c *company) questions(v pair.View) {
	open := map[string]bool{}
	for _, p := range v.People {
		if v.Role != role.Host || !p.Waiting && !p.Wants {
			continue
		}
		does := "run and change the program as you can"
		if p.Role.IsAgent() {
			does = "run the program, and to set breakpoints and variables"
		}
		key, words := "wheel "+p.Name, p.Name+" asks for the wheel: to "+does+". wheel "+p.Name+" gives it"
		if p.Waiting {
			key, words = "in "+p.Name, knocks(p)
		}
		open[key] = true
		if !c.asked[key] {
			c.say("%s", line(words))
		}
	}
	c.asked = open
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

// carryOut carries out a line about the shared session; false for any other.
func (c *company) carryOut(text string) bool {
	if c.seat == nil {
		return false
	}
	answer, known, err := c.seat.Command(text, nil)
	switch {
	case err != nil:
		c.say("error: %s", line(err.Error()))
	case known && answer != "":
		c.door = doorKey(c.seat.Door()) // the answer says how others come in
		c.print(answer)
	}
	return known
}

// concerns reports whether an answer is for this participant.
func (c *company) concerns(b *session.Notice) bool {
	return b.To == "" || c.seat == nil || b.To == c.seat.Name
}

// speaker is who wrote a note, where there are others.
func (c *company) speaker(actor string) string {
	if actor == "" || actor == "person" || c.seat == nil || actor == c.seat.Name {
		return ""
	}
	return line(actor) + ": "
}
