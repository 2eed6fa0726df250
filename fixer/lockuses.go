package fixer

import (
	"go/ast"
	"go/types"
	"strings"
)

// lockUse is a call of Lock, Unlock, RLock or RUnlock with the class of its mutex.
type lockUse struct {
	lockCall
	class any
}

func (l lockUse) takes() bool { return !strings.HasSuffix(l.method, "Unlock") }

// unlock is the method that releases what this one locks.
func (l lockUse) unlock() string { return strings.Replace(l.method, "Lock", "Unlock", 1) }

// unlockOf is the call that releases what a use locks.
func (f *analysis) unlockOf(l lockUse) string { return f.text(l.mutex) + "." + l.unlock() + "()" }

// lockUses lists the calls on all mutexes of the user's code.
func (f *analysis) lockUses() []lockUse {
	var list []lockUse
	f.each(func(p place) {
		for _, l := range locks(p) {
			list = append(list, lockUse{l, f.mutexClass(l.place)})
		}
	})
	return list
}

// mutexClass is the class of the mutex that a call of its method is for: that
// of the field, also of an embedded one.
func (f *analysis) mutexClass(p place) any {
	sel, ok := ast.Unparen(p.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if s := p.info().Selections[sel]; s != nil && len(s.Index()) > 1 {
		if field := embeddedField(s.Recv(), s.Index()); field != nil {
			return f.flowOf().find(originObject(field))
		}
	}
	return f.flowOf().class(p, sel.X)
}

// ofClass filters by class.
func ofClass(list []lockUse, class any) []lockUse {
	var out []lockUse
	for _, l := range list {
		if class != nil && l.class == class {
			out = append(out, l)
		}
	}
	return out
}

// inFunction filters by the innermost function.
func inFunction(list []lockUse, fn ast.Node) []lockUse {
	var out []lockUse
	for _, l := range list {
		if l.function() == fn {
			out = append(out, l)
		}
	}
	return out
}

// functionsOf lists the functions that take a lock, in source order.
func functionsOf(list []lockUse) []ast.Node {
	var out []ast.Node
	seen := map[ast.Node]bool{}
	for _, l := range list {
		if fn := l.function(); fn != nil && !seen[fn] {
			seen[fn] = true
			out = append(out, fn)
		}
	}
	return out
}

// unlocks reports whether a node gives back one of the locks, at once or deferred.
func unlocks(list []lockUse) func(ast.Node) bool {
	return func(n ast.Node) bool {
		for _, l := range list {
			if !l.takes() && contains(n, l.node().Pos()) {
				return true
			}
		}
		return false
	}
}

// unlocksNow is unlocks without the deferred ones, which only run at the end.
func unlocksNow(list []lockUse) func(ast.Node) bool {
	return func(n ast.Node) bool {
		if _, ok := n.(*ast.DeferStmt); ok {
			return false
		}
		for _, l := range list {
			if !l.takes() && !l.deferred() && contains(n, l.node().Pos()) {
				return true
			}
		}
		return false
	}
}

// heldAt returns a lock of the list that its function may hold when it comes
// to a node: the last one taken before it.
func heldAt(list []lockUse, fn ast.Node, at ast.Node) (lockUse, bool) {
	var held lockUse
	found := false
	own := inFunction(list, fn)
	for _, l := range own {
		if !l.takes() || l.deferred() {
			continue
		}
		w := waysFrom(l.place, l.node(), unlocksNow(own))
		reached := w.again && contains(l.node(), at.Pos())
		for _, n := range w.nodes {
			if contains(n, at.Pos()) || contains(at, n.Pos()) && !contains(at, l.node().Pos()) {
				reached = true
			}
		}
		if reached {
			held, found = l, true
		}
	}
	return held, found
}

// transitive reports whether a function, or what it calls, does something.
func (f *facts) transitive(p place, fn ast.Node, does func(place, ast.Node) bool) bool {
	seen := map[ast.Node]bool{}
	var visit func(place, ast.Node, int) bool
	visit = func(p place, fn ast.Node, depth int) bool {
		if fn == nil || seen[fn] || depth > 5 || bodyOf(fn) == nil {
			return false
		}
		seen[fn] = true
		found := false
		ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
			if found || n == nil {
				return false
			}
			if _, ok := n.(*ast.GoStmt); ok {
				return false
			}
			if does(p, n) {
				found = true
				return false
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if d, ok := f.declarationOf(p.callee(call)); ok && visit(d, d.node(), depth+1) {
					found = true
				}
			}
			return !found
		})
		return found
	}
	return visit(p, fn, 0)
}

// locksClass reports whether a function, or what it calls, takes a lock of a class.
func (f *sharedMap) locksClass(p place, fn ast.Node, uses []lockUse) bool {
	return f.transitive(p, fn, func(q place, n ast.Node) bool {
		for _, u := range uses {
			if u.takes() && u.node() == n {
				return true
			}
		}
		return false
	})
}

// blocks reports whether a node may wait for another goroutine: a channel
// operation, a select, or a wait of package sync.
func blocks(p place, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt:
		return p.of(n).comm() == nil
	case *ast.UnaryExpr:
		return n.Op.String() == "<-" && p.of(n).comm() == nil
	case *ast.RangeStmt:
		return isChan(p.info().TypeOf(n.X))
	case *ast.SelectStmt:
		for _, c := range n.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		fn := p.callee(n)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && fn.Name() == "Wait" && recvName(fn) == "WaitGroup"
	}
	return false
}

func recvName(fn *types.Func) string {
	sig := fn.Type().(*types.Signature)
	if sig.Recv() == nil {
		return ""
	}
	if n := named(sig.Recv().Type()); n != nil {
		return n.Obj().Name()
	}
	return ""
}
