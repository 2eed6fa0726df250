package nilness

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Origin follows the nil to where it came from and fixes it there.
func Origin(of *proposal.Proposal, s analysis.Suspect, src code.Source) {
	f := nilRules{makers{of}}
	switch {
	case src.Kind == code.FromNothing:
		f.NoteOf(src, fmt.Sprintf("%s is declared without a value (%s)", src.Object.Name(), f.Where(src.Stmt.Pos())), src.Stmt.Pos())
	case src.Expr == nil || src.Kind == code.FromParam:
	case src.Kind == code.FromRange:
		f.NoteOf(src, fmt.Sprintf("an element of %s (%s) is nil", syntax.Brief(f.Text(src.Expr)), f.Where(src.Expr.Pos())), src.Expr.Pos())
	default:
		f.nilFromExpr(s, src)
	}
}

// givesNoNil reports whether a definition makes a value: its type's literal, or
// what a function returns that returns nothing else.
func (f nilRules) givesNoNil(d code.Source) bool {
	if d.Expr == nil || d.Kind != code.FromExpr {
		return false
	}
	e := ast.Unparen(d.Expr)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND || d.File != nil && neverNil(d.Place, e) {
		return true
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || d.File == nil {
		return false
	}
	callee, ok := f.DeclarationOf(d.Callee(call))
	if !ok {
		return false
	}
	list := syntax.ReturnsOf(callee.Node())
	for _, r := range list {
		if d.Result >= len(r.Results) {
			return false
		}
		result := ast.Unparen(r.Results[d.Result])
		if u, isAddress := result.(*ast.UnaryExpr); !(isAddress && u.Op == token.AND) && !neverNil(callee, result) {
			return false
		}
	}
	return len(list) > 0
}

func (f nilRules) nilFromExpr(s analysis.Suspect, src code.Source) {
	switch e := ast.Unparen(src.Expr).(type) {
	case *ast.SelectorExpr:
		f.nilField(src, e)
	case *ast.Ident:
		if v, ok := src.Info().ObjectOf(e).(*types.Var); ok && syntax.IsGlobal(v) {
			f.blameWriters(nil, v, nil)
		} else if e.Name == "nil" {
			f.NoteOf(src, fmt.Sprintf("%s passes nil (%s)", syntax.FuncName(src.Function()), f.Where(e.Pos())), e.Pos())
		}
	case *ast.IndexExpr:
		if syntax.IsMap(src.Info().TypeOf(e.X)) {
			f.NoteOf(src, f.NoValue(src, e), e.Pos())
			f.refuseAt(s, src)
		}
	case *ast.CallExpr:
		f.nilFromCall(s, src, e)
	}
}

// nilField sets a field in what builds its struct, unless nil is one of its meanings.
func (f nilRules) nilField(src code.Source, sel *ast.SelectorExpr) {
	t, field := syntax.StructOf(src.Place, sel)
	if t == nil {
		return
	}
	w := exits.Origin
	if f.saysNil(field) || f.isOptional(t, field) {
		w = exits.Soft
	}
	suspects := f.suspects(src, sel, t, field)
	f.declaredWithout(src, sel)
	f.setInConstructors(t, field, suspects, w)
	f.Every.Value = f.Every.Value || f.neverGiven(t, field)
	if !f.Offered() {
		f.blameWriters(t, field, suspects)
	}
}

// isOptional reports whether a field may well be nil: links of a structure to
// its own kind, and fields that some literals set and others do not.
func (f nilRules) isOptional(t *types.Named, field *types.Var) bool {
	if n := syntax.Named(field.Type()); n != nil && n.Obj() == t.Obj() {
		return true
	}
	set := 0
	for _, b := range f.Buildings(t) {
		if !b.Lacks(field) {
			set++
		}
	}
	return set > 0
}

// setInConstructors gives a field a fresh value wherever the struct may have been built
// without it.
func (f nilRules) setInConstructors(t *types.Named, field *types.Var, suspects []code.Building, w exits.Weight) {
	if linked(field.Type()) {
		return // a missing link is an end, not a mistake
	}
	lacking := f.notLater(suspects, field)
	if len(lacking) == 0 || len(lacking) > 6 {
		return
	}
	first := lacking[0]
	f.blameSuspects(t, suspects, first, field)
	_, meant := f.nilIsMeant(field)
	ch := f.Change()
	value := ""
	for _, b := range lacking {
		text, path, ok := f.freshValue(b.Place, field.Type(), b.Declaration())
		if meant || !ok || !ch.SetField(b, []code.FieldInit{{Field: field, Name: field.Name(), Value: text}}) {
			return
		}
		ch.Need(b.File, path)
		value = text
	}
	f.Offer(proposal.Idea{Rule: "nil/set-in-constructors", Title: fmt.Sprintf("set %s in %s", field.Name(), first.BuildName()), Weight: w, Change: ch,
		Why: fmt.Sprintf("%s is built without %s; it now gets %s.", t.Obj().Name(), field.Name(), value)})
}

// typedNil fixes a function that returns a nil pointer as an interface: the
// interface is not nil, and its caller goes on to use it. It reports whether the
// nil that was used is one.
func (f nilRules) typedNil(s analysis.Suspect, src code.Source, call *ast.CallExpr) bool {
	sig, ok := src.Info().TypeOf(call.Fun).(*types.Signature)
	if !ok || src.Result >= sig.Results().Len() || !types.IsInterface(sig.Results().At(src.Result).Type()) {
		return false
	}
	result := sig.Results().At(src.Result).Type()
	held := s.Info().TypeOf(s.Bad)
	typed := syntax.IsPointer(held) || f.holdsNil(s)
	d, ok := f.DeclarationOf(src.Callee(call))
	if !ok {
		if typed && syntax.IsPointer(held) {
			f.sayTypedNil(src, call, held, result, nil)
		}
		return typed
	}
	var returns []*ast.ReturnStmt
	mixed := false
	for _, r := range syntax.ReturnsOf(d.Node()) {
		if src.Result >= len(r.Results) {
			continue
		}
		e := ast.Unparen(r.Results[src.Result])
		if t := d.Info().TypeOf(e); t == nil || !syntax.IsPointer(t) || d.Info().Types[e].IsNil() {
			continue
		} else if !syntax.IsPointer(held) || types.Identical(t, held) {
			returns, held = append(returns, r), t
		} else {
			mixed = true
		}
	}
	if typed && syntax.IsPointer(held) && (!mixed || syntax.IsPointer(s.Info().TypeOf(s.Bad))) {
		f.sayTypedNil(src, call, held, result, returns)
	}
	return typed
}

// sayTypedNil says that an interface holds a nil pointer, and which return
// statement put it there, where one of them alone can have.
func (f nilRules) sayTypedNil(src code.Source, call *ast.CallExpr, held, result types.Type, returns []*ast.ReturnStmt) {
	if src.Unsure {
		return
	}
	name := "the result of " + syntax.Brief(f.Text(call.Fun))
	if src.Object != nil && types.IsInterface(src.Object.Type()) {
		name = src.Object.Name()
	}
	at := call.Pos()
	if len(returns) == 1 {
		at = returns[0].Pos()
	}
	local := types.RelativeTo(src.Pkg.Types)
	f.Diagnosis.Sentence = fmt.Sprintf("%s holds a nil %s: %s returned it as %s (%s)", name, types.TypeString(held, local), syntax.Brief(f.Text(call.Fun)), withArticle(types.TypeString(result, local)), f.Where(at))
	f.Diagnosis.Origin = f.RelWhere(at)
}

// holdsNil returns the pointer type of the nil that an interface holds.
func (f nilRules) holdsNil(s analysis.Suspect) bool {
	a := f.Value(s.Place, f.At, s.Bad)
	return a.Known && !a.Value.Nil && len(a.Value.Children) == 1 && a.Value.Children[0].Nil
}
