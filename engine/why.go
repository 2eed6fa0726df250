package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/history"
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
		return proof.InFrame(stop, frame, bad)
	}
	switch {
	case at.Goroutine == stop.Goroutine:
		return proof.InFrame(stop, at.Frame, expr)
	case stop.Panic.Class != debugger.Deadlock:
		return history.Query{}, fmt.Errorf("goroutine %d did not stop the program: select a frame of goroutine %d", at.Goroutine, stop.Goroutine)
	}
	frames, _, err := e.Inspector().Frames(ctx, at.Goroutine, debugger.Page{Start: at.Frame, Count: 1})
	if err != nil {
		return history.Query{}, err
	}
	stop.Frames = frames
	q, err := proof.InFrame(stop, at.Frame, expr)
	q.Within, q.Elsewhere = true, true
	return q, err
}

// isLocation reports whether an expression names a variable, or a field or element of one.
func isLocation(expr string) bool {
	e, err := parser.ParseExpr(expr)
	for err == nil {
		switch inner := ast.Unparen(e).(type) {
		case *ast.Ident:
			return true
		case *ast.SelectorExpr:
			e = inner.X
		case *ast.IndexExpr:
			e = inner.X
		default:
			return false
		}
	}
	return false
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
		if !isLocation(name) {
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
