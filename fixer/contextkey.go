package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
)

// contextKey fixes a value that is looked up in a context under another key
// than it was put there with: the same text, but of another type.
func (f libraryRules) contextKey(a assertion) {
	call, ok := ast.Unparen(a.x.X).(*ast.CallExpr)
	if !ok || a.actual != "nil" {
		src := f.trace(a.place, f.at, a.x.X)
		if call, ok = ast.Unparen(orNil(src.expr)).(*ast.CallExpr); !ok || a.actual != "nil" || src.declaration() != a.declaration() {
			return
		}
	}
	fn := a.callee(call)
	if fn == nil || fn.Name() != "Value" || len(call.Args) != 1 || !isContext(a.info().TypeOf(call.Fun.(*ast.SelectorExpr).X)) {
		return
	}
	key := call.Args[0]
	var found ast.Expr
	count := 0
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			with, ok := n.(*ast.CallExpr)
			if !ok || len(with.Args) != 3 {
				return true
			}
			w := p.callee(with)
			if w == nil || w.Name() != "WithValue" || w.Pkg() == nil || w.Pkg().Path() != "context" || p.pkg != a.pkg {
				return true
			}
			if !types.AssignableTo(p.info().TypeOf(with.Args[2]), a.want) || sameKey(p, with.Args[1], a.place, key) {
				return true
			}
			found = with.Args[1]
			count++
			return true
		})
	})
	if count != 1 || !isPathOrIndex(found) && !callFree(a.place, found) {
		return
	}
	f.blame(fmt.Sprintf("it was stored under the key %s (%s), which differs from %s", f.text(found), f.where(found.Pos()), f.text(key)), key.Pos())
	f.offer(idea{rule: "contextkey/context-key", title: fmt.Sprintf("look the value up under %s", f.text(found)), weight: origin - 1, change: f.change().replace(key.Pos(), key.End(), f.text(found)),
		why: fmt.Sprintf("Keys of a context are equal only if their types are, too: the value was stored under %s (%s).", f.text(found), f.where(found.Pos()))})
}

func isContext(t types.Type) bool { return t != nil && types.TypeString(t, nil) == "context.Context" }

// sameKey reports whether two keys are equal: the same constant or variable.
func sameKey(p place, a ast.Expr, q place, b ast.Expr) bool {
	if !types.Identical(p.info().TypeOf(a), q.info().TypeOf(b)) {
		return false
	}
	x, y := p.info().Types[a].Value, q.info().Types[b].Value
	if x != nil && y != nil {
		return x.ExactString() == y.ExactString()
	}
	return p.object(a) != nil && p.object(a) == q.object(b)
}
