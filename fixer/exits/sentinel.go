package exits

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// sentinel is an error variable of the package that fits the stop.
type sentinel struct {
	text  string // as the place writes it
	score int
}

// sentinelFor finds an error of the package for what went wrong: one whose name
// or text speaks of it, and that belongs to the function.
func (f *Finder) sentinelFor(p syntax.Place, result types.Type) (sentinel, bool) {
	var best sentinel
	f.eachSpec(func(g *ast.GenDecl, spec ast.Spec, q syntax.Place) {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || q.Pkg != p.Pkg || g.Tok != token.VAR {
			return
		}
		for i, name := range vs.Names {
			v, ok := q.Info().Defs[name].(*types.Var)
			if !ok || !syntax.ImplementsError(v.Type()) || !types.AssignableTo(v.Type(), result) || f.isState(q, v) {
				continue
			}
			about := spoken(name.Name)
			if i < len(vs.Values) {
				about += " " + f.Text(vs.Values[i])
			}
			score := 0
			if f.speaksOf(about) && belongs(f.Code, p, v) {
				score = 1
				if f.returnsName(p, name.Name) {
					score++
				}
			}
			if score > best.score {
				best = sentinel{name.Name, score}
			}
		}
	})
	return best, best.score > 0
}

// belongs reports whether an error may be one of a function's: its comment names
// it, it or its family returns it, or nothing does yet. One that only other
// functions return is declared for another condition. The family of a method is
// the other methods of its type; that of a function is the others of its file.
func belongs(f *code.Code, p syntax.Place, v *types.Var) bool {
	d := p.Declaration()
	if d == nil {
		return false
	}
	for _, s := range saidOfFunction(p) {
		if syntax.Mentions(s.Text, v.Name()) {
			return true
		}
	}
	elsewhere, here := false, false
	for _, u := range f.Case.Code.Index().Uses(v) {
		if u.Test || u.In == nil || u.In.Decl == nil || !slices.ContainsFunc(syntax.ReturnsOf(u.In.Decl), func(r *ast.ReturnStmt) bool { return syntax.Contains(r, u.Node.Pos()) }) {
			continue
		}
		elsewhere = true
		if d.Recv != nil && u.In.Decl.Recv != nil {
			own, _, _ := strings.Cut(syntax.FuncName(d), ".")
			here = here || strings.HasPrefix(syntax.FuncName(u.In.Decl), own+".")
		} else {
			here = here || d.Recv == nil && u.In.Decl.Recv == nil && u.In.File == p.File
		}
	}
	return here || !elsewhere
}

// isState reports whether an error variable is kept somewhere in the package, but
// never returned: then it marks something else.
func (f *Finder) isState(p syntax.Place, v *types.Var) bool {
	kept, returned := false, false
	f.Each(func(q syntax.Place) {
		if q.Pkg != p.Pkg || returned {
			return
		}
		ast.Inspect(q.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				returned = returned || syntax.MentionsObject(q, n, v)
			case *ast.AssignStmt:
				kept = kept || slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && q.Info().Uses[id] == v })
			}
			return !returned
		})
	})
	return kept && !returned
}

// returnsName reports whether the function already returns something of that name.
func (f *Finder) returnsName(p syntax.Place, name string) bool {
	d := p.Declaration()
	if d == nil {
		return false
	}
	for _, r := range syntax.ReturnsOf(d) {
		for _, e := range r.Results {
			if syntax.Mentions(f.Text(e), name) {
				return true
			}
		}
	}
	return false
}
