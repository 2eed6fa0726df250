package values

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"math"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
)

// loaded refuses an expression with a variable that the closure has not loaded yet, or any of
// a function that has not begun.
func (vs *Inspector) loaded(ctx context.Context, at debugger.FrameRef, exprs ...string) error {
	names := NamesIn(exprs...)
	if len(names) == 0 || at.Deferred != 0 {
		return nil
	}
	why, before := ask.ErrNotBegun, int64(math.MaxInt64)
	if !ask.WaitsForStack(ctx, vs.srv, at) {
		if at.Frame != 0 {
			return nil
		}
		frame, err := ask.FrameAt(ctx, vs.srv, int64(at.Goroutine), at.Frame)
		if err != nil {
			return nil //nolint:nilerr // the evaluation says what is wrong
		}
		begins, ok := ask.Entry(ctx, vs.srv, at, functionOf(frame), frame.PC)
		if !ok {
			return nil
		}
		why, before = debugger.ErrCaptured, int64(begins.Line)
	}
	_, locals, err := ask.InFrame(ctx, vs.srv, at)
	if err != nil {
		return nil //nolint:nilerr // the evaluation says what is wrong
	}
	for _, v := range locals {
		if v.DeclLine < before && slices.Contains(names, v.Name) {
			return fmt.Errorf("%s: %w", v.Name, why)
		}
	}
	return nil
}

// NamesIn lists what expressions name but fields and methods.
func NamesIn(exprs ...string) (names []string) {
	for _, text := range exprs {
		parsed, err := parser.ParseExpr(text)
		if err != nil {
			continue
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				names = append(names, NamesIn(text[n.X.Pos()-1:n.X.End()-1])...)
				return false
			case *ast.Ident:
				names = append(names, n.Name)
			}
			return true
		})
	}
	return names
}
