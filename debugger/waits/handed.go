package waits

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A lock may be unlocked by another goroutine than the one that has locked it: one that
// is started for that, a timer, or whoever is given the method as a value. So a lock that
// code elsewhere may unlock is held only perhaps, and proves no circle.

// comes are the locks that the function of a place still comes to unlock and has not
// locked itself, as far as its statements and those of methods in its file tell.
func comes(src []byte, at place) []Lock {
	w, body := around(src, at)
	if body == nil {
		return nil
	}
	list, _ := w.changes(body, w.again(body))
	w.list(body.List)
	return slices.DeleteFunc(list, func(l Lock) bool { return w.index(l) >= 0 })
}

// changes are the locks that a function unlocks from a line on and does not lock there, and
// those that it only locks; what is deferred counts wherever it is. Function literals in it
// are functions of their own.
func (w *walker) changes(body ast.Node, from int) (unlocked, locked []Lock) {
	var visit func(n ast.Node, from int)
	visit = func(root ast.Node, from int) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return n == root
			case *ast.DeferStmt:
				visit(n.Call, 0)
				if fn, ok := n.Call.Fun.(*ast.FuncLit); ok {
					visit(fn, 0)
				}
				return false
			case *ast.CallExpr:
				if w.at(n.Pos()) < from {
					return true
				}
				switch expr, method := methodCall(n); method {
				case "Lock", "RLock", "TryLock", "TryRLock":
					locked = append(locked, Lock{Expr: expr})
				case "Unlock", "RUnlock":
					unlocked = append(unlocked, Lock{Expr: expr, Read: method == "RUnlock"})
				default:
					u, l := w.ofMethod(n)
					unlocked, locked = append(unlocked, u...), append(locked, l...)
				}
			}
			return true
		})
	}
	visit(body, from)
	return without(unlocked, locked), without(locked, unlocked)
}

// without are the locks of a list that another one does not name.
func without(list, others []Lock) []Lock {
	return slices.DeleteFunc(slices.Clone(list), func(l Lock) bool {
		return slices.ContainsFunc(others, func(o Lock) bool { return o.Expr == l.Expr })
	})
}

// ofMethod are the changes to locks of its receiver that a called method makes, which is
// looked for in the same file by its name.
func (w *walker) ofMethod(call *ast.CallExpr) (unlocked, locked []Lock) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || w.file == nil {
		return nil, nil
	}
	inner := walker{set: w.set} // without the file: what that one calls is not looked at
	for _, d := range w.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != sel.Sel.Name || fn.Body == nil || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
			continue
		}
		of := func(list []Lock) (renamed []Lock) {
			for _, l := range list {
				if field, ok := strings.CutPrefix(l.Expr, fn.Recv.List[0].Names[0].Name+"."); ok {
					renamed = append(renamed, Lock{Expr: types.ExprString(sel.X) + "." + field, Read: l.Read})
				}
			}
			return renamed
		}
		u, l := inner.changes(fn.Body, 0)
		unlocked, locked = append(unlocked, of(u)...), append(locked, of(l)...)
	}
	return unlocked, locked
}

// handsOver notes which locks a statement leaves to others to unlock: a function literal, a
// go statement, or a method value.
func (w *walker) handsOver(s ast.Stmt) {
	called := map[ast.Expr]bool{}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			return false
		case *ast.FuncLit:
			unlocked, _ := w.changes(n, 0)
			w.doubt(unlocked)
			return false
		case *ast.GoStmt:
			unlocked, _ := w.changes(n.Call, 0)
			w.doubt(unlocked)
		case *ast.CallExpr:
			called[n.Fun] = true
		case *ast.SelectorExpr:
			if name := n.Sel.Name; !called[n] && (name == "Unlock" || name == "RUnlock") {
				w.doubt([]Lock{{Expr: types.ExprString(ast.Unparen(n.X)), Read: name == "RUnlock"}})
			}
		}
		return true
	})
}

// doubt notes of held locks that others may unlock them.
func (w *walker) doubt(list []Lock) {
	for _, l := range list {
		if i := w.index(l); i >= 0 {
			w.held[i].Doubtful = true
		}
	}
}
