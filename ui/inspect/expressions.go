package inspect

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
)

// exprKey names an expression in a frame.
type exprKey struct {
	at   debugger.FrameRef
	expr string
}

type expression struct {
	value debugger.Variable
	err   string
}

type expressionResult struct {
	key exprKey
	expression
}

// Expression returns what an expression is in a frame, or why it is nothing;
// false when that is not known yet.
func (s *Store) Expression(at debugger.FrameRef, expr string) (value debugger.Variable, err string, known bool) {
	e, known := s.exprs[exprKey{at, expr}]
	return e.value, e.err, known
}

// NeedExpression asks for what an expression is.
func (s *Store) NeedExpression(at debugger.FrameRef, expr string) []Need {
	key := exprKey{at, expr}
	if _, known := s.exprs[key]; known || s.tag.Stop == 0 {
		return nil
	}
	return []Need{{Key: fmt.Sprintf("expression %d %d %s", at.Goroutine, at.Frame, expr), Read: func(ctx context.Context, in debugger.Inspector) any {
		value, err := in.Evaluate(ctx, at, expr)
		return expressionResult{key, expression{value, readError(err)}}
	}}}
}

func (s *Store) keepExpression(r expressionResult) { s.exprs[r.key] = r.expression }

// Described is a value as it is meant, with all that had to be read for it.
type Described struct {
	Value format.Value
	Known bool // it is of a type that means more than its fields
}

type describedResult struct {
	key exprKey
	Described
}

// Described returns what a value means, where that was read.
func (s *Store) Described(at debugger.FrameRef, v debugger.Variable) (Described, bool) {
	d, ok := s.described[exprKey{at, v.Expr}]
	return d, ok
}

// NeedDescribed asks for what a value means.
func (s *Store) NeedDescribed(at debugger.FrameRef, v debugger.Variable) []Need {
	key := exprKey{at, v.Expr}
	if _, ok := s.described[key]; ok || v.Expr == "" || s.tag.Stop == 0 {
		return nil
	}
	formats := s.Formats
	return []Need{{Key: fmt.Sprintf("described %d %d %s", at.Goroutine, at.Frame, v.Expr), Read: func(ctx context.Context, in debugger.Inspector) any {
		value, err := formats.Describe(ctx, format.NewReader(in, at), v)
		return describedResult{key, Described{value, err == nil && value.Text != ""}}
	}}}
}
