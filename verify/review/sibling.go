package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Sibling finds another function of the package, as it was, that asks the same of the same
// as a point, and then leaves in the same way with the same answer. Nothing is one where the
// comment of the point's function says itself what it answers in some case. It returns the
// function's name, the file and the line. before are the files of the package as they were,
// after as they are, by their names.
func Sibling(before, after map[string]string, p effect.Point) (function, file string, line int) {
	now := load(after)
	wanted := now.guardOf(now.functionOf(p), p)
	if wanted == "" {
		return "", "", 0
	}
	was := load(before)
	if old := was.functionOf(p); old != nil && cases.MatchString(old.Doc.Text()) {
		return "", "", 0
	}
	for i, f := range was.files {
		for _, d := range f.Decls {
			other, ok := d.(*ast.FuncDecl)
			if !ok || other.Body == nil || syntax.NameOf(other) == p.Function {
				continue
			}
			if at := was.guardLike(other, wanted); at.IsValid() {
				return syntax.NameOf(other), was.names[i], was.fset.PositionFor(at, false).Line
			}
		}
	}
	return "", "", 0
}

// cases are the words with which a comment begins to say what comes of a condition: what a
// sibling does in that case says nothing then.
var cases = lazyregexp.New(`(?i)\b(if|when|unless|without|otherwise|else|or)\b`)

// guardOf describes the guard of a function that a point is in, see guard; empty without one.
func (t typed) guardOf(fn *ast.FuncDecl, p effect.Point) (described string) {
	if fn == nil {
		return ""
	}
	offset := func(at token.Pos) int { return t.fset.PositionFor(at, false).Offset }
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.IfStmt:
			if list := n.Body.List; p.TestEnd == 0 && len(list) > 0 && offset(list[len(list)-1].Pos()) == p.Offset {
				described = t.guard(fn, n)
			}
		case ast.Expr:
			if p.TestEnd > 0 && p.Leaves != "" && offset(n.Pos()) == p.Offset && offset(n.End()) == p.TestEnd {
				described = t.answered(fn, n, map[bool]token.Token{true: token.LOR, false: token.LAND}[p.Holds])
			}
		}
	}
	return described
}

// guardLike is where a function has a guard that is described in the same way.
func (t typed) guardLike(fn *ast.FuncDecl, wanted string) (at token.Pos) {
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.IfStmt:
			if t.guard(fn, n) == wanted {
				return n.Pos()
			}
		case *ast.ReturnStmt:
			for _, op := range []token.Token{token.LAND, token.LOR} {
				if len(n.Results) != 1 {
					break
				}
				operands := match.Chain(n.Results[0], op)
				if slices.ContainsFunc(operands[:len(operands)-1], func(c ast.Expr) bool { return t.answered(fn, c, op) == wanted }) {
					return n.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// guard describes what an if asks, of what, and how it leaves, without the names of
// variables. It is empty for what is no guard, or not known well enough.
func (t typed) guard(fn *ast.FuncDecl, g *ast.IfStmt) string {
	if g.Else != nil || g.Init != nil || len(g.Body.List) == 0 {
		return ""
	}
	asked := t.question(fn, g.Cond)
	if asked == "" {
		return ""
	}
	switch last := g.Body.List[len(g.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return and(asked, t.answer(fn, last))
	case *ast.BranchStmt:
		return asked + " " + last.Tok.String()
	}
	return ""
}

// answered describes a condition before the last one of && or || that is a result as the
// guard "if x == nil { return false }" that answers as it does.
func (t typed) answered(fn *ast.FuncDecl, c ast.Expr, op token.Token) string {
	answer := ast.NewIdent("true")
	if op == token.LAND {
		compares, ok := ast.Unparen(c).(*ast.BinaryExpr)
		if !ok || match.Opposites[compares.Op] == token.ILLEGAL {
			return ""
		}
		answer, c = ast.NewIdent("false"), &ast.BinaryExpr{X: compares.X, OpPos: compares.OpPos, Op: match.Opposites[compares.Op], Y: compares.Y}
	}
	return and(t.question(fn, c), t.answer(fn, &ast.ReturnStmt{Return: c.Pos(), Results: []ast.Expr{answer}}))
}

func and(asked, answered string) string {
	if asked == "" || answered == "" {
		return ""
	}
	return asked + " return " + answered
}

// question describes a condition. A function that would lose what it was given asks another
// one than a function that only looks.
func (t typed) question(fn *ast.FuncDecl, cond ast.Expr) string {
	d := t.describer(fn)
	text := d.of(cond)
	if d.unknown || !d.telling {
		return ""
	}
	if match.StoresArgument(fn, types.ExprString(cond)) {
		return "loses an argument: " + text
	}
	return text
}

// answer describes the results of a return, with their types.
func (t typed) answer(fn *ast.FuncDecl, r *ast.ReturnStmt) string {
	var kinds []string
	switch in := innermost(fn, r.Pos()).(type) {
	case *ast.FuncDecl:
		kinds = match.ResultTypes(in.Type)
	case *ast.FuncLit:
		kinds = match.ResultTypes(in.Type)
	}
	if len(r.Results) == 0 {
		return "with " + strings.Join(kinds, ", ")
	}
	if len(r.Results) != len(kinds) {
		return ""
	}
	for i, e := range r.Results {
		d := t.describer(fn)
		if kinds[i] += " " + d.answer(kinds[i], e); d.unknown {
			return ""
		}
	}
	return strings.Join(kinds, ", ")
}
