package review

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Call is a call on the stack of the stopped program.
type Call struct {
	File, Text string // where it stands; the text as it was
	Line       int
	Called     string // the name of what it calls, without package and receiver
}

// Ignored finds a function that calls the one of a point, which returns an error
// there, and leaves the error alone, or lets its own callers do so: calls are those that
// led to the point's function, the innermost first. Beside them, a call whose receiver
// has a type of another package is not found.
func Ignored(files map[string]string, p effect.Point, calls []Call) (caller, file string, line int) {
	if !p.Exit {
		return "", "", 0
	}
	t := load(files)
	called := t.declared(p.Function)
	if called == nil || called.Type().(*types.Signature).Results().Len() == 0 {
		return "", "", 0
	}
	for _, c := range calls {
		fn, drops, passes := c.use()
		if drops {
			return fn, c.File, c.Line
		}
		if !passes {
			break
		}
	}
	for i, f := range t.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if at := t.drops(fn, called); at != nil {
				return syntax.NameOf(fn), t.names[i], t.fset.Position(at.Pos()).Line
			}
		}
	}
	return "", "", 0
}

// Changed reports whether the function around a call is another one in a changed file.
func (c Call) Changed(after string) bool {
	was, now := syntax.Parse(c.Text), syntax.Parse(after)
	if was == nil || now == nil || was.At(c.Line) == nil {
		return c.Text != after
	}
	fn := was.At(c.Line)
	same := now.Function(syntax.NameOf(fn))
	return same == nil || was.Code(fn) != now.Code(same)
}

// use says what the code around a call does with its last result: nothing, or give it to
// its own caller and do nothing else with it.
func (c Call) use() (function string, drops, passes bool) {
	s := syntax.Parse(c.Text)
	if s == nil || s.At(c.Line) == nil {
		return "", false, false
	}
	fn := s.At(c.Line)
	is := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && s.Spans(call, c.Line) && syntax.LastName(call.Fun) == c.Called
	}
	if at := dropping(fn, is); at != nil {
		return s.NameOf(fn), true, false
	}
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			passes = passes || slices.ContainsFunc(n.Results, is)
		case *ast.AssignStmt:
			if id, ok := n.Lhs[len(n.Lhs)-1].(*ast.Ident); ok && len(n.Rhs) == 1 && is(n.Rhs[0]) {
				return s.NameOf(fn), false, onlyReturned(fn, id)
			}
		}
	}
	return s.NameOf(fn), false, passes
}

// onlyReturned reports whether a function returns what it has in a variable, and otherwise
// does no more than compare it.
func onlyReturned(fn *ast.FuncDecl, v *ast.Ident) bool {
	isIt := func(e ast.Expr) bool { return match.IsName(e, v.Name) }
	named := fn.Type.Results != nil && slices.ContainsFunc(fn.Type.Results.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == v.Name })
	})
	returned, used := false, false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			returned = returned || len(n.Results) == 0 && named
			for id := range syntax.All[*ast.Ident](n) {
				returned = returned || id.Name == v.Name
			}
			return false
		case *ast.BinaryExpr:
			return !isIt(n.X)
		case *ast.AssignStmt:
			used = used || slices.ContainsFunc(n.Rhs, isIt)
		case *ast.CallExpr:
			used = used || slices.ContainsFunc(n.Args, isIt)
		case *ast.SelectorExpr:
			used = used || isIt(n.X)
		}
		return true
	})
	return !used && returned
}

// declared is the function of a name, such as "(*T).f"; nil without one.
func (t typed) declared(name string) types.Object {
	for _, f := range t.files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && syntax.NameOf(fn) == name {
				return t.info.Defs[fn.Name]
			}
		}
	}
	return nil
}

// drops is the statement in which a function calls another and leaves its last
// result alone; nil without one.
func (t typed) drops(fn *ast.FuncDecl, called types.Object) ast.Node {
	return dropping(fn, func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && t.callee(call) == called
	})
}

// dropping is the statement of a function that leaves the last result of a call alone.
func dropping(fn *ast.FuncDecl, is func(ast.Expr) bool) (found ast.Node) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if is(n.X) {
				found = n
			}
		case *ast.GoStmt:
			if is(n.Call) {
				found = n
			}
		case *ast.DeferStmt:
			if is(n.Call) {
				found = n
			}
		case *ast.AssignStmt:
			if last, ok := n.Lhs[len(n.Lhs)-1].(*ast.Ident); ok && last.Name == "_" && len(n.Rhs) == 1 && is(n.Rhs[0]) {
				found = n
			}
		}
		return found == nil
	})
	return found
}

// callee is the declared function that a call names; nil without one.
func (t typed) callee(call *ast.CallExpr) types.Object {
	switch of := calledExpr(call).(type) {
	case *ast.Ident:
		return t.function(of)
	case *ast.SelectorExpr:
		return t.function(of.Sel)
	}
	return nil
}

// function is what a name stands for, if that is a function; nil otherwise.
func (t typed) function(name *ast.Ident) types.Object {
	if fn, ok := t.info.Uses[name].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// calledExpr is what a call calls, without type arguments.
func calledExpr(call *ast.CallExpr) ast.Expr {
	switch e := ast.Unparen(call.Fun).(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.IndexListExpr:
		return e.X
	default:
		return e
	}
}
