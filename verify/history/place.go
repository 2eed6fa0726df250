package history

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/syntax"
)

// listed is the statement around a node that is one of a list: code can be put before it.
func (m *marker) listed(f *file, n ast.Node) (ast.Stmt, bool) {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	for i, n := range path {
		if _, out := n.(*ast.FuncLit); out && i > 0 {
			return nil, false
		}
		if stmt, ok := n.(ast.Stmt); ok && !isClause(n) && i+1 < len(path) && slices.Contains(list(path[i+1]), stmt) {
			return stmt, true
		}
	}
	return nil, false
}

// isClause reports whether a node is a case, which stands in a list and is no statement.
func isClause(n ast.Node) bool {
	switch n.(type) {
	case *ast.CommClause, *ast.CaseClause:
		return true
	}
	return false
}

// isListed reports whether a statement itself is one of a list.
func (m *marker) isListed(f *file, stmt ast.Stmt) bool {
	at, ok := m.listed(f, stmt)
	return ok && at == stmt
}

// isPost reports whether a statement ends each round of a loop.
func (m *marker) isPost(f *file, n ast.Node) bool {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	if len(path) < 2 {
		return false
	}
	loop, ok := path[1].(*ast.ForStmt)
	return ok && loop.Post == path[0]
}

// list are the statements that a node lists.
func list(n ast.Node) []ast.Stmt {
	if block, ok := n.(*ast.BlockStmt); ok {
		return block.List
	}
	clause, _ := n.(ast.Stmt)
	return syntax.ClauseBody(clause)
}

// Names that begin function literals which are put around an expression that makes a value,
// and around the statement that ends each round of a loop.
const (
	MadeName = "pausetuiMade"
	PostName = "pausetuiPost"
)

// after puts a call after a statement or a declaration. In the head of another statement it
// goes into the condition, which is looked at next.
func (m *marker) after(f *file, n ast.Node, call string) {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	if spec, ok := n.(*ast.ValueSpec); ok {
		m.afterSpec(f, path, spec, call)
		return
	}
	if len(path) < 2 {
		return
	}
	stmt, _ := path[0].(ast.Stmt)
	switch parent := path[1].(type) {
	case *ast.CommClause:
		if parent.Comm == stmt {
			f.text.Put(m.offset(parent.Colon)+1, " pausetuiHistory."+call+"; ")
			return
		}
	case *ast.IfStmt:
		m.before(f, parent.Cond, call)
		return
	case *ast.ForStmt:
		switch {
		case parent.Post == stmt:
			m.wrap(f, stmt, "func() { const "+PostName+" = 0; ", "; pausetuiHistory."+call+" }()")
		case parent.Cond != nil:
			m.before(f, parent.Cond, asked(call))
		default:
			f.text.Put(m.offset(parent.Body.Lbrace)+1, " pausetuiHistory."+asked(call)+"; ")
		}
		return
	case *ast.SwitchStmt, *ast.TypeSwitchStmt:
		m.gap("assignments in the head of a switch are not recorded")
		return
	}
	f.text.Put(m.offset(n.End()), "; pausetuiHistory."+call)
}

// asked is a call for what is noted again in each round of a loop.
func asked(call string) string {
	name, arguments, _ := strings.Cut(call, "(")
	switch name {
	case "Store":
		return "First(" + strings.TrimSuffix(arguments, ")") + ", -1)"
	case "StoreResult":
		i := strings.LastIndex(arguments, ", ")
		return "First(" + arguments[:i] + ", nil" + arguments[i:]
	}
	return call
}

