package proof

import (
	"errors"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/rewind"
)

// InFrame asks for the history of an expression in a frame of a stop.
func InFrame(stop debugger.Stop, frame int, expr string) (history.Query, error) {
	for _, f := range stop.Frames {
		if f.Index == frame {
			return history.Query{File: f.File, Line: f.Line, Depth: debugger.LiteralDepth(f.Function), Expr: expr, Within: frame > stop.Panic.Culprit, Shared: stop.Panic.Class == debugger.ConcurrentMap}, nil
		}
	}
	return history.Query{}, errors.New("the frame is not known any more")
}

// reportedBefore is how many failures of the test that a stop is about the same line had
// reported before, since the program started.
func reportedBefore(ws workspace.Workspace, s session.State, stop debugger.Stop) (n int) {
	if stop.Test == nil {
		return 0
	}
	file, line := rewind.Reporter(ws, stop)
	for _, earlier := range s.Stops {
		t := earlier.Stop.Test
		if t == nil || earlier.Round != s.Round || !earlier.Stop.At.Before(stop.At) || gotest.Top(t.Name) != gotest.Top(stop.Test.Name) {
			continue
		}
		if f, l := rewind.Reporter(ws, earlier.Stop); f == file && l == line {
			n++
		}
	}
	return n
}

// stoppedBefore is how often the program has stopped at the place of a panic before, since it
// was started, and went on.
func stoppedBefore(s session.State, stop debugger.Stop) (n int) {
	file, line := culpritOf(stop)
	for _, earlier := range s.Stops {
		if earlier.Round != s.Round || !earlier.Stop.At.Before(stop.At) || !earlier.Stop.LivesOn() {
			continue
		}
		if f, l := culpritOf(earlier.Stop); f == file && l == line {
			n++
		}
	}
	return n
}

func culpritOf(stop debugger.Stop) (file string, line int) {
	if stop.Panic != nil && stop.Panic.Culprit >= 0 && stop.Panic.Culprit < len(stop.Frames) {
		f := stop.Frames[stop.Panic.Culprit]
		return f.File, f.Line
	}
	return "", 0
}

// observes reports whether a run in the sandbox is to show where the bad value came from:
// where somebody is there to read it, or the source does not tell.
func (pr *Proofs) observes(c *Case, d evidence.Diagnosis) (history.Query, bool) {
	if pr.Opts.Target.Headless && !d.Guess || c.Verifier == nil || c.subject.Code == nil || d.Expr == "" {
		return history.Query{}, false
	}
	q, err := InFrame(c.Evidence.Stop, c.Evidence.Stop.Panic.Culprit, d.Expr)
	q.Exact = true
	return q, err == nil
}

// observe starts that run, and records what it has shown.
func (pr *Proofs) observe(c *Case, d evidence.Diagnosis, q history.Query) {
	pr.Job(func() {
		h, err := c.Verifier.Why(c.Ctx, q, true)
		if err == nil {
			stop := c.Evidence.Stop
			look.Beside(c.Ctx, c.Evidence.Inspect, debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Panic.Culprit}, &h)
		}
		tells := err == nil && h.Tells()
		if !tells && !d.Guess {
			return // the source has said what it can
		}
		d.Guess = false
		if tells {
			d.Observed, d.History = h.WithoutValues().Sentence(), &h // models and exports get the sentence
			c.observed.Store(&d)
		}
		pr.Post(func() {
			if pr.Open == c {
				pr.Append(session.EngineActor, &session.Diagnosed{Diagnosis: d})
			}
		})
	})
}

// ranBefore is how long the target ran before the stop that a snapshot was taken
// of, as far as the journal says.
func ranBefore(s session.State, fingerprint string) time.Duration {
	for _, record := range slices.Backward(s.Stops) {
		if p := record.Stop.Panic; p != nil && p.Fingerprint == fingerprint && record.Ran > 0 {
			return record.Ran
		}
	}
	return 0
}
