package nilness

import (
	"fmt"
	"go/ast"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/copies"
)

// createBeforeWrite makes the map right before the write, if it is nil there.
func (f mapRules) createBeforeWrite(s analysis.Suspect) {
	anchor := s.Anchor()
	if anchor == nil || !syntax.IsPathOrIndex(s.Bad) {
		return
	}
	text, ok := makeText(s.Place, s.Info().TypeOf(s.Bad))
	if !ok {
		return
	}
	bad := f.Text(s.Bad)
	lines := fmt.Sprintf("if %s == nil {\n\t%s = %s\n}", bad, bad, text)
	w := exits.Weight(5)
	why := fmt.Sprintf("%s is created when it is needed for the first time.", bad)
	if copies.Lost(s.Info(), s.Function(), s.Bad, anchor.Pos()) {
		w, why = exits.Hiding, fmt.Sprintf("%s is created right before the write; but %s works on a copy, so that what is written is lost.", bad, syntax.FuncName(s.Function()))
	}
	ch := f.Change().Before(anchor, lines)
	f.createSiblings(ch, s)
	f.Offer(proposal.Idea{Rule: "map/create-before-write", Title: fmt.Sprintf("create %s before the first write", syntax.Short(bad)), Weight: w, Change: ch, Why: why})
}

// createSiblings does the same for the function's other writes to inner maps of
// the same map, and to other maps of the same struct that nothing makes.
func (f mapRules) createSiblings(ch *code.Change, s analysis.Suspect) {
	root := syntax.BodyOf(s.Function())
	done := map[string]bool{f.Text(s.Bad): true}
	syntax.Visit(root, func(n ast.Node) {
		for _, other := range f.mapWrites(s.Place, n) {
			text := f.Text(other.Bad)
			at := s.Of(other.Expr)
			anchor := at.Anchor()
			if done[text] || anchor == nil || at.Function() != s.Function() || !syntax.IsPathOrIndex(other.Bad) || !f.isSibling(s, other.Bad) {
				continue
			}
			value, ok := makeText(s.Place, s.Info().TypeOf(other.Bad))
			if !ok {
				continue
			}
			done[text] = true
			ch.Before(anchor, fmt.Sprintf("if %s == nil {\n\t%s = %s\n}", text, text, value))
		}
	})
}

func (f mapRules) isSibling(s analysis.Suspect, other ast.Expr) bool {
	switch a := ast.Unparen(s.Bad).(type) {
	case *ast.IndexExpr:
		b, ok := ast.Unparen(other).(*ast.IndexExpr)
		return ok && f.Text(a.X) == f.Text(b.X)
	case *ast.SelectorExpr:
		b, ok := ast.Unparen(other).(*ast.SelectorExpr)
		if !ok || f.Text(a.X) != f.Text(b.X) {
			return false
		}
		_, field := syntax.StructOf(s.Place, b)
		return field != nil && f.IsNil(s.Place, f.At, other) != analysis.No && f.writesEntries(field)
	}
	return false
}
