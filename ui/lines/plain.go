// Package lines is the frontend that works in lines: for screen readers, for scripts, and
// for terminals that can show nothing else. It prints what happens as sentences, one
// after the other, and takes commands line by line. It moves no cursor, uses no colors,
// and never rewrites what it has said.
//
// It is a frontend of the engine as the screen is: it knows the engine's events
// and intents, and neither Delve nor the screen.
package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/muesli/cancelreader"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
)

// Options of the frontend.
type Options struct {
	Input  io.Reader
	Output io.Writer
	// Script says that no person waits for answers: each line is
	// carried out when what it needs has come, and the end of the input ends the
	// session at the target's next stop.
	Script bool
	// Beside says that an editor shows stops, breakpoints and what is printed: only
	// what is found out and what becomes of fixes is told.
	Beside    bool
	Interrupt <-chan struct{}  // halts the running target, otherwise ends the session; may be nil
	Seat      *pair.Seat       // in a session that may be shared; nil where it cannot be
	Clock     func() time.Time // nil means time.Now
}

// ErrInterrupted is returned when the person interrupted what did not run.
var ErrInterrupted = errors.New("interrupted")

// frontend is one session in lines.
type frontend struct {
	live.Client
	*printer
	opts  Options
	ctx   context.Context
	state session.State
	live  live.State
	at    debugger.FrameRef // the selected frame
	room  company

	lines   <-chan string
	visited *live.Past // the newest session in the past that was shown

	next    *string        // a line that waits for what it needs
	losing  losing         // a step that was to be said again
	answer  func(yes bool) // a question that y or n answers; nil without one
	sent    *sent          // an intent whose answer has not come
	shows   time.Time      // since when the displayed expressions of this stop are waited for; zero where they are not
	until   time.Time      // what wait TIME waits for
	asked   bool           // fixes were asked for since the last crash
	said    live.Wanted    // the consent that was asked for
	last    time.Time      // when something happened last
	leaving bool           // it is being ended
	ended   bool           // the input has ended
	past    bool           // it is a session in the past
	over    bool           // the session has ended
	err     error
}

// sent is an intent whose answer is waited for.
type sent struct {
	at     time.Time
	wait   time.Duration // at most: not every intent leads to an event
	answer func(session.Event) bool
}

