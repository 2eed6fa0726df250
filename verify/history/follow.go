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
const deepestCode = 12

// part is what is followed of the values of a variable.
type part struct {
	text    string // ".ship": selects it from the value; empty for the whole
	element bool   // from an element of the value
}

// follow marks the places that change what an expression names.
func (m *marker) follow(o operand, depth int) { m.followPart(o, part{}, depth) }

func (m *marker) followPart(o operand, of part, depth int) {
	switch e := ast.Unparen(o.Expr).(type) {
	case *ast.Ident:
		m.variable(o.info.ObjectOf(e), nil, of, depth)
	case *ast.SelectorExpr:
		s := o.info.Selections[e]
		if s == nil {
			m.variable(o.info.Uses[e.Sel], nil, of, depth)
			return
		}
		m.variable(s.Obj(), owner(s), of, depth)
		m.promoted(s, of, depth)
		if _, pointer := s.Recv().Underlying().(*types.Pointer); !pointer && !of.element {
			m.followPart(operand{e.X, o.info, ""}, part{text: "." + e.Sel.Name + of.text}, depth)
		}
	case *ast.IndexExpr:
		if of.element {
			of = part{}
		}
		m.followPart(operand{e.X, o.info, ""}, part{of.text, true}, depth)
		if t := o.info.TypeOf(e.X); isMap(t) { // last: there may be more of these than can be recorded
			entries(m, t, of, depth)
		}
	case *ast.StarExpr:
		m.followPart(operand{e.X, o.info, ""}, part{}, depth)
	}
}

// promoted follows the embedded structs by which a field is selected: what makes one of them
// may leave the field out.
func (m *marker) promoted(s *types.Selection, of part, depth int) {
	t := s.Recv()
	var fields []*types.Var
	var owners []*types.TypeName
	for _, i := range s.Index() {
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return
		}
		named, _ := types.Unalias(deref(t)).(*types.Named)
		if named == nil {
			return
		}
		fields, owners, t = append(fields, st.Field(i)), append(owners, named.Origin().Obj()), st.Field(i).Type()
	}
	for i, field := range fields[:len(fields)-1] {
		if _, pointer := field.Type().Underlying().(*types.Pointer); pointer || of.element {
			continue
		}
		rest := ""
		for _, inner := range fields[i+1:] {
			rest += "." + inner.Name()
		}
		m.variable(field, owners[i], part{text: rest + of.text}, depth)
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
	if owns(m, named.Obj().Pkg()) {
		return ""
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
func (m *marker) variable(o types.Object, of *types.TypeName, some part, depth int) {
	v, ok := o.(*types.Var)
	if m.plan.query.Plain && some != (part{}) {
		return
	}
	m.plan.cut = m.plan.cut || ok && depth > deepestCode
	if !ok || depth > deepestCode || m.followed[followed{v.Origin(), some}] {
		return
	}
	m.followed[followed{v.Origin(), some}] = true
	for _, u := range m.index.Uses(v) {
		switch u.Kind {
		case workspace.Write, workspace.Element:
			m.write(v, u, some, depth)
		case workspace.Address:
			if f, ok := m.at(u.Node); ok && !m.called(f, u.Node) {
				m.gap(fmt.Sprintf("writes through the address of %s (%s) are not recorded", v.Name(), where(m.code, u.Node)))
			}
		}
	}
	if of != nil {
		for _, u := range m.index.Makes(of) {
			m.made(v, u, some, depth)
		}
	}
	if !v.IsField() {
		m.parameter(v, some, depth)
		m.namedResult(v, some)
		m.declared(v, some)
	}
}

// followed is what is followed already.
type followed struct {
	types.Object
	part
}

// of is what is followed of what is written to a location.
func (some part) of(left ast.Expr) part {
	switch _, element := ast.Unparen(left).(*ast.IndexExpr); {
	case element && some.element:
		return part{text: some.text}
	case element:
		return part{}
	}
	return some
}

// recorded selects what is recorded from a value.
func (some part) recorded() string {
	if some.element {
		return ""
	}
	return some.text
}

// called reports whether an address is the receiver of a call: its writes are of the fields.
func (m *marker) called(f *file, n ast.Node) bool {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	_, ok := path[min(1, len(path)-1)].(*ast.SelectorExpr)
	return ok
}

// write marks a place that gives a variable or an element of it a value.
func (m *marker) write(v *types.Var, u workspace.Use, some part, depth int) {
	f, ok := m.at(u.Node)
	if !ok {
		return
	}
	info := f.pkg.TypesInfo
	switch n := u.Node.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if m.names(info, l, v) {
				right, result := rightOf(n, i)
				m.store(f, n, operand{l, info, ""}, value{right, result, some.of(l)}, n.Tok == token.DEFINE && info.Defs[ident(l)] != nil, depth)
			}
		}
	case *ast.IncDecStmt:
		m.store(f, n, operand{n.X, info, ""}, value{}, false, depth)
	case *ast.RangeStmt:
		for _, l := range []ast.Expr{n.Key, n.Value} {
			if l != nil && m.names(info, l, v) && m.sees(f, info.TypeOf(l), some.of(l)) {
				site := m.site(f, Set, headOf(n), n.Tok == token.DEFINE)
				m.plan.Sites[site].Each, m.plan.Sites[site].copies = true, takes(info, n, l)
				f.text.Put(m.offset(n.Body.Lbrace)+1, fmt.Sprintf(" pausetuiHistory.Store(%d, func() interface{} { return &%s }, %s); ", site, m.textOf(l)+some.of(l).recorded(), m.element(f, n, l, some.of(l), depth)))
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
				m.store(f, n, operand{name, info, ""}, value{right, result, some.of(name)}, true, depth)
			}
		}
	case *ast.CallExpr: // delete, clear, copy
		m.changed(f, n)
	}
}

