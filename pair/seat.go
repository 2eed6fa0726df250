package pair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
)

// Seat is one participant's place in a room. It is the engine of their frontend.
type Seat struct {
	Person // guarded by the room's lock, but for what never changes: Name, Key, From, Via, Color
	room   *Room
	in     chan struct{} // closed when admitted
	out    chan struct{} // closed at the end; why then says the reason
	why    error
	limits *limits

	admitted bool
	follow   string
	said     []Said
	touching bool // a call of touch is due
}

var _ live.Client = (*Seat)(nil)

func newSeat(r *Room, p Person) *Seat {
	return &Seat{Person: p, room: r, in: make(chan struct{}), out: make(chan struct{}), limits: newLimits(r.opts.Now)}
}

// What a guest may hand over.
const (
	maxText     = 64 << 10 // bytes of a line, or of what is typed into the target
	intentsMost = 200      // at once
	intentsRate = 60       // a second
)

// Do hands over an intent in the participant's name, if their role includes it;
// else they see why not. For a guest, Quit leaves.
func (s *Seat) Do(i intent.Intent) {
	if _, quits := i.(intent.Quit); quits && !s.isHost() {
		s.Leave()
		return
	}
	if err := s.Try(i); err != nil {
		s.tell(err)
	}
}

// Try is Do that returns why the intent was not handed over.
func (s *Seat) Try(i intent.Intent) error {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if err := s.check(i); err != nil {
		return err
	}
	s.room.engine.DoAs(s.author(), i)
	return nil
}

// check tells why an intent is not handed over; the room's lock is held.
func (s *Seat) check(i intent.Intent) error {
	r := s.room
	if s.isHost() {
		return r.twoPerson(s, i)
	}
	select {
	case <-s.out:
		return s.why
	default:
	}
	if !s.admitted {
		return ErrRefused
	}
	if !s.limits.intents.take() {
		return errors.New("too many requests at once: wait a moment")
	}
	if err := r.roleNow(s).Check(i); err != nil {
		return err
	}
	if err := bounded(i); err != nil {
		return err
	}
	return r.twoPerson(s, i)
}

// bounded refuses what is longer than any person types, whatever it is. The engine bounds
// files, and a prompt that was edited.
func bounded(i intent.Intent) error {
	switch is := i.(type) {
	case intent.Propose:
		names := slices.Collect(maps.Keys(is.Files))
		for _, r := range is.Replace {
			names = append(names, r.File)
		}
		i = intent.Note{Text: strings.Join(append(names, is.Title, is.Explanation), " ")}
	case intent.Revise:
		i = intent.Note{Text: strings.Join(append(slices.Collect(maps.Keys(is.Files)), is.Candidate, is.Title), " ")}
	case intent.Ask:
		is.Draft = nil
		i = is
	}
	if n := lengthOf(reflect.ValueOf(i)); n > maxText {
		return fmt.Errorf("%d bytes; at most %d", n, maxText)
	}
	return nil
}

// lengthOf is that of all texts in a value together, and of its lists.
func lengthOf(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		return v.Len()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return lengthOf(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		n = v.Len()
		for i := range v.Len() {
			n += lengthOf(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			n += 1 + lengthOf(key) + lengthOf(v.MapIndex(key))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			n += lengthOf(field)
		}
	}
	return n
}

// twoPerson refuses to let the author of an edit be the one who approves it,
// where that is wanted.
func (r *Room) twoPerson(s *Seat, i intent.Intent) error {
	a, ok := i.(intent.Approve)
	if !ok || !r.opts.TwoPerson {
		return nil
	}
	author := r.authorOf(a.Candidate)
	if author == s.Name || s.isHost() && author == "person" {
		return advice.Add(fmt.Errorf("%s is your own edit, and --two-person requires another person to approve it", a.Candidate), "ask another participant")
	}
	return nil
}

// authorOf is the actor of the event that proposed a candidate.
func (r *Room) authorOf(candidate string) string {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // all there is by now, without waiting
	u, err := r.engine.Wait(ctx, 0, 0)
	if err != nil && len(u.Events) == 0 {
		return ""
	}
	for _, e := range u.Events {
		if p, ok := e.Body.(*session.Proposed); ok && p.Candidate.ID == candidate {
			return e.Actor
		}
	}
	return ""
}

func (s *Seat) isHost() bool { return s.room.host == s }

// author is how the engine knows the participant.
func (s *Seat) author() intent.Author {
	if s.isHost() && !s.room.shared && len(s.room.known) == 0 {
		return intent.Author{} // as in a session that was never shared
	}
	return intent.Author{Name: s.Name, Guest: !s.isHost()}
}

// roleNow is a participant's role; the room's lock is held.
func (r *Room) roleNow(s *Seat) role.Role {
	if r.wheel == s {
		return s.Role.WithWheel()
	}
	return s.Role
}

// tell answers a participant alone. The reason is enough: role.ErrRefused says
// no more to the person than that, so its words are left out.
func (s *Seat) tell(err error) {
	words := err.Error()
	words = strings.TrimSuffix(words, ": "+role.ErrRefused.Error())
	if hint := advice.Of(err); hint != "" {
		words += " — " + hint
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	s.say("warn", words)
	s.touchOften()
}

// say keeps the last answers to a participant; the room's lock is held.
func (s *Seat) say(level, words string) {
	s.room.said++
	s.said = append(s.said, Said{s.room.said, level, words})
	if extra := len(s.said) - 20; extra > 0 {
		s.said = s.said[extra:]
	}
}

// Wait implements live.Client. It returns io.EOF when the participant's part,
// or the session, has ended.
func (s *Seat) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	if s.isHost() {
		return s.room.engine.Wait(ctx, after, version)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-s.out:
			cancel()
		case <-stop:
		}
	}()
	u, err := s.room.engine.Wait(inner, after, version)
	select {
	case <-s.out:
		return live.Update{}, io.EOF
	default:
	}
	u.Live.Consent = nil // what leaves this machine is the host's to decide
	if s.RoleNow() < role.Driver {
		u.Live.Preview = nil
	}
	return u, err
}

