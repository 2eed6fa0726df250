package pair

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/session"
)

// Doors opens and closes what others come in through.
type Doors interface {
	// Share opens the door at an address, "" for the usual one.
	Share(addr string) error
	// Unshare closes all doors and sends everybody out.
	Unshare()
	// Invite makes a new invitation.
	Invite()
}

// SetDoors says who opens doors when the host asks for it.
func (r *Room) SetDoors(d Doors) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doors = d
}

// Usage is what can be typed about a shared session.
const Usage = `share [ADDR]      let others join over ssh, or through user@relay; again shows how
unshare           remove all guests and stop sharing
invite            a new invitation code
people            who is here, and in which role
admit NAME        let a guest in; kick NAME, ban NAME
wheel [NAME]      ask for the wheel; the host gives it, or takes it back
follow NAME       follow another person's view; follow off ends that
lead              ask the others to follow
say TEXT          a note about what the cursor is on; chat TEXT: a general note`

// Command carries out a line of the command line that is about the shared
// session; known is false for any other. pin is what the participant's cursor is on.
func (s *Seat) Command(line string, pin *session.Pin) (answer string, known bool, err error) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	one := func(do func(string) error, done string) (string, bool, error) {
		if err := do(rest); err != nil {
			return "", true, err
		}
		return fmt.Sprintf(done, rest), true, nil
	}
	if rest == "" {
		switch verb {
		case "share", "unshare", "invite":
			answer, err = s.door(verb, "")
			return answer, true, err
		case "people":
			return s.people(), true, nil
		case "wheel":
			return "", true, s.AskWheel()
		case "lead":
			if err := s.Lead(); err != nil {
				return "", true, err
			}
			return "the others were asked to follow", true, nil
		}
		return "", false, nil
	}
	switch verb {
	case "share":
		answer, err = s.door(verb, rest)
		return answer, true, err
	case "admit":
		return one(s.Admit, "%s is in")
	case "kick":
		return one(s.Kick, "%s is out")
	case "ban":
		return one(s.Ban, "%s is out, and stays out")
	case "wheel":
		return one(s.GiveWheel, "%s drives")
	case "follow":
		if rest == "off" {
			return "you follow nobody", true, s.Follow("")
		}
		return one(s.Follow, "you follow %s: follow off ends that")
	case "say":
		return "", true, s.Say(rest, pin)
	case "chat":
		return "", true, s.Say(rest, nil)
	}
	return "", false, nil
}

// door opens or closes what others come in through.
func (s *Seat) door(verb, addr string) (string, error) {
	s.room.mu.Lock()
	doors, open := s.room.doors, s.room.door
	s.room.mu.Unlock()
	switch {
	case !s.isHost():
		return "", errNotHost
	case doors == nil:
		return "", errors.New("this session cannot be shared")
	case verb == "unshare":
		doors.Unshare()
		return "the session is no longer shared", nil
	case verb == "invite":
		doors.Invite()
	case open.Line == "" || addr != "":
		if err := doors.Share(addr); err != nil {
			return "", err
		}
	}
	return s.Door().Words(time.Now()), nil
}

// Door says how others come in; only the host knows.
func (s *Seat) Door() Door {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if !s.isHost() {
		return Door{}
	}
	return s.room.door
}

// Words say how a colleague comes in.
func (d Door) Words(now time.Time) string {
	switch {
	case d.Line == "":
		return ""
	case d.Lost != "":
		return "Nobody gets in:     " + d.Lost + ". unshare, and share again"
	}
	lines := []string{"A colleague types:  " + d.Line}
	switch {
	case d.Withdrawn != "":
		lines = append(lines, "Invitation code:    none: "+d.Withdrawn+". invite makes a new one")
	case d.Code != "" && now.After(d.Expires):
		lines = append(lines, "Invitation code:    none: it has expired. invite makes a new one")
	case d.Code != "":
		left := max(d.Expires.Sub(now), 0).Round(time.Minute)
		lines = append(lines, fmt.Sprintf("Invitation code:    %s  (once, within %d minutes)", d.Code, int(left.Minutes())),
			fmt.Sprintf("… to look on only:  %s", d.LookCode))
	}
	return strings.Join(append(lines, "Host key:           "+d.Fingerprint), "\n")
}

// people lists who is here.
func (s *Seat) people() string {
	s.room.mu.Lock()
	v := s.view()
	s.room.mu.Unlock()
	var lines []string
	for _, p := range v.People {
		words := p.Name + "  " + p.Role.String()
		switch {
		case p.Waiting:
			words = p.Name + "  waits to be let in: admit " + p.Name
		case p.Looks:
			words += ", invited to look on only"
		case p.Wants:
			words += ", asks for the wheel: wheel " + p.Name
		}
		if p.Name == v.Me {
			words += "  (you)"
		}
		if p.Key != "" {
			words += "  " + p.Key
		}
		if p.From != "" {
			words += "  from " + p.From
		}
		lines = append(lines, words)
	}
	return strings.Join(append(lines, "", Usage), "\n")
}