// takes reports whether a variable of a loop has its values from elsewhere: an index is
// counted, and a literal is here.
func takes(info *types.Info, n *ast.RangeStmt, l ast.Expr) bool {
	if _, literal := ast.Unparen(n.X).(*ast.CompositeLit); literal {
		return false
	}
	t := info.TypeOf(n.X)
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Map:
		return true
	}
	return l == n.Value
}

// changed marks a built-in function that changes entries of a map.
func (m *marker) changed(f *file, n *ast.CallExpr) {
	if len(n.Args) != 2 { // it is a call whose result is a part of the value
		return
	}
	stmt, ok := m.listed(f, n)
	if _, isMap := f.pkg.TypesInfo.TypeOf(n.Args[0]).Underlying().(*types.Map); !ok || !isMap || !pure(n.Args[0]) || !isKey(f.pkg.TypesInfo, n.Args[1]) {
		return
	}
	site := m.site(f, Set, n, false)
	f.text.Put(m.offset(stmt.End()), fmt.Sprintf("; pausetuiHistory.Entry(%d, %s, nil, nil, -1)", site, keyOf(m.textOf(n.Args[0]), m.textOf(n.Args[1]), "")))
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

// declared marks the declaration of a variable that has no value there.
func (m *marker) declared(v *types.Var, some part) {
	_, syntax, ok := m.code.FileOf(m.code.Fset.PositionFor(v.Pos(), false).Filename)
	if !ok || v.Name() == "_" {
		return
	}
	path, _ := astutil.PathEnclosingInterval(syntax, v.Pos(), v.Pos())
	for _, n := range path[:min(2, len(path))] {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			if f, ok := m.at(spec); ok && m.sees(f, v.Type(), some) {
				site := m.site(f, Zero, spec, true)
				m.plan.Sites[site].Field = v.Name()
				m.after(f, spec, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, nil)", site, v.Name()+some.recorded()))
			}
		}
	}
}

// value is what a statement writes: a result of an expression, and what of it is followed.
type value struct {
	ast.Expr
	result int
	part
}

