package engine

import (
	"context"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// round is one launch of the target, from start to end.
type round struct {
	number  int
	target  look.Target
	console *tty
	buffer  *output.Buffer
	sizes
	running     bool
	move        debugger.Move   // the last one, or the one under way
	ahead       []ahead         // steps that were asked for while one was under way
	after       []authored      // command lines that were entered after those
	pending     []session.Input // recorded input that is not typed again yet
	since       time.Time       // when it last began to run
	going       time.Time       // the same, but for halts of the engine's own
	ran         time.Duration   // in all before that, not counting when it was held
	ended       bool
	interrupted bool               // the person wants it halted as soon as it runs
	frozen      bool               // it shows the snapshot that the session goes on from
	lost        bool               // the debugger has failed; the target may live
	moment      *rewind.Moment     // of a run in the past; else nil
	plan        repro.Plan         // the repro command
	printed     *repro.Watcher     // nil unless something is to be run once a text was printed
	line        lineSeen           // what it shows of the line that failed
	replied     time.Time          // when the repro command has ended; zero before
	ctx         context.Context    // of what belongs to the round: the replay of input
	cancel      context.CancelFunc // ends it
}

// sizes are those of the terminal of a round.
type sizes struct {
	opened  sandbox.Size // with which it begins
	size    sandbox.Size // since the program draws
	resized time.Time    // when it was last given another size; zero before
	shown   sandbox.Size // of what it is shown in
}

// ahead is a step that follows the one under way.
type ahead struct {
	move debugger.Move
	by   intent.Author
}

// age is how long the target has run, without the time that it was held.
func (r *round) age(now time.Time) time.Duration {
	if r.running {
		return r.ran + now.Sub(r.since)
	}
	return r.ran
}

// awaitDrawing waits until the target draws, as it did when its input was typed, though not
// for long: it may have been changed.
func (r *round) awaitDrawing() {
	for late := time.After(10 * time.Second); !r.buffer.Draws(); {
		select {
		case <-r.ctx.Done():
			return
		case <-late:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// close ends the round's process and terminal. A process that cannot be
// killed is the supervisor's to deal with.
func (r *round) close() {
	r.cancel()
	closePast(r.moment, r.target)
	r.console.drain()
}
