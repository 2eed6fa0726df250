package fixer

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// sentinel is an error variable of the package that fits the stop.
type sentinel struct {
	text  string // as the place writes it
	score int
}

// sentinelFor finds an error of the package for what went wrong: one whose name
// or text speaks of it, and that belongs to the function.
func (f *exitFinder) sentinelFor(p place, result types.Type) (sentinel, bool) {
	var best sentinel
	f.eachSpec(func(g *ast.GenDecl, spec ast.Spec, q place) {
		vs, ok := spec.(*ast.ValueSpec)
		if !ok || q.pkg != p.pkg || g.Tok != token.VAR {
			return
		}
		for i, name := range vs.Names {
			v, ok := q.info().Defs[name].(*types.Var)
			if !ok || !implementsError(v.Type()) || !types.AssignableTo(v.Type(), result) || f.isState(q, v) {
				continue
			}
			about := spoken(name.Name)
			if i < len(vs.Values) {
				about += " " + f.text(vs.Values[i])
			}
			score := 0
			if f.speaksOf(about) && belongs(f.facts, p, v) {
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
func belongs(f *facts, p place, v *types.Var) bool {
	d := p.declaration()
	if d == nil {
		return false
	}
	for _, s := range saidOfFunction(p) {
		if mentions(s.text, v.Name()) {
			return true
		}
	}
	elsewhere, here := false, false
	for _, u := range f.c.Code.Index().Uses(v) {
		if u.Test || u.In == nil || u.In.Decl == nil || !slices.ContainsFunc(returnsOf(u.In.Decl), func(r *ast.ReturnStmt) bool { return contains(r, u.Node.Pos()) }) {
			continue
		}
		elsewhere = true
		if d.Recv != nil && u.In.Decl.Recv != nil {
			own, _, _ := strings.Cut(funcName(d), ".")
			here = here || strings.HasPrefix(funcName(u.In.Decl), own+".")
		} else {
			here = here || d.Recv == nil && u.In.Decl.Recv == nil && u.In.File == p.file
		}
	}
	return here || !elsewhere
}

// isState reports whether an error variable is kept somewhere in the package, but
// never returned: then it marks something else.
func (f *exitFinder) isState(p place, v *types.Var) bool {
	kept, returned := false, false
	f.each(func(q place) {
		if q.pkg != p.pkg || returned {
			return
		}
		ast.Inspect(q.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				returned = returned || usesIn(q.info(), n, v)
			case *ast.AssignStmt:
				kept = kept || slices.ContainsFunc(n.Rhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && q.info().Uses[id] == v })
			}
			return !returned
		})
	})
	return kept && !returned
}

// usesIn reports whether a variable is used in a node.
func usesIn(info *types.Info, n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == v {
			found = true
		}
		return !found
	})
	return found
}

// returnsName reports whether the function already returns something of that name.
func (f *exitFinder) returnsName(p place, name string) bool {
	d := p.declaration()
	if d == nil {
		return false
	}
	for _, r := range returnsOf(d) {
		for _, e := range r.Results {
			if mentions(f.text(e), name) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a text holds a name as a word.
func mentions(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (end == len(text) || !isWord(text[end])) {
			return true
		}
		from = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
