package history

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/pausetui/pausetui/source/workspace"
)

// deepestCode is how many steps of the source a value is followed.
const deepestCode = 5

// follow marks the places that change what an expression names.
func (m *marker) follow(o operand, depth int) {
	switch e := ast.Unparen(o.Expr).(type) {
	case *ast.Ident:
		m.variable(o.info.Uses[e], nil, depth)
	case *ast.SelectorExpr:
		s := o.info.Selections[e]
		if s == nil {
			m.variable(o.info.Uses[e.Sel], nil, depth)
			return
		}
		m.variable(s.Obj(), owner(s), depth)
		if _, pointer := s.Recv().Underlying().(*types.Pointer); !pointer {
			m.follow(operand{e.X, o.info, ""}, depth)
		}
	case *ast.IndexExpr:
		m.follow(operand{e.X, o.info, ""}, depth)
	case *ast.StarExpr:
		m.follow(operand{e.X, o.info, ""}, depth)
	}
}

// owner is the type that declares the field of a selection.
func owner(s *types.Selection) *types.TypeName {
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = st.Field(i).Type()
	}
	if named, ok := types.Unalias(deref(t)).(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// foreign is the package whose struct a type is, where that is not the user's own.
func foreign(m *marker, t types.Type) string {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct {
		return ""
	}
	for _, pkg := range m.code.Packages {
		if pkg.PkgPath == named.Obj().Pkg().Path() {
			return ""
		}
	}
	return named.Obj().Pkg().Path()
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// variable marks the places that change a variable or a field of a type.
func (m *marker) variable(o types.Object, of *types.TypeName, depth int) {
	v, ok := o.(*types.Var)
	if !ok || m.followed[v.Origin()] || depth > deepestCode {
		return
	}
	m.followed[v.Origin()] = true
	for _, u := range m.index.Uses(v) {
		switch u.Kind {
		case workspace.Write, workspace.Element:
			m.write(v, u, depth)
		case workspace.Address:
			if f, ok := m.at(u.Node); ok && !m.called(f, u.Node) {
				at := m.code.Fset.Position(u.Node.Pos())
				m.gap(fmt.Sprintf("writes through the address of %s (line %d) are not recorded", v.Name(), at.Line))
			}
		}
	}
	if of != nil {
		for _, u := range m.index.Makes(of) {
			m.made(v, u, depth)
		}
	}
	if !v.IsField() {
		m.parameter(v, depth)
	}
}

// called reports whether an address is the receiver of a call: its writes are of the fields.
func (m *marker) called(f *file, n ast.Node) bool {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	_, ok := path[min(1, len(path)-1)].(*ast.SelectorExpr)
	return ok
}

// write marks a place that gives a variable or an element of it a value.
func (m *marker) write(v *types.Var, u workspace.Use, depth int) {
	f, ok := m.at(u.Node)
	if !ok {
		return
	}
	info := f.pkg.TypesInfo
	switch n := u.Node.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if m.names(info, l, v) {
				right, result := n.Rhs[0], i
				if len(n.Rhs) == len(n.Lhs) {
					right, result = n.Rhs[i], 0
				}
				m.store(f, n, operand{l, info, ""}, right, result, n.Tok == token.DEFINE && info.Defs[ident(l)] != nil, depth)
			}
		}
	case *ast.IncDecStmt:
		m.store(f, n, operand{n.X, info, ""}, nil, 0, false, depth)
	case *ast.RangeStmt:
		for _, l := range []ast.Expr{n.Key, n.Value} {
			if l != nil && m.names(info, l, v) {
				site := m.site(f, Set, headOf(n), n.Tok == token.DEFINE)
				f.text.Put(m.offset(n.Body.Lbrace)+1, fmt.Sprintf(" pausetuiHistory.Store(%d, func() interface{} { return &%s }, nil); ", site, m.textOf(f, l)))
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if o := info.Defs[name]; o != nil && m.index.Same(o, v) {
				var right ast.Expr
				result := i
				if len(n.Values) == len(n.Names) {
					right, result = n.Values[i], 0
				} else if len(n.Values) == 1 {
					right = n.Values[0]
				}
				m.store(f, n, operand{name, info, ""}, right, result, true, depth)
			}
		}
	case *ast.CallExpr: // delete, clear, copy
		m.changed(f, n)
	}
}

// changed marks a built-in function that changes entries of a map.
func (m *marker) changed(f *file, n *ast.CallExpr) {
	stmt, ok := m.listed(f, n)
	if _, isMap := f.pkg.TypesInfo.TypeOf(n.Args[0]).Underlying().(*types.Map); !ok || !isMap || len(n.Args) != 2 || !pure(n.Args[0]) || !pure(n.Args[1]) {
		return
	}
	site := m.site(f, Set, n, false)
	f.text.Put(m.offset(stmt.End()), "; pausetuiHistory."+m.entryCall(f, site, n.Args[0], n.Args[1]))
}

func (m *marker) entryCall(f *file, site int, base, key ast.Expr) string {
	return fmt.Sprintf("Entry(%d, func() interface{} { return %s }, func() interface{} { return %s })", site, m.textOf(f, base), m.textOf(f, key))
}

// names reports whether the left side of an assignment is a variable, or an element of it.
func (m *marker) names(info *types.Info, l ast.Expr, v *types.Var) bool {
	for {
		switch e := ast.Unparen(l).(type) {
		case *ast.IndexExpr:
			l = e.X
		case *ast.StarExpr:
			l = e.X
		case *ast.Ident:
			o := info.ObjectOf(e)
			return o != nil && m.index.Same(o, v)
		case *ast.SelectorExpr:
			o := info.ObjectOf(e.Sel)
			return o != nil && m.index.Same(o, v)
		default:
			return false
		}
	}
}

// store marks a statement that gives a location a value.
func (m *marker) store(f *file, n ast.Node, left operand, right ast.Expr, result int, begins bool, depth int) {
	if id := ident(left.Expr); id != nil && id.Name == "_" {
		return
	}
	if base, key, ok := left.entry(); ok {
		if pure(base) && pure(key) {
			m.after(f, n, m.entryCall(f, m.site(f, Set, n, false), base, key))
		}
		return
	}
	if !left.addressable(left.Expr) {
		m.gap(fmt.Sprintf("assignments to %s are not recorded", m.textOf(f, left.Expr)))
		return
	}
	text := m.textOf(f, left.Expr)
	from, group := m.sourceOf(f, right, result, n.End(), left.Expr, depth)
	site := m.site(f, Set, n, begins)
	if group >= 0 {
		if stmt, ok := n.(ast.Stmt); ok && m.isListed(f, stmt) {
			f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Forget(%d); ", group))
		}
		m.after(f, n, fmt.Sprintf("StoreResult(%d, func() interface{} { return &%s }, %d)", site, text, group))
		return
	}
	m.after(f, n, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, %s)", site, text, from))
}

// sourceOf says where a value is read that is written, as code, and the group of the calls
// that it comes from, or -1. What it comes from is followed. at is where the code goes, left
// what is written by then.
func (m *marker) sourceOf(f *file, e ast.Expr, result int, at token.Pos, left ast.Expr, depth int) (from string, group int) {
	info := f.pkg.TypesInfo
	for e = ast.Unparen(orNil(e)); ; {
		switch inner := e.(type) {
		case *ast.TypeAssertExpr:
			e = ast.Unparen(inner.X)
			continue
		case *ast.CallExpr:
			if info.Types[inner.Fun].IsType() && len(inner.Args) == 1 {
				e = ast.Unparen(inner.Args[0])
				continue
			}
			if fn := workspace.Callee(info, inner); fn != nil && len(m.index.Callees(info, inner)) > 0 {
				group = m.group(fmt.Sprintf("%s result %d", fn.FullName(), result))
				for _, callee := range m.index.Callees(info, inner) {
					m.returns(callee, result, group, depth+1)
				}
				return "nil", group
			}
		}
		break
	}
	o := operand{e, info, ""}
	if e == ast.Expr(nothing) || !o.addressable(e) || left != nil && m.shares(info, e, left) || !m.visible(info, e, at) {
		return "nil", -1
	}
	m.follow(operand{e, info, ""}, depth+1)
	return "func() interface{} { return &" + m.textOf(f, e) + " }", -1
}

var nothing = &ast.BadExpr{}

func orNil(e ast.Expr) ast.Expr {
	if e == nil {
		return nothing
	}
	return e
}

// shares reports whether an expression names what another one begins with: it is another
// one after the assignment.
func (m *marker) shares(info *types.Info, e, left ast.Expr) bool {
	names := map[types.Object]bool{}
	each(left, func(id *ast.Ident) { names[info.ObjectOf(id)] = true })
	found := false
	each(e, func(id *ast.Ident) { found = found || names[info.ObjectOf(id)] })
	return found
}

func each(n ast.Node, visit func(*ast.Ident)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			visit(id)
		}
		return true
	})
}