// afterSpec puts a call after a declaration. Outside of functions it is one, too, that waits
// for what it names.
func (m *marker) afterSpec(f *file, path []ast.Node, spec *ast.ValueSpec, call string) {
	for _, n := range path {
		if d, ok := n.(*ast.DeclStmt); ok {
			f.text.Put(m.offset(d.End()), "; pausetuiHistory."+call)
			return
		}
		if d, ok := n.(*ast.GenDecl); ok && d.Lparen.IsValid() && len(path) > 1 && path[len(path)-2] == n {
			f.text.Put(m.offset(spec.End()), "; _ = pausetuiHistory."+call)
			return
		}
	}
	f.text.Put(m.offset(spec.End()), "; var _ = pausetuiHistory."+call)
}

// before puts a call in front of a condition, which keeps its type.
func (m *marker) before(f *file, cond ast.Expr, call string) {
	m.wrap(f, cond, "pausetuiHistory."+call+" == true && (", ")")
}

// condition is that of an if or a for; nil without one.
func condition(s ast.Stmt) ast.Expr {
	switch s := s.(type) {
	case *ast.IfStmt:
		return s.Cond
	case *ast.ForStmt:
		return s.Cond
	}
	return nil
}

// span is a part of a node.
type span struct{ from, to token.Pos }

func (s span) Pos() token.Pos { return s.from }
func (s span) End() token.Pos { return s.to }

// headOf is a node without its body.
func headOf(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.RangeStmt:
		return span{n.Pos(), n.Body.Lbrace}
	case *ast.FuncDecl:
		return span{n.Pos(), n.Type.End()}
	}
	return n
}

// entry is an expression that is an entry of a map.
func (o operand) entry() (base, key ast.Expr, ok bool) {
	e, ok := ast.Unparen(o.Expr).(*ast.IndexExpr)
	if !ok {
		return nil, nil, false
	}
	t := o.info.TypeOf(e.X)
	if t == nil {
		return nil, nil, false
	}
	_, ok = t.Underlying().(*types.Map)
	return e.X, e.Index, ok
}

// unfit says why the history of an expression cannot be found; empty if it can.
func unfit(o operand) string {
	if base, key, ok := o.entry(); ok {
		if pure(base) && isKey(o.info, key) {
			return ""
		}
		return "it calls something"
	}
	if !o.addressable(o.Expr) {
		return "it is not a variable, a field or an element"
	}
	return ""
}

// addressable reports whether an expression names a location, and calls nothing.
func (o operand) addressable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := o.info.ObjectOf(e).(*types.Var)
		return ok && v.Name() != "_"
	case *ast.StarExpr:
		return pure(e.X)
	case *ast.SelectorExpr:
		s := o.info.Selections[e]
		if s == nil { // of a package
			_, ok := o.info.ObjectOf(e.Sel).(*types.Var)
			return ok
		}
		if s.Kind() != types.FieldVal {
			return false
		}
		if _, pointer := s.Recv().Underlying().(*types.Pointer); pointer {
			return pure(e.X)
		}
		return o.addressable(e.X)
	case *ast.IndexExpr:
		t := o.info.TypeOf(e.X)
		if t == nil || !pure(e.Index) {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Slice, *types.Pointer:
			return pure(e.X)
		case *types.Array:
			return o.addressable(e.X)
		}
	}
	return false
}

// pure reports whether an expression calls nothing and receives nothing.
func pure(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id := ident(n.Fun)
			ok = ok && id != nil && (id.Name == "len" || id.Name == "cap")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit, *ast.CompositeLit:
			ok = false
		}
		return ok
	})
	return ok
}

// functionName is the name of a function as a person reads it: "(*T).M", "T.M", "F".
func functionName(fn *ast.FuncDecl) string {
	name, pointer := patch.Receiver(fn)
	switch {
	case name == "":
		return fn.Name.Name
	case pointer:
		return "(*" + name + ")." + fn.Name.Name
	}
	return name + "." + fn.Name.Name
}

// cut is a text in one line, and not too long.
func cut(text string) string {
	const long = 100
	text = syntax.Fold(text)
	if r := []rune(text); len(r) > long {
		return string(r[:long-1]) + "…"
	}
	return text
}
