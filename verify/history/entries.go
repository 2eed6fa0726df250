package history

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
)

// keyOf is code that names an entry of a map.
func keyOf(base, key, part string) string {
	return "func() pausetuiHistory.Key { return " + keyLiteral(base, key, part) + " }"
}

func keyLiteral(base, key, part string) string {
	return fmt.Sprintf("pausetuiHistory.Key{Map: %s, Key: %s, Part: %q}", base, key, part)
}

// isKey reports whether a key can be assigned to a variable of type any, to name an entry: it
// calls nothing, and is not a constant that overflows int.
func isKey(info *types.Info, e ast.Expr) bool {
	if !pure(e) {
		return false
	}
	v := info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return true
	}
	_, exact := constant.Int64Val(v)
	return exact
}

// putEntry has a statement note what it has written to an entry of a map.
func (m *marker) putEntry(f *file, n ast.Node, left ast.Expr, base, key string, right value, depth int) {
	if right.element {
		right.part = part{}
	}
	site, from, group := m.stored(f, n, left, right, false, depth)
	m.after(f, n, fmt.Sprintf("Entry(%d, %s, %s, %s, %d)", site, keyOf(base, key, right.text), readOf(base, key, right.text), from, group))
}

// readOf is code that reads a part of an entry; nil for the whole.
func readOf(base, key, part string) string {
	if part == "" {
		return "nil"
	}
	return fmt.Sprintf("func() interface{} { return %s[%s]%s }", base, key, part)
}

func isMap(t types.Type) bool {
	_, ok := underlying[*types.Map](t)
	return ok
}

// entries marks all statements that give an entry of a map of a type a value: which map it is
// is known when it runs.
func entries(m *marker, t types.Type, of part, depth int) {
	key := "entries " + t.String() + of.text
	if m.passing[key] || depth > deepestCode {
		return
	}
	m.passing[key] = true
	for _, pkg := range m.code.Packages {
		for _, syntax := range pkg.Syntax {
			ast.Inspect(syntax, func(n ast.Node) bool {
				assign, ok := n.(*ast.AssignStmt)
				if !ok {
					return true
				}
				for i, l := range assign.Lhs {
					entry, ok := ast.Unparen(l).(*ast.IndexExpr)
					if !ok || !alike(t, pkg.TypesInfo.TypeOf(entry.X)) {
						continue
					}
					if f, ok := m.at(assign); ok {
						right, result := rightOf(assign, i)
						m.store(f, assign, operand{l, pkg.TypesInfo, ""}, value{right, result, part{text: of.text}}, false, depth)
					}
				}
				return true
			})
		}
	}
}

// rightOf is what an assignment gives one of its locations: an expression, or a result of it.
func rightOf(n *ast.AssignStmt, i int) (right ast.Expr, result int) {
	if len(n.Rhs) == len(n.Lhs) {
		return n.Rhs[i], 0
	}
	return n.Rhs[0], i
}

// entryRead is code for the entry of a map as the place where a value is read; false for
// another expression. What the entry is given is followed.
func (m *marker) entryRead(o operand, some part, depth int) (string, bool) {
	base, key, ok := o.entry()
	if !ok || !pure(base) || !isKey(o.info, key) || some.element {
		return "", false
	}
	m.followPart(o, some, depth+1)
	return "func() interface{} { return " + keyLiteral(m.textOf(base), m.textOf(key), some.text) + " }", true
}
