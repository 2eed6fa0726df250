package refusals

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// badPattern: a pattern of a regular expression is none.
func (f libraryRules) badPattern(p syntax.Place, call *ast.CallExpr) {
	if len(call.Args) != 1 {
		return
	}
	arg := call.Args[0]
	if tv := p.Info().Types[arg]; tv.Value != nil {
		return
	}
	var parts []ast.Expr
	f.literalParts(p, arg, &parts)
	if len(parts) == 0 {
		return
	}
	ch := f.Change()
	var names []string
	for _, e := range parts {
		names = append(names, f.Text(e))
		ch.Insert(e.Pos(), syntax.PkgName(p.File, "regexp")+".QuoteMeta(").Insert(e.End(), ")")
	}
	w := exits.Origin
	f.Diagnosis.Sentence = fmt.Sprintf("%s (%s) is given text as it comes, with characters that mean something in a pattern: %s", f.Text(call.Fun), f.Where(call.Pos()), syntax.FirstLine(f.Panic.Message))
	if len(parts) == 1 && ast.Unparen(parts[0]) == ast.Unparen(arg) && meansPattern(names[0]) {
		w = exits.Handled + 3 // a pattern that comes from outside
		f.Diagnosis.Sentence = fmt.Sprintf("%s is not a pattern, and %s (%s) assumes that it is one: %s", names[0], f.Text(call.Fun), f.Where(call.Pos()), syntax.FirstLine(f.Panic.Message))
	}
	f.Diagnosis.Expr = names[0]
	f.Offer(proposal.Idea{Rule: "library/bad-pattern", Title: fmt.Sprintf("quote %s for the pattern", strings.Join(syntax.Unique(names), " and ")), Weight: w, Change: ch,
		Why: fmt.Sprintf("QuoteMeta makes %s match itself, whatever is in it.", strings.Join(syntax.Unique(names), " and "))})
}

// literalParts collects the variable parts of a pattern.
func (f libraryRules) literalParts(p syntax.Place, e ast.Expr, list *[]ast.Expr) {
	e = ast.Unparen(e)
	if tv := p.Info().Types[e]; tv.Value != nil || tv.Type == nil {
		return
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		f.literalParts(p, x.X, list)
		f.literalParts(p, x.Y, list)
		return
	case *ast.CallExpr:
		if syntax.IsCallTo(p, x, "fmt", "Sprintf") && len(x.Args) > 1 {
			for _, a := range x.Args[1:] {
				f.literalParts(p, a, list)
			}
			return
		}
		if syntax.IsCallTo(p, x, "strings", "Join") || syntax.IsCallTo(p, x, "regexp", "QuoteMeta") {
			return
		}
		if tv := p.Info().Types[x.Fun]; tv.IsType() {
			return
		}
	case *ast.Ident:
		if f.literalSteps(p, x, list) {
			return
		}
		if src := f.Trace(p, -1, x); src.Expr != nil && src.Kind == code.FromExpr && src.Declaration() == p.Declaration() && ast.Unparen(src.Expr) != e {
			switch ast.Unparen(src.Expr).(type) {
			case *ast.BinaryExpr:
				f.literalParts(src.Place, src.Expr, list)
				return
			case *ast.CallExpr:
				if syntax.IsCallTo(src.Place, src.Expr, "fmt", "Sprintf") {
					f.literalParts(src.Place, src.Expr, list)
					return
				}
			}
		}
	}
	if t := p.Info().TypeOf(e); t != nil && syntax.IsString(t) {
		*list = append(*list, e)
	}
}

// literalSteps collects the variable parts of a pattern that a variable is
// given in steps: p := term, then p = "^" + p.
func (f libraryRules) literalSteps(p syntax.Place, id *ast.Ident, list *[]ast.Expr) bool {
	v, ok := p.Info().ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || syntax.IsGlobal(v) {
		return false
	}
	defs := f.Definitions(p, v)
	steps := 0
	for _, d := range defs {
		if d.Expr == nil || d.Kind != code.FromExpr || d.Result != 0 || d.Declaration() != p.Declaration() {
			return false
		}
		if syntax.MentionsObject(d.Place, d.Expr, v) {
			steps++
		}
	}
	if steps == 0 || steps == len(defs) {
		return false
	}
	for _, d := range defs {
		var parts []ast.Expr
		f.literalOperands(d.Place, d.Expr, v, &parts)
		*list = append(*list, parts...)
	}
	return true
}

// literalOperands is literalParts without the variable itself.
func (f libraryRules) literalOperands(p syntax.Place, e ast.Expr, v *types.Var, list *[]ast.Expr) {
	if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok {
		f.literalOperands(p, b.X, v, list)
		f.literalOperands(p, b.Y, v, list)
		return
	}
	if !syntax.MentionsObject(p, e, v) {
		f.literalParts(p, e, list)
	}
}

// meansPattern reports whether a name says that the text is a pattern already.
func meansPattern(name string) bool {
	low := strings.ToLower(name)
	for _, word := range []string{"pattern", "expr", "regex", "regexp", "rule", "mask", "match"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return low == "re" || low == "pat" || low == "rx"
}
