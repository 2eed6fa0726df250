package syntax

import (
	"go/ast"
	"strings"
)

// LockCall is a call of Lock, Unlock, RLock or RUnlock.
type LockCall struct {
	Place
	Mutex  ast.Expr
	Method string
}

// Locks lists the calls on mutexes in a declaration, in source order.
func Locks(p Place) []LockCall {
	var list []LockCall
	ast.Inspect(p.Path[0], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn := p.Callee(call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn == nil || !isSel || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
			return true
		}
		switch fn.Name() {
		case "Lock", "Unlock", "RLock", "RUnlock":
			list = append(list, LockCall{p.Of(call), sel.X, fn.Name()})
		}
		return true
	})
	return list
}

// WaitGroupCall returns the group of a call of that method of sync.WaitGroup, and the call; nil for
// other nodes.
func WaitGroupCall(p Place, n ast.Node, method string) (ast.Expr, *ast.CallExpr) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	fn := p.Callee(call)
	if fn == nil || fn.FullName() != "(*sync.WaitGroup)."+method {
		return nil, nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	return sel.X, call
}

// LockUse is a call of Lock, Unlock, RLock or RUnlock with the class of its mutex.
type LockUse struct {
	LockCall
	Class any
}

// Takes reports whether the call takes the lock.
func (l LockUse) Takes() bool { return !strings.HasSuffix(l.Method, "Unlock") }

// Unlock is the method that releases what this one locks.
func (l LockUse) Unlock() string { return strings.Replace(l.Method, "Lock", "Unlock", 1) }

// OfClass filters by class.
func OfClass(list []LockUse, class any) []LockUse {
	var out []LockUse
	for _, l := range list {
		if class != nil && l.Class == class {
			out = append(out, l)
		}
	}
	return out
}

// InFunction filters by the innermost function.
func InFunction(list []LockUse, fn ast.Node) []LockUse {
	var out []LockUse
	for _, l := range list {
		if l.Function() == fn {
			out = append(out, l)
		}
	}
	return out
}

// unlocksNow is unlocks without the deferred ones, which only run at the end.
func unlocksNow(list []LockUse) func(ast.Node) bool {
	return func(n ast.Node) bool {
		if _, ok := n.(*ast.DeferStmt); ok {
			return false
		}
		for _, l := range list {
			if !l.Takes() && !l.Deferred() && Contains(n, l.Node().Pos()) {
				return true
			}
		}
		return false
	}
}

// HeldAt returns a lock of the list that its function may hold when it comes
// to a node: the last one taken before it.
func HeldAt(list []LockUse, fn ast.Node, at ast.Node) (LockUse, bool) {
	var held LockUse
	found := false
	own := InFunction(list, fn)
	for _, l := range own {
		if !l.Takes() || l.Deferred() {
			continue
		}
		w := WaysFrom(l.Place, l.Node(), unlocksNow(own))
		reached := w.again && Contains(l.Node(), at.Pos())
		for _, n := range w.Nodes {
			if Contains(n, at.Pos()) || Contains(at, n.Pos()) && !Contains(at, l.Node().Pos()) {
				reached = true
			}
		}
		if reached {
			held, found = l, true
		}
	}
	return held, found
}
