package history

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/pausetui/pausetui/source/workspace"
)

// made marks a place that makes a value of the type that has a field.
func (m *marker) made(field *types.Var, u workspace.Use, some part, depth int) {
	f, ok := m.at(u.Node)
	if some.element {
		some = part{}
	}
	if !ok || !m.sees(f, field.Type(), some) || !field.Exported() && field.Pkg() != f.pkg.Types {
		return
	}
	switch n := u.Node.(type) {
	case *ast.CompositeLit:
		m.literal(f, field, n, some, depth)
	case *ast.CallExpr: // new
		m.making(f, n, n.Args[0], m.plan.leaves(m.site(f, Left, n, true), field.Name()), "."+field.Name()+some.text, "nil", -1)
	case *ast.ValueSpec:
		for _, name := range n.Names {
			m.store(f, n, operand{name, f.pkg.TypesInfo, ""}, value{part: part{text: "." + field.Name() + some.text}}, true, depth)
		}
	}
}

// making has an expression that makes a value note it. It needs no newer language than the
// program is written in.
func (m *marker) making(f *file, n ast.Node, made ast.Expr, site int, part, from string, group int) {
	m.wrap(f, n, "func() *"+m.textOf(made)+" { "+MadeName+" := ", fmt.Sprintf("; pausetuiHistory.Made(%d, &%s%s, %s, %d); return %[2]s }()", site, MadeName, part, from, group))
}

// literal marks a composite literal of the type that has a field.
func (m *marker) literal(f *file, field *types.Var, n *ast.CompositeLit, some part, depth int) {
	info := f.pkg.TypesInfo
	given, kind := value{m.fieldIn(info, n, field), 0, some}, Made
	if given.Expr == nil {
		kind = Left
	}
	whole := "." + field.Name() + some.text
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	if len(path) < 2 {
		return
	}
	switch parent := path[1].(type) {
	case *ast.CompositeLit, *ast.KeyValueExpr:
		m.inList(f, n, path[1:], whole, depth)
	case *ast.UnaryExpr:
		from, group := m.sourceOf(f, given, n.Pos(), nil, depth)
		if group >= 0 {
			from = "nil"
		}
		m.making(f, parent, n.Type, m.plan.leaves(m.site(f, kind, parent, true), field.Name()), whole, from, group)
	case *ast.AssignStmt:
		for i, r := range parent.Rhs {
			if left := (operand{parent.Lhs[i], info, ""}); ast.Unparen(r) == ast.Expr(n) && len(parent.Lhs) == len(parent.Rhs) && left.addressable(left.Expr) {
				site := m.plan.leaves(m.site(f, kind, parent, true), field.Name())
				from, group := m.sourceOf(f, given, n.Pos(), parent.Lhs, depth)
				if group >= 0 {
					m.after(f, parent, fmt.Sprintf("StoreResult(%d, func() interface{} { return &%s }, %d)", site, m.textOf(left.Expr)+whole, group))
				} else {
					m.after(f, parent, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, %s)", site, m.textOf(left.Expr)+whole, from))
				}
			}
		}
	}
}

// inList marks a literal without a type in a list of pointers, or a map of them.
func (m *marker) inList(f *file, n *ast.CompositeLit, path []ast.Node, part string, depth int) {
	if _, keyed := path[0].(*ast.KeyValueExpr); keyed {
		path = path[1:]
	}
	if list, ok := path[0].(*ast.CompositeLit); ok && n.Type == nil {
		if _, pointers := underlying[*types.Pointer](elementOf(f.pkg.TypesInfo.TypeOf(list))); pointers {
			m.elements(f, list, part, depth+1)
		}
	}
}

// fieldIn is what a literal gives a field; nil where it leaves it out.
func (m *marker) fieldIn(info *types.Info, n *ast.CompositeLit, field *types.Var) ast.Expr {
	st, ok := deref(info.TypeOf(n)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id := ident(kv.Key); id != nil && id.Name == field.Name() {
				return kv.Value
			}
		} else if i < st.NumFields() && m.index.Same(st.Field(i), field) {
			return e
		}
	}
	return nil
}

// fieldNamed is what a literal gives a field; nil where it leaves it out.
func fieldNamed(info *types.Info, n *ast.CompositeLit, name string) ast.Expr {
	st, ok := deref(info.TypeOf(n)).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id := ident(kv.Key); id != nil && id.Name == name {
				return kv.Value
			}
		} else if i < st.NumFields() && st.Field(i).Name() == name {
			return e
		}
	}
	return nil
}
