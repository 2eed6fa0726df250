// Package pair implements shared sessions: who takes part, in which role, who drives, and
// where each participant looks.
//
// A Room shares one engine. Each participant has a Seat, which is an engine to
// its frontend: it hands over what the participant's role includes, in their
// name, and refuses the rest. The rules are:
//
//   - Nobody has a seat whom the host has not admitted.
//   - No frontend of a participant reaches the engine but through a seat.
//   - A participant who is slow or silent delays no other: seats are read from
//     (Wait, Watch), nothing is sent to them, and what they send is limited.
//   - Everything that participants say of themselves is cleaned and bounded here.
//
// The package knows no network, no protocol and no screen.
package pair

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/pair/role"
	"github.com/pausetui/pausetui/session"
)

// The reasons why somebody is not in the session, or not any more.
var (
	ErrFull     = errors.New("the session is full")
	ErrBanned   = errors.New("the host does not want you in this session")
	ErrRefused  = errors.New("the host did not admit you")
	ErrKicked   = errors.New("the host removed you from the session")
	ErrLeft     = errors.New("you have left the session")
	ErrReplaced = errors.New("you have joined again from another place")
	ErrUnshared = errors.New("the host no longer shares the session")
	ErrOver     = errors.New("the session has ended")
)

// Engine is what a room shares; *engine.Engine is one.
type Engine interface {
	live.Client
	DoAs(intent.Author, intent.Intent)
	State() session.State
	// UseTool, Screened, ScreenedStop and ScreenedCode are for agents, see engine.Engine.
	UseTool(ctx context.Context, name string, arguments map[string]any) (string, error)
	Screened(text string) string
	ScreenedStop(stop debugger.Stop) debugger.Stop
	ScreenedCode(answer session.Evaluated) session.Evaluated
	// Unseen is for conditions of agents' breakpoints.
	Unseen(expr string) error
}

// Options are the settings of a room.
type Options struct {
	Host      string           // what the host is called; "host" when empty
	Most      int              // guests at a time, those that wait included; 8 when 0
	TwoPerson bool             // the author of an edit may not be the one who approves it
	MayApply  bool             // agents may apply what they propose
	Patience  time.Duration    // how long a newcomer waits to be admitted; 2 minutes when 0
	Now       func() time.Time // nil means time.Now
}

// Newcomer is somebody who wants to take part.
type Newcomer struct {
	Name  string // as they call themselves
	Key   string // fingerprint of the key that they proved to have; empty without one
	From  string // where from: an address, or what they came in with
	Via   string // "ssh", "editor", "agent"
	Agent bool   // a program
	Looks bool   // invited to look on only
}

// Spot is where a participant looks.
type Spot struct {
	At        debugger.FrameRef
	File      string // absolute
	Line      int
	Candidate string // while a fix is read
	Value     string // the expression of the value under the cursor; empty without one
}

// Person is a participant, as the others see them.
type Person struct {
	Name, Key, From, Via string
	Role                 role.Role
	Color                int  // tells participants apart, from 0
	Waiting              bool // to be admitted
	Wants                bool // the wheel
	Looks                bool // was invited to look on, and never drives
	Spot                 Spot
}

// View is a room as one participant sees it.
type View struct {
	Version uint64
	Me      string
	Role    role.Role
	Shared  bool     // there are others, or others may come
	People  []Person // in the order in which they came, the host first; who waits only for the host
	Driver  string   // the host's name unless the wheel is given away
	Follow  string   // whom this participant follows; empty for nobody
	Said    []Said   // the last answers to this participant alone
	Door    Door     // how others come in; only for the host
}

// Said is an answer to one participant.
type Said struct {
	N     uint64 // counts in a room
	Level string
	Text  string
}

// Door says how others come in.
type Door struct {
	Line        string // to be typed by a colleague; empty while there is no door
	Fingerprint string // of the host key
	Code        string // of the invitation; empty where keys are used
	LookCode    string // of the invitation to look on only, as good as Code
	Expires     time.Time
	Withdrawn   string // why the code is gone; empty otherwise
	Lost        string // why nobody gets through any more; empty otherwise
}

// Room is a session that may be shared.
type Room struct {
	engine Engine
	opts   Options

	mu      sync.Mutex // guards all below
	version uint64
	changed chan struct{} // closed and replaced at each change
	shared  bool
	over    error
	host    *Seat
	seats   []*Seat // with those that wait
	wheel   *Seat   // nil: the host's
	known   map[string]record
	names   map[string]Person // that were taken in this session, in lower case, and by whom
	said    uint64
	colors  int
	door    Door
	doors   Doors
}

// record is what is remembered of a key in this session.
type record struct {
	name   string
	color  int
	banned bool
	looks  bool
	spot   Spot
	limits *limits // a new connection is no new allowance
}

// New returns a room with its host, which nobody else can enter yet.
func New(e Engine, o Options) *Room {
	if o.Most == 0 {
		o.Most = 8
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	r := &Room{engine: e, opts: o, changed: make(chan struct{}), known: map[string]record{}, names: map[string]Person{}}
	name := cleanName(o.Host)
	if reserved(name) {
		name = "host"
	}
	r.host = newSeat(r, Person{Name: name, Role: role.Host, Via: "here"})
	r.host.admitted = true
	r.colors = 1
	return r
}

// Host is the seat of the person whose session it is.
func (r *Room) Host() *Seat { return r.host }

// Open lets newcomers in from now on, through a door that the host sees. The host
// is told if its code was withdrawn.
func (r *Room) Open(d Door) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d.Lost != "" && r.door.Lost == "" {
		r.host.say("warn", d.Lost+": unshare, and share again")
	}
	if d.Withdrawn != "" && r.door.Withdrawn == "" {
		r.host.say("warn", d.Withdrawn+": invite makes a new one")
	}
	r.shared, r.door = true, d
	r.touch()
}

