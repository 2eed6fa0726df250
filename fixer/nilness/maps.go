package nilness

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/copies"
	"github.com/pausetui/pausetui/source/evidence"
)

// mapRules: a nil map is written to, or a value is used before it is made.
type mapRules struct{ makers }

// MapWrite explains an entry that was assigned in a map that nothing made, and offers
// fixes.
func MapWrite(p *proposal.Proposal) {
	f := mapRules{makers{p}}
	s, ok := f.Choose(f.mapWrites)
	if !ok {
		return
	}
	text := f.Text(s.Bad)
	f.Diagnosis = evidence.Diagnosis{Sentence: text + " is nil", Expr: text, Value: "nil map"}
	ValueOrigin(f.Proposal, s.Place, f.At, s.Bad, "map")
	f.createBeforeWrite(s)
}

// mapWrites finds writes to maps.
func (f mapRules) mapWrites(p syntax.Place, n ast.Node) []analysis.Suspect {
	var list []analysis.Suspect
	add := func(target ast.Expr) {
		if ix, ok := ast.Unparen(target).(*ast.IndexExpr); ok && syntax.IsMap(p.Info().TypeOf(ix.X)) {
			list = append(list, analysis.Suspect{Expr: ix, Bad: ix.X, Fact: f.IsNil(p, f.At, ix.X)})
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			add(l)
		}
	case *ast.IncDecStmt:
		add(n.X)
	}
	return list
}

// makeText writes an empty map or a channel of a type.
func makeText(p syntax.Place, t types.Type) (string, bool) {
	text, ok := syntax.TypeText(p, t)
	return "make(" + text + ")", ok
}

// ValueOrigin gives a nil map or channel its value where it should have got it.
func ValueOrigin(of *proposal.Proposal, p syntax.Place, frame int, e ast.Expr, what string) {
	f := mapRules{makers{of}}
	src := f.Trace(p, frame, e)
	switch {
	case src.Kind == code.FromNothing, src.Kind == code.FromParam, src.Kind == code.FromRange, src.Expr == nil:
	default:
		f.makeAtExpr(src, what)
	}
}

func (f mapRules) makeAtExpr(src code.Source, what string) {
	switch e := ast.Unparen(src.Expr).(type) {
	case *ast.SelectorExpr:
		if t, field := syntax.StructOf(src.Place, e); t != nil {
			f.declaredWithout(src, e)
			f.makeInConstructors(t, field, f.suspects(src, e, t, field), what)
		}
	case *ast.IndexExpr:
		if syntax.IsMap(src.Info().TypeOf(e.X)) {
			f.Note(f.NoValue(src, e), e.Pos())
		}
	}
}

// makeInConstructors sets a field in everything that may have built the struct without
// it, and with it the struct's other maps that are written to and missing there.
func (f mapRules) makeInConstructors(t *types.Named, field *types.Var, suspects []code.Building, what string) {
	lacking := f.notLater(suspects, field)
	if len(lacking) == 0 || len(lacking) > 8 {
		if len(lacking) == 0 {
			f.blameWriters(t, field, nil)
		}
		return
	}
	f.blameSuspects(t, suspects, lacking[0], field)
	ch := f.Change()
	var names []string
	for _, b := range lacking {
		pairs := f.missingMaps(b, t, field)
		if len(pairs) == 0 || !ch.SetField(b, pairs) {
			return
		}
		names = append(names, b.BuildName())
	}
	f.Offer(proposal.Idea{Rule: "map/make-in-constructors", Title: fmt.Sprintf("make %s in %s", field.Name(), strings.Join(syntax.Unique(names), " and ")), Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("Every %s built in %s now starts with its own %s %s.", t.Obj().Name(), strings.Join(syntax.Unique(names), ", "), what, field.Name())})
}

// missingMaps lists field and the struct's other written maps that b leaves out.
func (f mapRules) missingMaps(b code.Building, t *types.Named, field *types.Var) []code.FieldInit {
	st, ok := syntax.UnderStruct(t)
	if !ok {
		return nil
	}
	var pairs []code.FieldInit
	for i := range st.NumFields() {
		v := st.Field(i)
		if v != field && (!syntax.IsMap(v.Type()) || !b.Lacks(v) || !f.writesEntries(v) || f.assignedAfter(b, v)) {
			continue
		}
		text, fits := makeText(b.Place, v.Type())
		if !fits {
			if v == field {
				return nil
			}
			continue
		}
		pairs = append(pairs, code.FieldInit{Field: v, Name: v.Name(), Value: text})
	}
	return pairs
}

// writesEntries reports whether entries of a map field are written, and nothing
// makes the map before a write.
func (f makers) writesEntries(field *types.Var) bool {
	if len(f.AssignmentsTo(field)) > 0 {
		return false
	}
	written := false
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			var targets []ast.Expr
			switch n := n.(type) {
			case *ast.AssignStmt:
				targets = n.Lhs
			case *ast.IncDecStmt:
				targets = []ast.Expr{n.X}
			}
			for _, target := range targets {
				if ix, ok := ast.Unparen(target).(*ast.IndexExpr); ok && f.Same(p.Object(ix.X), field) {
					written = true
				}
			}
			return true
		})
	})
	return written
}

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
	why := fmt.Sprintf("%s is created when it is needed.", bad)
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
