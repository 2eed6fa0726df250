package regress

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/source/workspace"
)

// mayHaveChanged reports whether a function may have changed what it was called with before it
// came to a line: it assigns to a parameter, to something that one leads to, or calls something
// with one that leads somewhere. A call of another package whose result is used, as that of
// slices.Contains, changes only what it has a pointer to.
func mayHaveChanged(fn workspace.Func, line int) bool {
	c := changes{info: fn.Package.TypesInfo, home: fn.Package.Types, parameters: map[types.Object]bool{}, alone: map[ast.Node]bool{}}
	sig := fn.Object.Signature()
	c.parameters[sig.Recv()] = true // or nil, which no name stands for
	for v := range sig.Params().Variables() {
		c.parameters[v] = true
	}
	lineOf := func(n ast.Node) (from, to int) {
		return fn.Package.Fset.Position(n.Pos()).Line, fn.Package.Fset.Position(n.End()).Line
	}
	last, found := line, false
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt: // an earlier round comes to what is below the line
			if from, to := lineOf(n); from <= line && line <= to {
				last = max(last, to+1)
			}
		}
		if n != nil {
			from, _ := lineOf(n)
			found = found || from < last && c.changes(n)
		}
		return !found
	})
	return found
}

// changes looks for what may change a function's parameters.
type changes struct {
	info       *types.Info
	home       *types.Package
	parameters map[types.Object]bool
	alone      map[ast.Node]bool // calls that are statements
}

func (c changes) changes(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if c.of(l) {
				return true
			}
		}
	case *ast.IncDecStmt:
		return c.of(n.X)
	case *ast.ExprStmt:
		c.alone[n.X] = true
	case *ast.CallExpr:
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && c.leadsFrom(sel.X) && c.info.Selections[sel] != nil {
			return true
		}
		reads := c.builtin(n)
		for _, a := range n.Args {
			if c.leadsFrom(a) && !reads && (c.alone[n] || !c.foreign(n) || c.points(a)) {
				return true
			}
		}
	}
	return false
}

// builtin reports whether a call is one of len and the like, which change nothing.
func (c changes) builtin(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := c.info.Uses[id].(*types.Builtin)
	return ok && b.Name() != "delete" && b.Name() != "copy" && b.Name() != "clear"
}

// foreign reports whether a call is one of another package's function.
func (c changes) foreign(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := c.info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != c.home
}

// points reports whether an expression is a pointer, or may hold one.
func (c changes) points(e ast.Expr) bool {
	switch c.info.TypeOf(e).Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// leadsFrom reports whether an expression of a parameter leads to what a callee may change.
func (c changes) leadsFrom(e ast.Expr) bool {
	t := c.info.TypeOf(e)
	if t == nil || !c.of(e) {
		return false
	}
	if _, address := ast.Unparen(e).(*ast.UnaryExpr); address {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// of reports whether an expression is a parameter or something that one leads to.
func (c changes) of(e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return c.parameters[c.info.ObjectOf(x)]
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		default:
			return false
		}
	}
}
