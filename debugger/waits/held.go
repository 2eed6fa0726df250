// Package waits finds out who waits for whom in a stopped program: which
// goroutine holds the lock that another one wants, who has the other end of a
// channel, and whether they wait in a circle.
//
// Go does not record who holds a lock. What is said here is read from the source
// and from values, and is as certain as that: a goroutine that is between
// Lock and Unlock of the same lock holds it, unless something it called has
// given it back. The package does not know a screen.
package waits

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// Lock is a lock that a function holds at one of its lines.
type Lock struct {
	Expr string // as it is written there: "s.mu"
	Read bool   // RLock
	// Line is where it was locked.
	Line int
}

// heldAt returns the locks that the function around a line has locked before it
// and not unlocked since, as far as its statements tell; nil where the source
// cannot be parsed.
func heldAt(src []byte, line int) []Lock {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	w := &walker{set: set, line: line}
	if body := w.bodyAround(file); body != nil {
		w.list(body.List)
	}
	return w.held
}

type walker struct {
	set  *token.FileSet
	line int
	held []Lock
}

func (w *walker) at(p token.Pos) int { return w.set.Position(p).Line }

func (w *walker) spans(n ast.Node) bool { return w.at(n.Pos()) <= w.line && w.line <= w.at(n.End()) }

// bodyAround is the body of the innermost function around the line.
func (w *walker) bodyAround(file *ast.File) *ast.BlockStmt {
	var best *ast.BlockStmt
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || !w.spans(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			best = n.Body
		case *ast.FuncLit:
			if w.at(n.Body.Lbrace) < w.line { // one that is written on the line is being called or passed on
				best = n.Body
			}
		}
		return true
	})
	return best
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
	}
}

// call takes in a call of Lock or Unlock.
func (w *walker) call(e ast.Expr) {
	expr, method := methodCall(e)
	switch method {
	case "Lock", "RLock":
		w.held = append(w.held, Lock{Expr: expr, Read: method == "RLock", Line: w.at(e.Pos())})
	case "Unlock", "RUnlock":
		w.drop(expr, method == "RUnlock")
	}
}

func (w *walker) drop(expr string, read bool) {
	for i := len(w.held) - 1; i >= 0; i-- {
		if w.held[i].Expr == expr && w.held[i].Read == read {
			w.held = append(w.held[:i], w.held[i+1:]...)
			return
		}
	}
}

// branched takes in a statement of which it is not known which branch it took: a
// branch that unlocks and goes on may have been taken, one that leaves the
// function was not.
func (w *walker) branched(s ast.Stmt) {
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
			if expr, method := methodCall(n.X); method == "Unlock" || method == "RUnlock" {
				w.drop(expr, method == "RUnlock")
			}
		}
		return true
	})
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
