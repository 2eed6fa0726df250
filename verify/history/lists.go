package history

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// appended marks elements that a statement appends to a list, and where the others are then.
func (m *marker) appended(f *file, n ast.Node, left ast.Expr, call *ast.CallExpr, text string, depth int) {
	stmt, ok := n.(ast.Stmt)
	if id := ident(call.Fun); id == nil || id.Name != "append" || len(call.Args) == 0 || !ok || !m.isListed(f, stmt) || !pure(call.Args[0]) || len(written(n, left)) != 1 {
		return
	}
	list := m.base(f, left)
	if from := (operand{call.Args[0], f.pkg.TypesInfo, ""}); from.addressable(call.Args[0]) {
		f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Moving(func() interface{} { return &%s }); ", m.textOf(f, from.Expr)))
		m.after(f, n, fmt.Sprintf("Move(%d, func() interface{} { return &%s })", m.site(f, moved, n, false), list))
		m.followPart(from, part{text, true}, depth)
	}
	for i, arg := range call.Args[1:] {
		if call.Ellipsis.IsValid() || i > maxAppended {
			return
		}
		place := fmt.Sprintf("%s[len(%s)-%d]%s", list, list, len(call.Args)-1-i, text)
		m.put(f, n, place, left, value{arg, 0, part{text: text}}, true, depth)
	}
}

// elements marks those of a literal that a statement gives to a list.
func (m *marker) elements(f *file, n ast.Node, left ast.Expr, list *ast.CompositeLit, text string, depth int) {
	info := f.pkg.TypesInfo
	if _, isMap := underlying[*types.Map](info.TypeOf(list)); isMap || strings.Count(text, ".") > 1 {
		return
	}
	for i, elt := range list.Elts {
		if _, keyed := elt.(*ast.KeyValueExpr); keyed || i >= maxAppended {
			return
		}
		given, kind := value{elt, 0, part{}}, Set
		if lit, ok := ast.Unparen(elt).(*ast.CompositeLit); ok && text != "" {
			if given.Expr, kind = fieldNamed(info, lit, text[1:]), Made; given.Expr == nil {
				kind = Left
			}
		} else if text != "" {
			given.text = text
		}
		from, group := m.sourceOf(f, given, n.End(), written(n, left), depth)
		site := m.site(f, kind, elt, true)
		m.plan.Sites[site].copies = given.Expr != nil && !makes(given.Expr)
		place := fmt.Sprintf("%s[%d]%s", m.base(f, left), i, text)
		if group >= 0 {
			m.after(f, n, fmt.Sprintf("StoreResult(%d, func() interface{} { return &%s }, %d)", site, place, group))
			continue
		}
		m.after(f, n, fmt.Sprintf("Store(%d, func() interface{} { return &%s }, %s)", site, place, from))
	}
}

// maxAppended bounds the elements of a statement that are noted.
const maxAppended = 8

// element is where the variable of a range over a list is read, as code. What it comes from
// is followed.
func (m *marker) element(f *file, n *ast.RangeStmt, l ast.Expr, some part, depth int) string {
	key := ident(n.Key)
	info := f.pkg.TypesInfo
	if l != n.Value || key == nil || !pure(n.X) || n.Tok != token.DEFINE {
		return "nil"
	}
	if _, isMap := underlying[*types.Map](info.TypeOf(n.X)); isMap && key.Name != "_" {
		if read, ok := m.entryRead(f, operand{&ast.IndexExpr{X: n.X, Index: key}, info, ""}, some, depth); ok {
			return read
		}
	}
	if _, isList := underlying[*types.Slice](info.TypeOf(n.X)); !isList {
		return "nil"
	}
	name := key.Name
	if name == "_" {
		name = "_pausetuiKey"
		if !m.keyed[n] {
			m.keyed[n] = true
			f.text.Put(m.offset(key.End()), "pausetuiKey")
		}
	}
	m.followPart(operand{&ast.IndexExpr{X: n.X, Index: key}, info, ""}, some, depth+1)
	return fmt.Sprintf("func() interface{} { return &%s[%s]%s }", m.base(f, n.X), name, some.recorded())
}
