package target

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

// Round is one launch of the target, from start to end.
type Round struct {
	Number  int
	Target  look.Target
	Console *Terminal
	Buffer  *output.Buffer
	sizes
	Running     bool
	Move        debugger.Move   // the last one, or the one under way
	Ahead       []ahead         // steps that were asked for while one was under way
	After       []Line          // command lines that were entered after those
	Pending     []session.Input // recorded input that is not typed again yet
	Since       time.Time       // when it last began to run
	going       time.Time       // the same, but for halts of the engine's own
	Ran         time.Duration   // in all before that, not counting when it was held
	Ended       bool
	Interrupted bool               // the person wants it halted as soon as it runs
	Frozen      bool               // it shows the snapshot that the session goes on from
	Lost        bool               // the debugger has failed; the target may live
	Moment      *rewind.Moment     // of a run in the past; else nil
	Plan        repro.Plan         // the repro command
	Printed     *repro.Watcher     // nil unless something is to be run once a text was printed
	Line        LineSeen           // what it shows of the line that failed
	Replied     time.Time          // when the repro command has ended; zero before
	Ctx         context.Context    // of what belongs to the round: the replay of input
	Cancel      context.CancelFunc // ends it
}

// sizes are those of the terminal of a round.
type sizes struct {
	Opened  sandbox.Size // with which it begins
	Size    sandbox.Size // since the program draws
	resized time.Time    // when it was last given another size; zero before
	Shown   sandbox.Size // of what it is shown in
}

// ahead is a step that follows the one under way.
type ahead struct {
	move debugger.Move
	by   intent.Author
}

// age is how long the target has run, without the time that it was held.
func (r *Round) age(now time.Time) time.Duration {
	if r.Running {
		return r.Ran + now.Sub(r.Since)
	}
	return r.Ran
}

// AwaitDrawing waits until the target draws, as it did when its input was typed, though not
// for long: it may have been changed.
func (r *Round) AwaitDrawing() {
	for late := time.After(10 * time.Second); !r.Buffer.Draws(); {
		select {
		case <-r.Ctx.Done():
			return
		case <-late:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Close ends the round's process and terminal. A process that cannot be
// killed is the supervisor's to deal with.
func (r *Round) Close() {
	r.Cancel()
	ClosePast(r.Moment, r.Target)
	r.Console.Drain()
}

// LineSeen is what a round shows of the failing line.
type LineSeen struct{ Awaited, Come bool }

// Line is a line with who gave it.
type Line struct {
	intent.Evaluate
	By      intent.Author
	Number  uint64 // of the lines of this session
	Dropped string // why it is not carried out; empty where it is
}
