package waits

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// deed is something that a function may still do, and that can end a wait.
type deed struct {
	Expr   string // the channel or group, as it is written there
	Does   does
	ranged bool // a loop ranges over it: it may be no channel
}

type does int

// What a function does with a channel or a group.
const (
	sends does = 1 + iota
	receives
	closes
	finishes // Done
)

// ends reports whether it can end a wait for the runtime's reason.
func (d does) ends(reason string) bool {
	switch {
	case strings.HasPrefix(reason, "chan receive"):
		return d == sends || d == closes
	case strings.HasPrefix(reason, "chan send"):
		return d == receives
	}
	return true
}

// deedsAfter are the deeds of the function of a place that it may still come to:
// those after the line, those of a loop that the line is in, and deferred ones.
func deedsAfter(src []byte, at place) (list []deed) {
	w, body := around(src, at)
	if body == nil {
		return nil
	}
	w.deeds(body, w.again(body), &list)
	return list
}

// again is the line from which on statements of a function may still come: that of
// the place, or of the outermost loop around it.
func (w *walker) again(body *ast.BlockStmt) int {
	from := w.line
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if w.spans(n) {
				from = min(from, w.at(n.Pos()))
			}
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return from
}

// deeds adds those of a node from a line on; what is deferred counts wherever it is.
func (w *walker) deeds(n ast.Node, from int, list *[]deed) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			w.started(n.Call, list)
			return false
		case *ast.GoStmt:
			if w.at(n.Pos()) >= from {
				w.started(n.Call, list)
			}
			return false
		case nil:
			return false
		}
		if d, ok := deedOf(n); ok && w.at(n.Pos()) >= from {
			*list = append(*list, d)
		}
		return true
	})
}

// started adds the deeds of a call that a statement starts, and of the function that
// is written there.
func (w *walker) started(call *ast.CallExpr, list *[]deed) {
	if d, ok := deedOf(call); ok {
		*list = append(*list, d)
	}
	if fn, ok := call.Fun.(*ast.FuncLit); ok {
		w.deeds(fn.Body, 0, list)
	}
}

// deedOf is what a node does by itself.
func deedOf(n ast.Node) (deed, bool) {
	switch n := n.(type) {
	case *ast.SendStmt:
		return deed{Expr: types.ExprString(n.Chan), Does: sends}, true
	case *ast.UnaryExpr:
		return deed{Expr: types.ExprString(n.X), Does: receives}, n.Op == token.ARROW
	case *ast.RangeStmt:
		return deed{Expr: types.ExprString(n.X), Does: receives, ranged: true}, true
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" && len(n.Args) == 1 {
			return deed{Expr: types.ExprString(n.Args[0]), Does: closes}, true
		}
		if expr, method := methodCall(n); method == "Done" {
			return deed{Expr: expr, Does: finishes}, true
		}
	}
	return deed{}, false
}
