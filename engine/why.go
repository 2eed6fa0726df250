package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/history"
)

// Why implements console.Host.
func (h host) Why(ctx context.Context, at debugger.FrameRef, expr string) (evidence.History, error) {
	q, err := h.e.whyOf(at, expr)
	if err != nil {
		return evidence.History{}, err
	}
	v, err := h.e.verifierNow(ctx)
	if err != nil {
		return evidence.History{}, err
	}
	h.Progress("building a program that notes what happens to " + q.Expr)
	return v.Why(ctx, q)
}

// whyOf is the value whose history is asked for.
func (e *Engine) whyOf(at debugger.FrameRef, expr string) (history.Query, error) {
	rec, ok := e.State().CurrentStop()
	if !ok || rec.Stop.Panic == nil {
		return history.Query{}, errors.New("the program is not held at a crash: the history of a value ends with one")
	}
	stop := rec.Stop
	if expr == "" {
		if rec.Diagnosis == nil || rec.Diagnosis.Expr == "" {
			return history.Query{}, errors.New("which value made it panic is not known: name one, as in why x.field")
		}
		expr, at = rec.Diagnosis.Expr, debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Panic.Culprit}
	}
	if at.Goroutine != stop.Goroutine {
		return history.Query{}, fmt.Errorf("goroutine %d did not stop the program: select a frame of goroutine %d", at.Goroutine, stop.Goroutine)
	}
	for _, f := range stop.Frames {
		if f.Index == at.Frame {
			return history.Query{File: f.File, Line: f.Line, Expr: expr}, nil
		}
	}
	return history.Query{}, errors.New("the frame is not known any more")
}
