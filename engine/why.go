package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/rewind"
)

// Why implements console.Host.
func (h host) Why(ctx context.Context, at debugger.FrameRef, expr string) (evidence.History, error) {
	q, err := h.e.whyOf(ctx, at, expr)
	if err != nil {
		return evidence.History{}, err
	}
	v, err := h.e.verifierNow(ctx)
	if err != nil {
		return evidence.History{}, err
	}
	if expr == "" {
		stop, _ := h.e.State().CurrentStop()
		frame, _ := badValue(stop)
		at = debugger.FrameRef{Goroutine: stop.Stop.Goroutine, Frame: frame}
	}
	q.Number = look.Numbers(ctx, h.e.Inspector(), at)
	h.Progress("running an instrumented program, which records " + cmp.Or(q.Expr, "the value to blame"))
	found, err := v.Why(ctx, q, false)
	if err == nil {
		q.Expr, q.Number = found.Expr, nil
		h.e.shell.timeTravel.asked(v, q, found.Rows)
		look.Beside(ctx, h.e.Inspector(), at, &found)
	}
	return found, err
}

// observed is the history of the value that stopped the program; nil where none was recorded.
func (e *Engine) observed() *evidence.History {
	stop, ok := e.State().CurrentStop()
	if !ok || stop.Diagnosis == nil {
		return nil
	}
	return stop.Diagnosis.History
}

// whyOf is the value whose history is asked for.
func (e *Engine) whyOf(ctx context.Context, at debugger.FrameRef, expr string) (history.Query, error) {
	rec, ok := e.State().CurrentStop()
	if !ok || rec.Stop.Panic == nil {
		return history.Query{}, errors.New("the program is not held at a crash: the history of a value ends with one")
	}
	stop := rec.Stop
	if expr == "" {
		frame, bad := badValue(rec)
		if i := slices.IndexFunc(stop.Panic.Raised, func(f debugger.Frame) bool { return f.User }); i >= 0 && bad == "" {
			return history.Query{}, fmt.Errorf("the value to blame was one of %s, which has returned: name another one, as in why x.field",
				session.ShortFunction(stop.Panic.Raised[i].Function))
		}
		return inFrame(stop, frame, bad)
	}
	switch {
	case at.Goroutine == stop.Goroutine:
		return inFrame(stop, at.Frame, expr)
	case stop.Panic.Class != debugger.Deadlock:
		return history.Query{}, fmt.Errorf("goroutine %d did not stop the program: select a frame of goroutine %d", at.Goroutine, stop.Goroutine)
	}
	frames, _, err := e.Inspector().Frames(ctx, at.Goroutine, debugger.Page{Start: at.Frame, Count: 1})
	if err != nil {
		return history.Query{}, err
	}
	stop.Frames = frames
	q, err := inFrame(stop, at.Frame, expr)
	q.Within, q.Elsewhere = true, true
	return q, err
}

// badValue is the value that made the program stop, as an expression in a frame; empty if it is not
// known. For a failing test it is what the failing line compares, in the test's own frame rather
// than in a helper's.
func badValue(rec session.StopRecord) (frame int, expr string) {
	frame = rec.Stop.Panic.Culprit
	if rec.Stop.Panic.Class == debugger.StackOverflow { // the innermost call has not begun yet
		if i := slices.IndexFunc(rec.Stop.Frames, func(f debugger.Frame) bool { return f.Index > frame && f.User }); i >= 0 {
			return rec.Stop.Frames[i].Index, ""
		}
	}
	switch d := rec.Diagnosis; {
	case d != nil && d.Expr != "":
		return frame, d.Expr
	case rec.Stop.Test == nil:
		return frame, ""
	}
	constant := false // it has no address, and no history
	for i, v := range rec.Stop.Test.Compared {
		name := cmp.Or(v.Expr, v.Name)
		if !token.IsIdentifier(strings.ReplaceAll(name, ".", "")) {
			continue
		}
		at := frame
		if i < len(rec.Stop.Test.Frames) { // older logs have none
			at = rec.Stop.Test.Frames[i]
		}
		if expr == "" || at > frame || at == frame && constant && v.Addr != 0 {
			frame, expr, constant = at, name, v.Addr == 0
		}
	}
	return frame, expr
}

func inFrame(stop debugger.Stop, frame int, expr string) (history.Query, error) {
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
func (pr *proofs) observes(c *openCase, d evidence.Diagnosis) (history.Query, bool) {
	if pr.Opts.Target.Headless && !d.Guess || c.verifier == nil || c.subject.Code == nil || d.Expr == "" {
		return history.Query{}, false
	}
	q, err := inFrame(c.evidence.Stop, c.evidence.Stop.Panic.Culprit, d.Expr)
	q.Exact = true
	return q, err == nil
}

// observe starts that run, and records what it has shown.
func (pr *proofs) observe(c *openCase, d evidence.Diagnosis, q history.Query) {
	pr.Job(func() {
		h, err := c.verifier.Why(c.ctx, q, true)
		if err == nil {
			stop := c.evidence.Stop
			look.Beside(c.ctx, c.evidence.Inspect, debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Panic.Culprit}, &h)
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
			if pr.open == c {
				pr.Append(session.EngineActor, &session.Diagnosed{Diagnosis: d})
			}
		})
	})
}