// visible reports whether all that an expression names is declared before a position.
func (m *marker) visible(info *types.Info, e ast.Expr, at token.Pos) bool {
	all := true
	each(e, func(id *ast.Ident) {
		o := info.ObjectOf(id)
		v, ok := o.(*types.Var)
		if ok && !v.IsField() && (v.Pkg() == nil || v.Parent() != v.Pkg().Scope()) && v.Pos() >= at {
			all = false
		}
	})
	return all
}

func (m *marker) group(key string) int {
	if n, ok := m.groups[key]; ok {
		return n
	}
	m.groups[key] = len(m.groups)
	return m.groups[key]
}

// made marks a place that makes a value of the type that has a field.
func (m *marker) made(field *types.Var, u workspace.Use, depth int) {
	f, ok := m.at(u.Node)
	if !ok {
		return
	}
	switch n := u.Node.(type) {
	case *ast.CompositeLit:
		m.literal(f, field, n, depth)
	case *ast.CallExpr: // new
		m.making(f, n, n.Args[0], m.site(f, Left, n, true), "nil", -1)
	case *ast.ValueSpec:
		for _, name := range n.Names {
			m.store(f, n, operand{name, f.pkg.TypesInfo, ""}, nil, 0, true, depth)
		}
	}
}

// making has an expression that makes a value note it. It needs no newer language than the
// program is written in.
func (m *marker) making(f *file, n ast.Node, made ast.Expr, site int, from string, group int) {
	m.wrap(f, n, "func() *"+m.textOf(f, made)+" { pausetuiMade := ", fmt.Sprintf("; pausetuiHistory.Made(%d, pausetuiMade, %s, %d); return pausetuiMade }()", site, from, group))
}

