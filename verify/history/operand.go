package history

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// failure is the type of errors.
var failure = types.Universe.Lookup("error").Type()

// ErrValue is returned where a query names no value, and its place has none that is to blame.
var ErrValue = errors.New("which value is to blame is not known: name one, as in why x.field")

// resolve is the expression whose history is recorded: the one of the query, or, where that
// has none of its own because it is computed, a part of it. Without one it is what the
// statement waits for, fails with, or has looked at before.
func (m *marker) resolve(f *file, stmt ast.Stmt, text string) (string, error) {
	candidates := m.waited(f, stmt)
	if text != "" {
		e, err := parser.ParseExpr(text)
		if err != nil {
			return "", fmt.Errorf("%q is no Go expression", text)
		}
		if m.fits(f, text, stmt) {
			return text, nil
		}
		if candidates = m.parts(f, e, stmt); len(candidates) == 0 {
			candidates = indexed(stmt, types.ExprString(e))
		}
	} else if len(candidates) == 0 {
		candidates = m.refused(f, stmt)
	}
	var names []string
	for _, e := range candidates {
		if name := types.ExprString(e); m.fits(f, name, stmt) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0 && text == "":
		return "", ErrValue
	case len(names) == 0:
		return text, nil // what is wrong with it is said when it is marked
	case text != "":
		words := "it is a part of " + text
		if isConstant(text) {
			words = text + " is a constant: this is what it is an index of"
		}
		if len(names) > 1 {
			words += "; so is " + strings.Join(names[1:], ", ")
		}
		m.gap(words)
	}
	return names[0], nil
}

// fits reports whether the history of an expression can be found at a statement.
func (m *marker) fits(f *file, text string, stmt ast.Stmt) bool {
	for _, at := range []ast.Node{stmt, condition(stmt)} {
		if e, ok := at.(ast.Expr); at == nil || ok && e == nil {
			continue
		}
		if o, err := m.check(f, text, at.Pos()); err == nil && unfit(o) == "" {
			return true
		}
	}
	return false
}

// parts are the variables, fields and elements that an expression is computed from.
func (m *marker) parts(f *file, e ast.Expr, stmt ast.Stmt) (list []ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				list = append(list, m.parts(f, sel.X, stmt)...)
			}
			for _, a := range n.Args {
				list = append(list, m.parts(f, a, stmt)...)
			}
			return false
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			if e := n.(ast.Expr); m.fits(f, types.ExprString(e), stmt) {
				list = append(list, e)
				return false
			}
		case *ast.Ident:
			list = append(list, n)
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return list
}

// isConstant reports whether an expression is a number.
func isConstant(text string) bool {
	e, err := parser.ParseExpr(text)
	_, literal := e.(*ast.BasicLit)
	return err == nil && literal
}

// indexed are the lists of which a statement takes the element with a constant index.
func indexed(stmt ast.Stmt, index string) (list []ast.Expr) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if types.ExprString(n.Index) == index {
				list = append(list, n.X)
			}
		case *ast.SliceExpr:
			for _, bound := range []ast.Expr{n.Low, n.High, n.Max} {
				if bound != nil && types.ExprString(bound) == index {
					list = append(list, n.X)
				}
			}
		}
		return true
	})
	return list
}

// waited are the channels, locks and groups that a statement may wait for.
func (m *marker) waited(f *file, stmt ast.Stmt) (list []ast.Expr) {
	head := ast.Node(stmt)
	if loop, ok := stmt.(*ast.RangeStmt); ok {
		if _, isChan := underlying[*types.Chan](f.pkg.TypesInfo.TypeOf(loop.X)); isChan {
			list = append(list, loop.X)
		}
		head = loop.X
	}
	ast.Inspect(head, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.BlockStmt:
			_, inside := n.(*ast.FuncLit)
			return !inside
		case *ast.SendStmt:
			list = append(list, n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				list = append(list, n.X)
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if ok && lockName(f.pkg.TypesInfo.TypeOf(sel.X)) != "" && ofLock[sel.Sel.Name].after {
				list = append(list, sel.X)
			}
		}
		return true
	})
	return list
}

// refused are the values because of which a statement panics: the error that it is given, or
// what the condition before it looks at.
func (m *marker) refused(f *file, stmt ast.Stmt) (list []ast.Expr) {
	info := f.pkg.TypesInfo
	var given []ast.Expr
	ast.Inspect(stmt, func(n ast.Node) bool {
		if _, block := n.(*ast.BlockStmt); block {
			return false
		}
		if list, ok := n.(*ast.IndexExpr); ok {
			given = append(append(given, m.parts(f, list.Index, stmt)...), m.parts(f, list.X, stmt)...)
		}
		if call, ok := n.(*ast.CallExpr); ok {
			for _, a := range call.Args {
				given = append(given, m.parts(f, a, stmt)...)
			}
			return false
		}
		return true
	})
	for _, e := range given {
		if t := info.TypeOf(e); t != nil && types.Identical(t, failure) {
			list = append(list, e)
		}
	}
	path, _ := astutil.PathEnclosingInterval(f.syntax, stmt.Pos(), stmt.End())
	for i, n := range path {
		if branch, ok := n.(*ast.IfStmt); ok && i > 0 && path[i-1] == ast.Node(branch.Body) && panics(info, stmt) {
			list = append(list, m.parts(f, branch.Cond, stmt)...)
			break
		}
		if _, out := n.(*ast.FuncLit); out {
			break
		}
	}
	return append(list, given...)
}

// panics reports whether a statement is a call of panic.
func panics(info *types.Info, stmt ast.Stmt) bool {
	s, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		return false
	}
	b, ok := info.Uses[ident(call.Fun)].(*types.Builtin)
	return ok && b.Name() == "panic"
}