// Run reads and prints until the session ends: the person has quit, the input has ended,
// or ctx has.
func Run(ctx context.Context, e live.Client, o Options) error {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	input, err := cancelreader.NewReader(o.Input)
	if err != nil { // a regular file: its reads end by themselves
		input, err = cancelreader.NewReader(struct{ io.Reader }{o.Input})
	}
	if err != nil {
		return fmt.Errorf("read commands: %w", err)
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f := newFrontend(ctx, e, o)
	lines, updates, rooms := make(chan string), make(chan live.Update), make(chan pair.View)
	var helpers sync.WaitGroup
	helpers.Go(func() { readLines(ctx, input, lines) })
	helpers.Go(func() { follow(ctx, e, updates) })
	if o.Seat != nil {
		helpers.Go(func() { watchRoom(ctx, o.Seat, rooms) })
	}
	f.lines = lines
	f.converse(lines, updates, rooms)
	cancel()
	if input.Cancel() {
		helpers.Wait()
	} // else a read that cannot be interrupted goes on
	err = errors.Join(f.err, f.out.Flush())
	if err == nil && !f.over {
		err = context.Cause(outer)
	}
	return err
}

func newFrontend(ctx context.Context, e live.Client, o Options) *frontend {
	p := &printer{out: bufio.NewWriterSize(printable.NewWriter(o.Output), 64<<10)}
	return &frontend{Client: e, printer: p, opts: o, ctx: ctx, room: company{printer: p, seat: o.Seat}, state: session.NewState(), last: o.Clock()}
}

// maxLine bounds a command, in bytes.
const maxLine = 64 << 10

func readLines(ctx context.Context, r io.Reader, lines chan<- string) {
	defer close(lines)
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}

func follow(ctx context.Context, e live.Client, updates chan<- live.Update) {
	defer close(updates)
	var seq, version uint64
	for {
		u, err := e.Wait(ctx, seq, version)
		if err != nil {
			return
		}
		if n := len(u.Events); n > 0 {
			seq = u.Events[n-1].Seq
		}
		version = u.Live.Version
		select {
		case updates <- u:
		case <-ctx.Done():
			return
		}
	}
}

// beat is how often waiting is looked at again.
const beat = 100 * time.Millisecond

// converse carries lines out and prints what happens, until the session is over.
func (f *frontend) converse(lines <-chan string, updates <-chan live.Update, rooms <-chan pair.View) {
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for !f.over {
		input, tick := lines, ticker.C
		if f.next != nil || f.ended || f.leaving {
			input = nil
		}
		if f.next == nil && !f.ended {
			tick = nil
		}
		select {
		case line, ok := <-input:
			if !ok {
				f.ended = true
				break
			}
			f.next = &line
		case u, ok := <-updates:
			if !ok {
				f.over = true
				break
			}
			f.take(u)
		case v := <-rooms:
			f.room.met(v)
		case <-f.opts.Interrupt:
			f.interrupt()
		case <-f.ctx.Done():
			return
		case <-tick:
		}
		f.goOn()
		_ = f.out.Flush() // Run says what became of it
	}
}

// take tells what has happened.
func (f *frontend) take(u live.Update) {
	f.live = u.Live
	f.last = f.opts.Clock()
	for _, e := range u.Events {
		if _, stopped := e.Body.(*session.Stopped); stopped {
			f.printed() // it was printed before
		}
		f.state = f.state.Apply(e)
		f.happened(e)
		if f.sent != nil && f.sent.answer(e) {
			f.sent = nil
		}
	}
	f.printed()
	f.consent()
	visit(f, u.Live.Past)
}

// goOn carries the waiting line out once what it needs has come.
func (f *frontend) goOn() {
	switch {
	case f.next != nil && f.ready(*f.next):
		line := *f.next
		f.next = nil
		f.carryOut(line)
	case f.next == nil && f.ended && f.answer != nil:
		f.reply("n")
	case f.next == nil && f.ended && !f.leaving && f.free(needHeld):
		f.quit()
	}
}

// quit ends the session.
func (f *frontend) quit() {
	f.leaving = true
	f.Do(intent.Quit{})
}

// ready reports whether a line can be carried out now. A person is never kept
// waiting but by the word wait: the engine says what cannot be done now.
func (f *frontend) ready(line string) bool {
	if f.answer != nil {
		return true
	}
	word, _ := split(line)
	if !f.opts.Script && word != "wait" {
		return !f.opts.Clock().Before(f.until)
	}
	return f.free(needOf(line))
}

// free reports whether nothing is waited for any more, and what is needed is there.
func (f *frontend) free(n need) bool {
	if f.opts.Clock().Before(f.until) || f.sent != nil && f.opts.Clock().Sub(f.sent.at) < f.sent.patience(f.live) {
		return false
	}
	f.sent = nil
	return f.meets(n) && (n < needHeld || f.live.Command == nil) // else the line has more steps to take
}

// patience is how long to wait for an answer: longer while the engine executes the line, which
// may read a very deep stack.
func (s sent) patience(live live.State) time.Duration {
	if live.Command != nil {
		return max(s.wait, time.Minute)
	}
	return s.wait
}

// need is what has to be so before a line of a script is carried out.
type need int

const (
	needNothing   need = iota
	needLaunched       // there is a target, running or held
	needUnstarted      // it does not run, or not yet
	needHeld           // it does not run
	needSettled        // … and all fixes were proved
	needConsent        // a prompt waits to leave the machine, or none does by then
)

// quiet is after how long without news fixes are taken to be complete.
const quiet = 20 * time.Second

func (f *frontend) meets(n need) bool {
	if n == needConsent && f.live.Consent != nil {
		return true
	}
	switch f.state.Phase {
	case session.PhaseBroken, session.PhaseEnded:
		return true
	case session.PhaseNew, session.PhaseBuilding, session.PhaseStarting:
		return n == needNothing || n == needUnstarted
	case session.PhaseRunning:
		return n <= needLaunched
	}
	if n > needNothing && f.opts.Clock().Sub(f.shows) < soon {
		return false
	}
	if n < needSettled || f.state.CaseIndex() < 0 {
		return true
	}
	if len(f.state.Pendings()) > 0 && f.live.Consent == nil { // each ends by itself, but for one that waits for a person
		return false
	}
	if f.opts.Clock().Sub(f.last) > quiet && len(f.live.Proving) == 0 {
		return true
	}
	return f.asked && !slices.ContainsFunc(f.candidates(), session.CandidateRecord.Proving)
}

// interrupt halts what runs; otherwise it ends the session.
func (f *frontend) interrupt() {
	switch f.state.Phase {
	case session.PhaseRunning, session.PhaseStarting:
		f.say("halting")
		f.Do(intent.Halt{})
	default:
		f.err = ErrInterrupted
		f.Do(intent.Quit{Outcome: "interrupted"})
	}
}

// split is the first word of a line and the rest.
func split(line string) (word, rest string) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	return word, strings.TrimSpace(rest)
}
