package nilness

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/workspace"
)

// saidOfField is what the comments on and next to a field say.
func (f nilRules) saidOfField(field *types.Var) []exits.Said {
	var list []exits.Said
	f.Each(func(p syntax.Place) {
		if field.Pos() < p.File.FileStart || field.Pos() >= p.File.FileEnd {
			return
		}
		ast.Inspect(p.File, func(n ast.Node) bool {
			decl, ok := n.(*ast.Field)
			if !ok {
				return true
			}
			for _, name := range decl.Names {
				if name.Pos() == field.Pos() {
					list = exits.SentencesOf(decl.Doc, decl.Comment)
				}
			}
			return true
		})
	})
	return list
}

var mayBeNil = lazyregexp.New(`(?i)\b(nil|optional|may be (empty|unset|absent|missing)|unset|not set)\b`)

// nilIsMeant says what shows that nil is one of the values that the author has
// in mind for a variable or field: a comparison with nil, a place that sets it
// to nil. No other value may be put in its place then.
func (f nilRules) nilIsMeant(v *types.Var) (grounds string, meant bool) {
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && grounds == "" && (b.Op == token.NEQ || b.Op == token.EQL) && p.Info().Types[b.Y].IsNil() && f.Same(p.Object(b.X), v) {
				grounds = fmt.Sprintf("%s is compared with nil elsewhere (%s)", v.Name(), f.Where(b.Pos()))
			}
			return grounds == ""
		})
	})
	for _, u := range f.Case.Code.Index().Uses(v) {
		if grounds == "" && u.Kind == workspace.Write && isNil(u) {
			grounds = fmt.Sprintf("%s is set to nil (%s)", v.Name(), f.Where(u.Value.Pos()))
		}
	}
	return grounds, grounds != ""
}

// saysNil reports whether the comment on a field speaks of nil. It only holds a
// fix back: the author may want the field to stay nil.
func (f nilRules) saysNil(field *types.Var) bool {
	for _, s := range f.saidOfField(field) {
		if mayBeNil.MatchString(s.Text) {
			return true
		}
	}
	return false
}