// literal marks a composite literal of the type that has a field.
func (m *marker) literal(f *file, field *types.Var, n *ast.CompositeLit, depth int) {
	info := f.pkg.TypesInfo
	value, kind := m.fieldIn(info, n, field), Made
	if value == nil {
		kind = Left
	}
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	if len(path) < 2 {
		return
	}
	switch parent := path[1].(type) {
	case *ast.UnaryExpr:
		from, group := m.sourceOf(f, value, 0, n.Pos(), nil, depth)
		if group >= 0 {
			from = "nil"
		}
		m.making(f, parent, n.Type, m.site(f, kind, parent, true), from, group)
	case *ast.AssignStmt:
		for i, r := range parent.Rhs {
			if left := (operand{parent.Lhs[i], info, ""}); ast.Unparen(r) == ast.Expr(n) && len(parent.Lhs) == len(parent.Rhs) && left.addressable(left.Expr) {
				site := m.site(f, kind, parent, true)
				from, group := m.sourceOf(f, value, 0, n.Pos(), parent.Lhs[i], depth)
				if group >= 0 {
					m.after(f, parent, fmt.Sprintf("StoreResult(%d, func() interface{} { return &%s }, %d)", site, m.textOf(f, left.Expr), group))
				} else {
					m.after(f, parent, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, %s)", site, m.textOf(f, left.Expr), from))
				}
			}
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

func ident(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// textOf is the source of an expression, in one line.
func (m *marker) textOf(f *file, e ast.Expr) string {
	return strings.ReplaceAll(types.ExprString(e), "\n", " ")
}
