package history

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
)

// has reports whether values of a type have a part that a package can select.
func has(from *types.Package, t types.Type, part string) bool {
	for part != "" {
		var name string
		name, part, _ = strings.Cut(part[1:], ".")
		if part != "" {
			part = "." + part
		}
		o, _, _ := types.LookupFieldOrMethod(t, true, from, name)
		v, ok := o.(*types.Var)
		if !ok {
			return false
		}
		t = v.Type()
	}
	return true
}

// sees reports whether what is followed of a value can be selected in a file.
func (m *marker) sees(f *file, t types.Type, some part) bool {
	return has(f.pkg.Types, t, some.recorded())
}

// makes reports whether an expression makes its value: it is a constant or a literal, or
// computes it.
func makes(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil { // a constant
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		id := ident(e.Fun)
		return id != nil && slices.Contains([]string{"make", "new", "append", "len", "cap", "min", "max"}, id.Name)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false"
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.TypeAssertExpr, *ast.StarExpr, *ast.SliceExpr:
		return false
	}
	return true
}

// by is what of another package gives a value: a function that is called, a variable, or what
// is selected from these; empty where that is the program's own.
func by(m *marker, f *file, e ast.Expr) string {
	for {
		switch inner := ast.Unparen(orNil(e)).(type) {
		case *ast.TypeAssertExpr:
			e = inner.X
		case *ast.IndexExpr:
			e = inner.X
		case *ast.SliceExpr:
			e = inner.X
		case *ast.StarExpr:
			e = inner.X
		case *ast.CallExpr:
			fn := workspace.Callee(f.pkg.TypesInfo, inner)
			if fn == nil || owns(m, fn.Pkg()) {
				return ""
			}
			return m.textOf(inner.Fun) + "()"
		case *ast.SelectorExpr:
			v, ok := f.pkg.TypesInfo.Uses[inner.Sel].(*types.Var)
			if !ok || v.IsField() || owns(m, v.Pkg()) || m.isSentinel(operand{inner, f.pkg.TypesInfo, ""}) {
				return ""
			}
			return m.textOf(inner)
		default:
			return ""
		}
	}
}

// owns reports whether a package is one of those that are marked; it may be the universe, nil.
func owns(m *marker, pkg *types.Package) bool {
	return pkg == nil || slices.ContainsFunc(m.code.Packages, func(own *packages.Package) bool { return own.PkgPath == pkg.Path() })
}

// converts reports whether an expression is a conversion between types of numbers, or to a
// string: the value may be another one.
func converts(info *types.Info, e ast.Expr) bool {
	call, ok := ast.Unparen(orNil(e)).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !info.Types[call.Fun].IsType() {
		return false
	}
	to, basic := underlying[*types.Basic](info.TypeOf(call))
	from, too := underlying[*types.Basic](info.TypeOf(call.Args[0]))
	return basic && too && (to.Kind() != from.Kind() || converts(info, call.Args[0]))
}

// zeroes reports whether all elements of what an expression makes are zero.
func zeroes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		id := ident(e.Fun)
		return id != nil && id.Name == "make"
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// written is all that a statement writes.
func written(n ast.Node, left ast.Expr) []ast.Expr {
	if assign, ok := n.(*ast.AssignStmt); ok {
		return assign.Lhs
	}
	return []ast.Expr{left}
}

// within is what a literal gives the part of a value that is followed; nil where it gives
// nothing. What is followed of that is a part of it then.
func (v *value) within(info *types.Info, n *ast.CompositeLit) ast.Expr {
	if v.text == "" || v.element {
		return nil
	}
	name, rest, more := strings.Cut(v.text[1:], ".")
	given := fieldNamed(info, n, name)
	if given != nil {
		if v.text = ""; more {
			v.text = "." + rest
		}
	}
	return given
}

// sourceOf says where a value is read that is written, as code, and the group of the calls
// that it comes from, or -1. What it comes from is followed. at is where the code goes, left
// what is written by then.
func (m *marker) sourceOf(f *file, v value, at token.Pos, left []ast.Expr, depth int) (from string, group int) {
	info := f.pkg.TypesInfo
	e, result := ast.Unparen(orNil(v.Expr)), v.result
	for {
		switch inner := e.(type) {
		case *ast.TypeAssertExpr:
			e = ast.Unparen(inner.X)
			continue
		case *ast.CompositeLit:
			if v.element {
				m.elements(f, inner, v.text, depth+1)
				return "nil", -1
			}
			if given := v.within(info, inner); given != nil {
				e, result = ast.Unparen(given), 0
				continue
			}
		case *ast.CallExpr:
			if info.Types[inner.Fun].IsType() && len(inner.Args) == 1 {
				e = ast.Unparen(inner.Args[0])
				continue
			}
			if name, list := callees(m, info, inner); len(list) > 0 {
				group = m.group(fmt.Sprintf("%s result %d%s", name, result, v.recorded()))
				for _, callee := range list {
					m.returns(callee, value{nil, result, v.part}, group, depth+1)
				}
				return "nil", group
			}
		}
		break
	}
	o := operand{e, info, ""}
	if e == ast.Expr(nothing) || m.shares(info, e, left) || !m.visible(info, e, at) || !m.sees(f, info.TypeOf(e), v.part) {
		return "nil", -1
	}
	if result == 0 {
		if read, ok := m.entryRead(o, v.part, depth); ok {
			return read, -1
		}
	}
	if m.isSentinel(o) || !o.addressable(e) {
		return "nil", -1
	}
	m.followPart(operand{e, info, ""}, v.part, depth+1)
	return "func() interface{} { return &" + m.base(e) + v.recorded() + " }", -1
}

// isSentinel reports whether an expression is an error of a package, which is made when the
// program starts: where it is taken, it comes from.
func (m *marker) isSentinel(o operand) bool {
	id := ident(o.Expr)
	if sel, ok := ast.Unparen(o.Expr).(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	if id == nil {
		return false
	}
	v, ok := o.info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && types.Identical(v.Type(), failure)
}

var nothing = &ast.BadExpr{}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return nothing
	}
	return e
}