// store marks a statement that gives a location a value.
func (m *marker) store(f *file, n ast.Node, left operand, right value, begins bool, depth int) {
	if id := ident(left.Expr); id != nil && id.Name == "_" || !m.sees(f, f.pkg.TypesInfo.TypeOf(left.Expr), right.part) {
		return
	}
	if base, key, ok := left.entry(); ok {
		if id := fmt.Sprintf("%d entry %s", left.Pos(), right.recorded()); pure(base) && isKey(left.info, key) && !m.passing[id] {
			m.passing[id] = true
			m.putEntry(f, n, left.Expr, m.textOf(base), m.textOf(key), right, depth)
		}
		return
	}
	if !left.addressable(left.Expr) {
		m.gap(fmt.Sprintf("assignments to %s are not recorded", m.textOf(left.Expr)))
		return
	}
	switch given := ast.Unparen(orNil(right.Expr)).(type) {
	case *ast.CallExpr:
		if right.element {
			m.appended(f, n, left.Expr, given, right.text, depth)
		}
	case *ast.CompositeLit:
		if right.element {
			m.literalElements(f, n, left.Expr, given, right.text, depth)
		}
	}
	m.put(f, n, m.base(left.Expr)+right.recorded(), left.Expr, right, begins, depth)
}

// put has a statement note what it has written to a location, which text names.
func (m *marker) put(f *file, n ast.Node, text string, left ast.Expr, right value, begins bool, depth int) {
	site, from, group := m.stored(f, n, left, right, begins, depth)
	if group >= 0 {
		m.after(f, n, fmt.Sprintf("StoreResult(%d, func() interface{} { return &%s }, %d)", site, text, group))
		return
	}
	m.after(f, n, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, %s)", site, text, from))
}

// stored marks the beginning of a statement that writes a value, and says where that is read,
// or the group of the calls that it comes from.
func (m *marker) stored(f *file, n ast.Node, left ast.Expr, right value, begins bool, depth int) (site int, from string, group int) {
	from, group = m.sourceOf(f, right, n.End(), written(n, left), depth)
	site = m.site(f, Set, n, begins)
	m.plan.Sites[site].Each, m.plan.Sites[site].call = m.isPost(f, n), group >= 0
	m.plan.Sites[site].zeroes = right.Expr != nil && zeroes(right.Expr)
	assign, _ := n.(*ast.AssignStmt)
	m.plan.Sites[site].computes = assign != nil && assign.Tok != token.ASSIGN && assign.Tok != token.DEFINE
	m.plan.Sites[site].copies = right.Expr != nil && !makes(f.pkg.TypesInfo, right.Expr)
	m.plan.Sites[site].By, m.plan.Sites[site].converts = by(m, f, right.Expr), converts(f.pkg.TypesInfo, right.Expr)
	if stmt, ok := n.(ast.Stmt); ok && group >= 0 && m.isListed(f, stmt) {
		f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Forget(%d); ", group))
	}
	return site, from, group
}

// shares reports whether an expression names something else after an assignment to others.
// One to a single field changes where a field of the same name lies only if it is passed on
// the way there.
func (m *marker) shares(info *types.Info, e ast.Expr, left []ast.Expr) bool {
	names := map[types.Object]bool{}
	for _, l := range left {
		if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(left) == 1 {
			l = sel.Sel
			if field, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
				e = field.X
			}
		}
		each(l, func(id *ast.Ident) { names[info.ObjectOf(id)] = true })
	}
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

func ident(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// base is the source of an expression of which a part is to be selected.
func (m *marker) base(e ast.Expr) string {
	if _, pointed := ast.Unparen(e).(*ast.StarExpr); pointed {
		return "(" + m.textOf(ast.Unparen(e)) + ")"
	}
	return m.textOf(e)
}

// textOf is the source of an expression, in one line.
func (m *marker) textOf(e ast.Expr) string {
	return strings.ReplaceAll(types.ExprString(e), "\n", " ")
}
