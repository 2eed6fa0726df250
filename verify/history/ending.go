package history

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A run that stops at the brace that ends a function has stopped in a deferred call: there is
// no statement, and what the brace closes may be a part of another function's statement.

// ending is the end of a function at which a run has stopped.
type ending struct {
	stmt     ast.Stmt // before which the value is looked at
	deferred string   // the function value that was called; empty if it is not known
}

// ending is the end of a function at the line of the query; nil if that is not one, or if the
// function defers nothing.
func (m *marker) ending(f *file) *ending {
	body := m.endingBody(f)
	if body == nil {
		return nil
	}
	calls := deferredIn(body)
	if len(calls) == 0 {
		return nil
	}
	// That of a declared function fails in a frame of its own.
	values := slices.DeleteFunc(slices.Clone(calls), func(d *ast.DeferStmt) bool { return !isFunctionValue(f.pkg.TypesInfo, d.Call.Fun) })
	if len(values) > 0 {
		calls = values
	}
	text := m.plan.query.Expr
	for _, d := range values {
		if name := types.ExprString(d.Call.Fun); name == text || text == "" && len(values) == 1 {
			return &ending{d, name}
		}
	}
	return &ending{m.inScope(f, body, calls[0], text), ""}
}

// endingBody is the body of the function that ends at the line of the query.
func (m *marker) endingBody(f *file) (body *ast.BlockStmt) {
	line := func(p token.Pos) int { return m.code.Fset.Position(p).Line }
	ast.PreorderStack(f.syntax, nil, func(n ast.Node, around []ast.Node) bool {
		depth := 0
		for _, n := range append(around, n) {
			if _, ok := n.(*ast.FuncLit); ok {
				depth++
			}
		}
		found := bodyOf(n)
		if found == nil || depth != m.plan.query.Depth || line(found.Rbrace) != m.plan.query.Line {
			return true
		}
		if last := len(found.List) - 1; last >= 0 && line(found.List[last].End()) < m.plan.query.Line {
			body = found
		}
		return true
	})
	return body
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// deferredIn are the statements of a function that defer something.
func deferredIn(body *ast.BlockStmt) (list []*ast.DeferStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			list = append(list, d)
		}
		_, inside := n.(*ast.FuncLit)
		return !inside
	})
	return list
}

// isFunctionValue reports whether what is called may be nil, as only a value may.
func isFunctionValue(info *types.Info, called ast.Expr) bool {
	switch called := ast.Unparen(called).(type) {
	case *ast.Ident:
		_, ok := info.Uses[called].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := info.Uses[called.Sel].(*types.Var)
		return ok
	case *ast.FuncLit:
		return false
	case *ast.IndexExpr:
		return !info.Types[called.X].IsType() && info.Instances[identOf(called.X)].Type == nil
	case *ast.IndexListExpr:
		return false
	}
	return true
}

// identOf is the name of what may be generic; nil for what has none.
func identOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// inScope is the first statement from a deferred call on where an expression means what it
// does at the end of the function.
func (m *marker) inScope(f *file, body *ast.BlockStmt, deferred *ast.DeferStmt, text string) ast.Stmt {
	want := m.objects(f, text, body.Rbrace)
	if len(want) == 0 || slices.Equal(m.objects(f, text, deferred.Pos()), want) {
		return deferred
	}
	for _, s := range body.List {
		if s.Pos() > deferred.Pos() && slices.Equal(m.objects(f, text, s.Pos()), want) {
			m.gap("it is declared after the function defers its calls: where this run did not come to it, it is that of an earlier one")
			return s
		}
	}
	return deferred
}

// objects are what the names in an expression stand for at a position; nil if it has no
// meaning there.
func (m *marker) objects(f *file, text string, pos token.Pos) (list []types.Object) {
	o, err := m.check(f, text, pos)
	if err != nil {
		return nil
	}
	for n := range ast.Preorder(o.Expr) {
		if name, ok := n.(*ast.Ident); ok {
			list = append(list, o.info.Uses[name])
		}
	}
	return list
}
