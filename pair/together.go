package pair

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
)

// errNotHost refuses what only the host decides about participants.
var errNotHost = fmt.Errorf("only the host may do this: %w", role.ErrRefused)

// Watch returns the room once it is newer than a version.
func (s *Seat) Watch(ctx context.Context, version uint64) (View, error) {
	for {
		s.room.mu.Lock()
		v, changed := s.view(), s.room.changed
		s.room.mu.Unlock()
		if v.Version > version {
			return v, nil
		}
		select {
		case <-changed:
		case <-s.out:
			return v, s.why
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// view is the room as the participant sees it; the room's lock is held.
func (s *Seat) view() View {
	r := s.room
	v := View{Version: r.version + 1, Me: s.Name, Role: r.roleNow(s), Shared: r.shared || len(r.seats) > 0, Driver: r.host.Name,
		Follow: s.follow, Said: slices.Clone(s.said)}
	if r.wheel != nil {
		v.Driver = r.wheel.Name
	}
	if s.isHost() {
		v.Door = r.door
	}
	for _, o := range append([]*Seat{r.host}, r.seats...) {
		p := o.Person
		p.Role, p.Waiting = r.roleNow(o), !o.admitted
		if !s.isHost() {
			p.Key, p.From = "", ""
			if p.Waiting {
				continue
			}
		}
		v.People = append(v.People, p)
	}
	return v
}

// Look says where the participant looks.
func (s *Seat) Look(at Spot) {
	at.File, at.Value, at.Candidate = cut(at.File, 4096), cleanWords(at.Value, 200), cut(at.Candidate, 40)
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.Spot != at {
		s.Spot = at
		s.touchOften()
	}
}

// Was is where a participant who came back looked when their line was lost; nil
// for one who is new.
func (s *Seat) Was() *Spot {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if s.Spot == (Spot{}) {
		return nil
	}
	was := s.Spot
	return &was
}

// Follow has the participant's screen go where another one looks; "" ends that.
func (s *Seat) Follow(name string) error {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if name != "" {
		if err := s.speaks(); err != nil {
			return err
		}
		o, err := s.room.find(name)
		if err != nil {
			return err
		}
		if o == s {
			return errors.New("you cannot follow yourself")
		}
		name = o.Name
	}
	s.follow = name
	s.room.touch()
	return nil
}

// Lead asks all others to follow.
func (s *Seat) Lead() error {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if err := s.speaks(); err != nil {
		return err
	}
	for _, o := range append([]*Seat{s.room.host}, s.room.seats...) {
		if o != s {
			o.say("info", s.Name+" asks you to follow: follow "+s.Name)
		}
	}
	s.room.touch()
	return nil
}

// Say writes a note into the log, about what pin names, if anything. All see it.
func (s *Seat) Say(words string, pin *session.Pin) error {
	words = cleanWords(words, 2000)
	if words == "" {
		return errors.New("there is nothing to say")
	}
	s.room.mu.Lock()
	err := s.speaks()
	s.room.mu.Unlock()
	if err != nil {
		return err
	}
	return s.Try(intent.Note{Text: words, Pin: pin})
}

// errLooks is returned to a guest who was invited to look on.
var errLooks = errors.New("you were invited to look on only")

// AskWheel asks the host for the wheel; the driver gives it back.
func (s *Seat) AskWheel() error {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case s.isHost():
		r.turn(nil)
	case r.wheel == s:
		r.turn(nil)
	case s.Looks:
		return errLooks
	case s.Wants:
		s.unwish()
	case r.opts.Now().Before(s.limits.wishes):
		return fmt.Errorf("the host was asked a moment ago: you may ask again in %d seconds", secondsTo(r.opts.Now(), s.limits.wishes))
	default:
		s.Wants = true
	}
	r.touch()
	return nil
}

// wishPause is how long a guest does not ask for the wheel after a wish that was declined
// or withdrawn: each one is a question on the host's screen.
const wishPause = 10 * time.Second

// unwish ends the wish for the wheel; the room's lock is held.
func (s *Seat) unwish() {
	if s.Wants {
		s.Wants, s.limits.wishes = false, s.room.opts.Now().Add(wishPause)
	}
}

func secondsTo(now, then time.Time) int { return int(math.Ceil(then.Sub(now).Seconds())) }

// WantWheel asks the host for the wheel, if that was not asked.
func (s *Seat) WantWheel() error {
	s.room.mu.Lock()
	asked := s.Wants
	s.room.mu.Unlock()
	if asked {
		return nil
	}
	return s.AskWheel()
}

// Wanting reports whether the host has not yet answered the wish for the wheel.
func (s *Seat) Wanting() bool {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.Wants
}

// GiveWheel makes a participant the driver; their own name takes it back.
func (s *Seat) GiveWheel(name string) error {
	return s.asHost(name, func(o *Seat) error {
		if !o.admitted {
			return fmt.Errorf("%s cannot drive", o.Name)
		}
		if o.Looks {
			return advice.Add(fmt.Errorf("%s was invited to look on only", o.Name), "kick "+o.Name+", and send the other code")
		}
		if o == s {
			o = nil
		}
		s.room.turn(o)
		return nil
	})
}

// Return gives the wheel to a participant who had it and came back, unless another
// one has it by now.
func (s *Seat) Return(name string) error {
	return s.asHost(name, func(o *Seat) error {
		if s.room.wheel == nil {
			s.room.turn(o)
		}
		return nil
	})
}

// Decline answers the wish for the wheel with no.
func (s *Seat) Decline(name string) error {
	return s.asHost(name, func(o *Seat) error {
		o.unwish()
		o.say("info", "the host keeps the wheel for now")
		return nil
	})
}

// turn gives the wheel to a participant, nil for the host; r.mu is held.
func (r *Room) turn(to *Seat) {
	if r.wheel == to {
		return
	}
	if was := r.wheel; was != nil {
		r.engine.DoAs(intent.Author{}, intent.Dismiss{Name: was.Name})
	}
	r.wheel = to
	name := r.host.Name
	if to != nil {
		to.Wants, name = false, to.Name
	}
	r.announce(name, "drives now")
}

// Admit lets a newcomer in.
func (s *Seat) Admit(name string) error {
	return s.asHost(name, func(o *Seat) error {
		if o.admitted {
			return fmt.Errorf("%s is in already", o.Name)
		}
		s.room.admit(o)
		return nil
	})
}

// Kick ends a participant's part, or refuses a newcomer.
func (s *Seat) Kick(name string) error {
	return s.asHost(name, func(o *Seat) error {
		if o == s {
			return errors.New("the host cannot be kicked")
		}
		why := ErrKicked
		if !o.admitted {
			why = ErrRefused
		}
		delete(s.room.known, o.Key) // they have to be admitted again
		s.room.remove(o, why)
		return nil
	})
}

// Ban is Kick, and lets the key not in again.
func (s *Seat) Ban(name string) error {
	return s.asHost(name, func(o *Seat) error {
		if o == s {
			return errors.New("the host cannot be kicked")
		}
		s.room.remove(o, ErrBanned)
		if o.Key != "" {
			s.room.known[o.Key] = record{name: o.Name, color: o.Color, banned: true}
		}
		return nil
	})
}

// asHost does what only the host may, to a participant of a name.
func (s *Seat) asHost(name string, do func(*Seat) error) error {
	r := s.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.isHost() {
		return errNotHost
	}
	o, err := r.find(name)
	if err != nil {
		return err
	}
	err = do(o)
	r.touch()
	return err
}

// find finds a participant by their name; r.mu is held.
func (r *Room) find(name string) (*Seat, error) {
	for _, s := range append([]*Seat{r.host}, r.seats...) {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
	}
	return nil, fmt.Errorf("nobody in this session is called %q", cleanWords(name, 40))
}

// credentials say how a participant came in.
func (s *Seat) credentials() string {
	words := s.Via
	if s.Key != "" {
		words += ", key " + s.Key
	}
	if s.From != "" {
		words += ", from " + s.From
	}
	return words
}
