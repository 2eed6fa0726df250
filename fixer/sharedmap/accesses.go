package sharedmap

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// mapAccess is one use of the map.
type mapAccess struct {
	syntax.Place      // of the expression that is the map
	write        bool // an entry is written or deleted
	fn           ast.Node
	base         string // of a field: the value it is selected from; empty where that is not known
	escapes      bool   // the map itself is returned
	sequential   bool   // nothing else runs then
	ofCall       bool   // it is the result of a function of the user's, which may return a copy
}

// collect lists all uses of the map.
func (m *sharedMap) collect() {
	fl := m.FlowOf()
	m.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if !syntax.IsMap(p.Info().TypeOf(e)) || isLiteral(e) {
				return true
			}
			if tv := p.Info().Types[e]; tv.IsType() {
				return false
			}
			class := fl.Class(p, e)
			if class == nil || !m.classes[class] {
				return true
			}
			m.add(p.Of(e))
			return true
		})
	})
}

// add notes an access, unless it is none: a name in a declaration, the key of
// a literal, an argument that is only passed on.
func (m *sharedMap) add(p syntax.Place) {
	if len(p.Path) < 2 {
		return
	}
	a := mapAccess{Place: p, write: writesMap(p)}
	switch outer := p.Path[1].(type) {
	case *ast.KeyValueExpr, *ast.Field, *ast.ValueSpec, *ast.SelectorExpr, *ast.UnaryExpr, *ast.ParenExpr:
		if sel, ok := outer.(*ast.SelectorExpr); ok && sel.X == p.Path[0] && p.Info().Selections[sel] != nil {
			break // a method of a map type: its body has the accesses
		}
		return
	case *ast.CallExpr:
		if fn := p.Callee(outer); fn != nil && m.OwnsPackage(fn.Pkg()) {
			return
		}
		if tv, ok := p.Info().Types[outer.Fun]; ok && tv.IsType() || ast.Unparen(outer.Fun) == p.Path[0] {
			return
		}
		if lit, ok := ast.Unparen(outer.Fun).(*ast.FuncLit); ok && lit != nil {
			return
		}
	case *ast.AssignStmt:
		for _, l := range outer.Lhs {
			if l == p.Path[0] && (outer.Tok == token.DEFINE || m.isAlias(p, l)) {
				return
			}
		}
		if !a.write {
			return // the map itself gets another name
		}
	case *ast.ReturnStmt:
		a.escapes = true
	}
	if p.Function() == nil {
		return
	}
	a.fn = m.ownerFunction(p)
	a.base = m.baseOf(p, p.Node().(ast.Expr), 0)
	if m.isConstruction(a) {
		return
	}
	a.sequential = m.alone(a)
	a.ofCall = !a.write && m.fromCall(p, p.Node().(ast.Expr), 0)
	m.accesses = append(m.accesses, a)
}

// isAlias reports whether an assigned name is only another name for an inner map.
func (m *sharedMap) isAlias(p syntax.Place, l ast.Expr) bool {
	id, ok := l.(*ast.Ident)
	if !ok {
		return false
	}
	v, isVar := p.Info().ObjectOf(id).(*types.Var)
	return isVar && v != m.root && !syntax.IsGlobal(v)
}

// ownerFunction is the function under whose lock an access stands: that of a
// literal which is only run within it is the one around.
func (m *sharedMap) ownerFunction(p syntax.Place) ast.Node {
	fn := p.Function()
	for {
		lit, ok := fn.(*ast.FuncLit)
		if !ok {
			return fn
		}
		at := p.Of(lit)
		call, isCall := at.Path[1].(*ast.CallExpr)
		if !isCall || !runsWithin(p, call, lit) {
			return fn
		}
		if len(at.Path) > 2 {
			if _, isGo := at.Path[2].(*ast.GoStmt); isGo {
				return fn
			}
		}
		fn = at.Outside().Function()
	}
}

// runsWithin reports whether a call runs a literal before it returns.
func runsWithin(p syntax.Place, call *ast.CallExpr, lit *ast.FuncLit) bool {
	if ast.Unparen(call.Fun) == ast.Expr(lit) {
		return true
	}
	fn := p.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sort", "slices", "strings", "bytes", "maps":
		return true
	}
	return fn.FullName() == "(*sync.Once).Do"
}

// baseOf writes the value that holds the map's field, as the function of an
// access names it; empty where it cannot.
func (m *sharedMap) baseOf(p syntax.Place, e ast.Expr, depth int) string {
	if depth > analysis.MaxTrace || m.owner == nil {
		return ""
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if m.Same(syntax.OriginOf(p.Info().ObjectOf(x.Sel)), syntax.OriginOf(m.root)) && syntax.IsPathOrIndex(x.X) {
			return m.Text(x.X)
		}
	case *ast.IndexExpr:
		return m.baseOf(p, x.X, depth+1)
	case *ast.Ident:
		v, ok := p.Info().ObjectOf(x).(*types.Var)
		if !ok {
			return ""
		}
		for _, d := range m.Definitions(p.Of(x), v) {
			if d.Expr == nil || d.Declaration() != p.Declaration() || syntax.IsGlobal(v) {
				continue
			}
			if base := m.baseOf(d.Place, d.Expr, depth+1); base != "" {
				return base
			}
		}
	}
	return ""
}

// fromCall reports whether a map is what a function of the user's returned.
func (m *sharedMap) fromCall(p syntax.Place, e ast.Expr, depth int) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn := p.Callee(x)
		return fn != nil && m.OwnsPackage(fn.Pkg())
	case *ast.IndexExpr:
		return depth < analysis.MaxTrace && m.fromCall(p, x.X, depth+1)
	case *ast.Ident:
		v, ok := p.Info().ObjectOf(x).(*types.Var)
		if !ok || depth > analysis.MaxTrace || v == m.root {
			return false
		}
		if d, found := m.Definition(p.Of(x), v, x.Pos()); found && d.Expr != nil {
			return m.fromCall(d.Place, d.Expr, depth+1)
		}
	}
	return false
}
