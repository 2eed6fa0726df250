package history

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/pausetui/pausetui/source/workspace"
)

// appended marks elements that a statement appends to a list, and where the others are then.
func (m *marker) appended(f *file, n ast.Node, left ast.Expr, call *ast.CallExpr, text string, depth int) {
	stmt, ok := n.(ast.Stmt)
	if id := ident(call.Fun); id == nil || id.Name != "append" || len(call.Args) == 0 || !ok || !m.isListed(f, stmt) || !pure(call.Args[0]) || len(written(n, left)) != 1 {
		return
	}
	list := m.base(left)
	if from := (operand{call.Args[0], f.pkg.TypesInfo, ""}); from.addressable(call.Args[0]) {
		f.text.Put(m.offset(stmt.Pos()), fmt.Sprintf("pausetuiHistory.Moving(func() interface{} { return &%s }); ", m.textOf(from.Expr)))
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

// literalElements marks those of a literal that a statement gives to an array.
func (m *marker) literalElements(f *file, n ast.Node, left ast.Expr, list *ast.CompositeLit, text string, depth int) {
	if _, isArray := underlying[*types.Array](f.pkg.TypesInfo.TypeOf(list)); isArray {
		for _, call := range m.elementCalls(f, list, m.base(left), text, written(n, left), depth) {
			m.after(f, n, call)
		}
	}
}

// elements wraps a literal of a slice or a map so that it records what its elements, or a part of
// each, are given. They stay at their addresses, whatever the literal is assigned to.
func (m *marker) elements(f *file, list *ast.CompositeLit, text string, depth int) {
	key := fmt.Sprintf("%d elements %s", list.Pos(), text)
	if list.Type == nil || m.passing[key] || !mayWrap(f, list) {
		return
	}
	m.passing[key] = true
	switch f.pkg.TypesInfo.TypeOf(list).Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return
	}
	texts := m.elementCalls(f, list, MadeName, text, nil, depth)
	if len(texts) > 0 {
		m.wrap(f, list, "func() "+m.textOf(list.Type)+" { "+MadeName+" := ", "; pausetuiHistory."+strings.Join(texts, "; pausetuiHistory.")+"; return "+MadeName+" }()")
	}
}

// mayWrap reports whether a call can replace a literal: its address is not taken, and it is not
// part of a constant expression such as len([2]int{}).
func mayWrap(f *file, list *ast.CompositeLit) bool {
	path, _ := astutil.PathEnclosingInterval(f.syntax, list.Pos(), list.End())
	for _, n := range path {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND && ast.Unparen(n.X) == ast.Expr(list) {
				return false
			}
		case ast.Expr:
			if f.pkg.TypesInfo.Types[n].Value != nil {
				return false
			}
		case ast.Stmt, ast.Decl:
			return true
		}
	}
	return true
}

// elementCalls are the calls that note the elements of a literal, which base names.
func (m *marker) elementCalls(f *file, list *ast.CompositeLit, base, text string, left []ast.Expr, depth int) (texts []string) {
	of := elementOf(f.pkg.TypesInfo.TypeOf(list))
	if of == nil || strings.Count(text, ".") > 1 || !has(f.pkg.Types, of, text) {
		return nil
	}
	toMap := isMap(f.pkg.TypesInfo.TypeOf(list))
	_, pointers := underlying[*types.Pointer](of)
	twice := calledTwice(f.pkg.TypesInfo, list)
	for i, elt := range list.Elts {
		index := strconv.Itoa(i)
		kv, keyed := elt.(*ast.KeyValueExpr)
		switch {
		case i >= maxElements || keyed && !toMap:
			return texts
		case keyed && !isKey(f.pkg.TypesInfo, kv.Key):
			continue
		case keyed:
			index, elt = m.textOf(kv.Key), kv.Value
		}
		given, kind, ok := givenTo(f, elt, text, pointers)
		if !ok || calls(f.pkg.TypesInfo, given.Expr, twice) {
			continue
		}
		from, group := m.sourceOf(f, given, list.End(), left, depth)
		site := m.plan.leaves(m.site(f, kind, elt, true), strings.TrimPrefix(text, "."))
		m.plan.Sites[site].copies = given.Expr != nil && !makes(f.pkg.TypesInfo, given.Expr)
		place := fmt.Sprintf("func() interface{} { return &%s[%s]%s }", base, index, text)
		switch {
		case toMap && (!pointers || text == ""):
			texts = append(texts, fmt.Sprintf("Entry(%d, %s, %s, %s, %d)", site, keyOf(base, index, text), readOf(base, index, text), from, group))
		case group >= 0:
			texts = append(texts, fmt.Sprintf("StoreResult(%d, %s, %d)", site, place, group))
		default:
			texts = append(texts, fmt.Sprintf("Store(%d, %s, %s)", site, place, from))
		}
	}
	return texts
}

// calledTwice are the functions that a literal calls more than once: all of its elements are
// evaluated before any of them is noted, and then only what a function returned last is known.
func calledTwice(info *types.Info, list *ast.CompositeLit) map[*types.Func]bool {
	times, twice := map[*types.Func]int{}, map[*types.Func]bool{}
	eachCall(info, list, func(fn *types.Func) {
		times[fn]++
		twice[fn] = times[fn] > 1
	})
	return twice
}

// calls reports whether an expression calls one of some functions.
func calls(info *types.Info, e ast.Expr, some map[*types.Func]bool) (found bool) {
	if e != nil {
		eachCall(info, e, func(fn *types.Func) { found = found || some[fn] })
	}
	return found
}

func eachCall(info *types.Info, n ast.Node, visit func(*types.Func)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := workspace.Callee(info, call); fn != nil {
				visit(fn)
			}
		}
		return true
	})
}

// givenTo is what an element of a literal, or a part of it, is given there; false where that is
// not the literal's to say.
func givenTo(f *file, elt ast.Expr, text string, pointers bool) (value, Kind, bool) {
	lit, ok := ast.Unparen(elt).(*ast.CompositeLit)
	switch {
	case text == "":
		return value{elt, 0, part{}}, Set, true
	case !ok:
		return value{elt, 0, part{text: text}}, Set, !pointers
	}
	if given := fieldNamed(f.pkg.TypesInfo, lit, text[1:]); given != nil {
		return value{given, 0, part{}}, Made, true
	}
	return value{}, Left, true
}

// elementOf is the type of the elements of a list or a map.
func elementOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Elem()
	}
	return nil
}

// maxAppended bounds the elements of a statement that are noted.
const maxAppended = 8

// maxElements bounds those of a literal.
const maxElements = 40

// element is where the variable of a range over a list is read, as code. What it comes from
// is followed.
func (m *marker) element(f *file, n *ast.RangeStmt, l ast.Expr, some part, depth int) string {
	key := ident(n.Key)
	info := f.pkg.TypesInfo
	if l != n.Value || key == nil || !pure(n.X) || n.Tok != token.DEFINE {
		return "nil"
	}
	if isMap(info.TypeOf(n.X)) && key.Name != "_" {
		if read, ok := m.entryRead(operand{&ast.IndexExpr{X: n.X, Index: key}, info, ""}, some, depth); ok {
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
	return fmt.Sprintf("func() interface{} { return &%s[%s]%s }", m.base(n.X), name, some.recorded())
}