// Inspector implements live.Client. All roles may read the paused target:
// reading runs none of its code.
func (s *Seat) Inspector() debugger.Inspector { return s.room.engine.Inspector() }

// Sources implements live.Client.
func (s *Seat) Sources() live.Sources { return s.room.engine.Sources() }

// SourceOf implements live.Client.
func (s *Seat) SourceOf(name string) ([]byte, error) { return s.room.engine.SourceOf(name) }

// Output implements live.Client.
func (s *Seat) Output() *output.Buffer { return s.room.engine.Output() }

// UseTool looks at the paused program for an agent.
func (s *Seat) UseTool(ctx context.Context, name string, arguments map[string]any) (string, error) {
	if err := s.Why(); err != nil {
		return "", err
	}
	return s.room.engine.UseTool(ctx, name, arguments)
}

// Screened takes secrets out of a text for an agent.
func (s *Seat) Screened(text string) string { return s.room.engine.Screened(text) }

// ScreenedStop hides the secrets among the values of a stop for an agent.
func (s *Seat) ScreenedStop(stop debugger.Stop) debugger.Stop {
	return s.room.engine.ScreenedStop(stop)
}

// ScreenedCode hides the texts of the source in instructions for an agent.
func (s *Seat) ScreenedCode(answer session.Evaluated) session.Evaluated {
	return s.room.engine.ScreenedCode(answer)
}

// Unseen says why an agent may not have an expression evaluated where its value decides
// what happens.
func (s *Seat) Unseen(expr string) error { return s.room.engine.Unseen(expr) }

// State is the session's state now.
func (s *Seat) State() session.State { return s.room.engine.State() }

// RoleNow is what the participant may do now.
func (s *Seat) RoleNow() role.Role {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	return s.room.roleNow(s)
}

// Out is closed when the participant's part has ended; Why then says the reason.
func (s *Seat) Out() <-chan struct{} { return s.out }

// Why is the reason why the participant's part has ended; nil while it has not.
func (s *Seat) Why() error {
	select {
	case <-s.out:
		return s.why
	default:
		return nil
	}
}

// Leave ends the participant's part.
func (s *Seat) Leave() { _ = s.room.drop(s, ErrLeft) }

// limits bound what a guest sends. The room's lock guards them.
type limits struct {
	intents, words bucket
	touches        bucket    // of the others, by what the guest repeats without a word
	wishes         time.Time // for the wheel are refused until then
}

func newLimits(now func() time.Time) *limits {
	return &limits{
		intents: bucket{now: now, most: intentsMost, rate: intentsRate}, words: bucket{now: now, most: 10, rate: 2},
		touches: bucket{now: now, most: 10, rate: float64(time.Second / touchPause)},
	}
}

// speaks takes one of the few words that a guest has for the others; the room's lock is held.
func (s *Seat) speaks() error {
	if s.isHost() || s.limits.words.take() {
		return nil
	}
	return errors.New("too much was said at once: wait a moment")
}

// touchPause is how long the others do not see what a guest repeats too fast.
const touchPause = 100 * time.Millisecond

// touchOften is touch for what a guest may repeat as often as they like: the others see the
// last of it. The room's lock is held.
func (s *Seat) touchOften() {
	switch {
	case s.touching:
	case s.isHost() || s.limits.touches.take():
		s.room.touch()
	default:
		s.touching = true
		time.AfterFunc(touchPause, func() {
			s.room.mu.Lock()
			defer s.room.mu.Unlock()
			s.touching = false
			s.room.touch()
		})
	}
}

// bucket lets so many things through at once, and so many a second.
type bucket struct {
	now        func() time.Time
	most, rate float64
	used       float64
	last       time.Time
}

func (b *bucket) take() bool {
	now := b.now()
	if !b.last.IsZero() {
		b.used = max(b.used-now.Sub(b.last).Seconds()*b.rate, 0)
	}
	b.last = now
	if b.used+1 > b.most {
		return false
	}
	b.used++
	return true
}

// Size is that of a participant's terminal, in cells.
type Size struct{ Width, Height int }

// The sizes of guests' screens that are drawn.
var (
	SmallestGuest = Size{20, 5}
	LargestGuest  = Size{500, 200}
)

// Within is the nearest size that is neither smaller nor larger than those.
func (s Size) Within(smallest, largest Size) Size {
	return Size{min(max(s.Width, smallest.Width), largest.Width), min(max(s.Height, smallest.Height), largest.Height)}
}
