// Package waits finds out who waits for whom in a stopped program: which
// goroutine holds the lock that another one wants, who has the other end of a
// channel, and whether they wait in a circle.
//
// Go does not record who holds a lock. What is said here is read from the source
// and from values, and is as certain as that: a goroutine holds a lock if a function on
// its stack is between Lock and Unlock of it, and none that it has called is past another
// Unlock. A function that was called and has returned may still have unlocked it. The
// package does not know a screen.
package waits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// Lock is a lock that a function holds at one of its lines.
type Lock struct {
	Expr string // as it is written there: "s.mu"
	Read bool   // RLock
	// Line is where it was locked.
	Line int
	// From and To are the lines of the defer statement that unlocks it; 0 without one.
	From, To int
	// Doubtful: others may unlock it, or have done so.
	Doubtful bool
}

// place is a line of a function whose code is in depth function literals: see
// [debugger.LiteralDepth].
type place struct{ line, depth int }

// heldAt returns the locks that the function of a place has locked before it and not
// unlocked since, as far as its statements tell, and those of others that it has
// unlocked; none where the source cannot be parsed.
func heldAt(src []byte, at place) (held, given []Lock) {
	w, body := around(src, at)
	if body == nil {
		return nil, nil
	}
	w.list(body.List)
	for _, d := range w.deferred {
		if i := w.index(d); i >= 0 {
			w.held[i].From, w.held[i].To = d.From, d.To
		}
	}
	return w.held, w.given
}

// condAt is the sync.Cond, as it is written there, whose method Wait is called at a place.
func condAt(src []byte, at place) (expr string) {
	w, body := around(src, at)
	if body == nil {
		return ""
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && w.spans(call) {
			if on, method := methodCall(call); method == "Wait" {
				expr = on
			}
		}
		return true
	})
	return expr
}

// around is the body of the function of a place; nil where several functions may be it, as
// where one literal ends and another begins, or none is known.
func around(src []byte, at place) (*walker, *ast.BlockStmt) {
	w := &walker{set: token.NewFileSet(), line: at.line}
	w.file, _ = parser.ParseFile(w.set, "", src, parser.SkipObjectResolution)
	if w.file == nil {
		return w, nil
	}
	if list := w.bodies(w.file, at.depth); len(list) == 1 {
		return w, list[0]
	}
	return w, nil
}

type walker struct {
	set      *token.FileSet
	file     *ast.File
	line     int
	held     []Lock
	given    []Lock // unlocked, but not locked there
	deferred []Lock // that a deferred call unlocks
}

func (w *walker) at(p token.Pos) int { return w.set.Position(p).Line }

func (w *walker) spans(n ast.Node) bool { return w.at(n.Pos()) <= w.line && w.line <= w.at(n.End()) }

// bodies are those of the functions around the line that are in depth literals of a node.
func (w *walker) bodies(n ast.Node, depth int) (list []*ast.BlockStmt) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncDecl:
			if depth == 0 && w.spans(n) && n.Body != nil {
				list = append(list, n.Body)
			}
		case *ast.FuncLit:
			switch {
			case depth == 1 && w.spans(n):
				list = append(list, n.Body)
			case depth > 1:
				list = append(list, w.bodies(n.Body, depth-1)...)
			}
			return false
		}
		return w.spans(n)
	})
	return list
}

// list follows statements up to the line.
func (w *walker) list(stmts []ast.Stmt) {
	for _, s := range stmts {
		if w.at(s.Pos()) >= w.line {
			return
		}
		if w.spans(s) {
			w.inside(s)
			return
		}
		w.passed(s)
		w.handsOver(s)
	}
}

// inside follows the branch of a statement that the line is in.
func (w *walker) inside(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			return false
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			if w.spans(n) {
				w.list(n.List)
			}
			return false
		case *ast.CaseClause:
			if w.spans(n) {
				w.list(n.Body)
			}
			return false
		case *ast.CommClause:
			if w.spans(n) {
				w.list(n.Body)
			}
			return false
		}
		return true
	})
}

// passed takes in what a statement before the line has done.
func (w *walker) passed(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		w.call(s.X)
	case *ast.LabeledStmt:
		w.passed(s.Stmt)
	case *ast.BlockStmt:
		for _, inner := range s.List {
			w.passed(inner)
		}
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		w.branched(s)
	case *ast.DeferStmt:
		ast.Inspect(s.Call, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if expr, method := methodCall(call); method == "Unlock" || method == "RUnlock" {
					w.deferred = append(w.deferred, Lock{Expr: expr, Read: method == "RUnlock", From: w.at(s.Pos()), To: w.at(s.End())})
				}
			}
			return true
		})
	}
}

// call takes in a call of Lock or Unlock.
func (w *walker) call(e ast.Expr) {
	expr, method := methodCall(e)
	switch method {
	case "Lock", "RLock":
		w.held = append(w.held, Lock{Expr: expr, Read: method == "RLock", Line: w.at(e.Pos())})
	case "Unlock", "RUnlock":
		w.drop(Lock{Expr: expr, Read: method == "RUnlock"})
	}
}

func (w *walker) drop(l Lock) {
	if i := w.index(l); i >= 0 {
		w.held = slices.Delete(w.held, i, i+1)
		return
	}
	w.given = append(w.given, l)
}

// index is where a lock is among those held, the last one first; -1 where it is not.
func (w *walker) index(l Lock) int {
	for i, h := range slices.Backward(w.held) {
		if h.Expr == l.Expr && h.Read == l.Read {
			return i
		}
	}
	return -1
}

// branched takes in a statement of which it is not known which branch it took: a
// branch that unlocks and goes on may have been taken, one that leaves the
// function was not.
func (w *walker) branched(s ast.Stmt) {
	inner := walker{set: w.set}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			return !leaves(n.List)
		case *ast.CaseClause:
			return !leaves(n.Body)
		case *ast.CommClause:
			return !leaves(n.Body)
		case *ast.ExprStmt:
			inner.call(n.X)
		}
		return true
	})
	for _, l := range inner.given {
		w.drop(l)
	}
}

// leaves reports whether statements end by leaving the block's function or loop.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.GOTO
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// methodCall takes "s.mu.Lock()" apart.
func methodCall(e ast.Expr) (expr, method string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return "", ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	return types.ExprString(ast.Unparen(sel.X)), sel.Sel.Name
}