// Expect lets newcomers in from now on, through other doors than the host's view of Door.
func (r *Room) Expect() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shared = true
	r.touch()
}

// Shut ends the parts of all others; reason is shown to them.
func (r *Room) Shut(reason error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shared, r.door = false, Door{}
	if errors.Is(reason, ErrOver) {
		r.over = reason
	}
	for _, s := range slices.Clone(r.seats) {
		r.remove(s, reason)
	}
	r.touch()
}

// Knows reports whether a key was admitted in this session, and is welcome.
func (r *Room) Knows(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.known[key]
	return ok && key != "" && !k.banned
}

// touch wakes all calls of Watch; r.mu is held.
func (r *Room) touch() {
	r.version++
	close(r.changed)
	r.changed = make(chan struct{})
}

// Join waits until the host admits a newcomer, and returns their seat. Who was
// admitted before with the same key is admitted at once.
func (r *Room) Join(ctx context.Context, n Newcomer) (*Seat, error) {
	s, err := r.knock(n)
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(r.opts.Patience)
	defer timer.Stop()
	select {
	case <-s.in:
	case <-s.out:
		return nil, s.why
	case <-timer.C:
		return nil, r.drop(s, ErrRefused)
	case <-ctx.Done():
		return nil, r.drop(s, ctx.Err())
	}
	return s, nil
}

// Enter gives a seat to what the host has started, without asking.
func (r *Room) Enter(n Newcomer) (*Seat, error) {
	s, err := r.knock(n)
	if err != nil {
		return nil, err
	}
	return s, r.host.Admit(s.Name)
}

// knock announces a newcomer to the host.
func (r *Room) knock(n Newcomer) (*Seat, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old, known := r.known[n.Key]
	switch {
	case r.over != nil:
		return nil, r.over
	case !r.shared:
		return nil, ErrUnshared
	case n.Key != "" && known && old.banned:
		return nil, ErrBanned
	case len(r.seats) >= r.opts.Most:
		return nil, ErrFull
	}
	known = known && n.Key != "" && !n.Agent
	p := Person{Key: cut(n.Key, 80), From: cleanWords(n.From, 60), Via: n.Via, Role: r.roleOf(n), Looks: n.Looks}
	if known {
		p.Name, p.Color, p.Spot, p.Looks = old.name, old.color, old.spot, old.looks
		r.replace(n.Key)
	} else {
		p.Name, p.Color = r.takeName(cleanName(n.Name), p), r.colors
		r.colors++
	}
	s := newSeat(r, p)
	r.seats = append(r.seats, s)
	if known {
		s.limits = old.limits
		r.admit(s)
	}
	r.touch()
	return s, nil
}

// replace ends the seat of a key that comes in again: its connection was lost.
func (r *Room) replace(key string) {
	for _, s := range slices.Clone(r.seats) {
		if s.Key == key {
			r.remove(s, ErrReplaced)
		}
	}
}

func (r *Room) roleOf(n Newcomer) role.Role {
	switch {
	case n.Agent && r.opts.MayApply:
		return role.Approver
	case n.Agent:
		return role.Agent
	}
	return role.Viewer
}

// admit gives a newcomer their seat; r.mu is held.
func (r *Room) admit(s *Seat) {
	s.admitted = true
	close(s.in)
	if s.Key != "" {
		r.known[s.Key] = record{name: s.Name, color: s.Color, spot: s.Spot, looks: s.Looks, limits: s.limits}
	}
	r.announce(s.Name, "joined as "+s.Role.String()+", "+s.credentials())
}

// announce writes a line into the log in somebody's name.
func (r *Room) announce(name, words string) {
	r.engine.DoAs(intent.Author{Name: name}, intent.Note{Text: words})
}

// drop takes away a seat and says why.
func (r *Room) drop(s *Seat, why error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remove(s, why)
	r.touch()
	return why
}

// departure says how somebody has left.
func departure(why error) string {
	switch {
	case errors.Is(why, ErrKicked):
		return "was removed by the host"
	case errors.Is(why, ErrBanned):
		return "was banned by the host"
	case errors.Is(why, ErrReplaced):
		return "joined again from another place"
	}
	return "left"
}

// remove ends a seat, once; r.mu is held.
func (r *Room) remove(s *Seat, why error) {
	i := slices.Index(r.seats, s)
	if i < 0 {
		return
	}
	r.seats = slices.Delete(r.seats, i, i+1)
	if r.wheel == s {
		r.wheel = nil
	}
	s.unwish()
	if s.admitted {
		if k, ok := r.known[s.Key]; ok && s.Key != "" {
			k.spot = s.Spot
			r.known[s.Key] = k
		}
		r.engine.DoAs(intent.Author{}, intent.Dismiss{Name: s.Name})
		r.announce(s.Name, departure(why))
	}
	s.why = why
	close(s.out)
}
