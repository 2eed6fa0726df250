package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// makers finds the code that makes values of a struct type, and what it leaves out.
type makers struct{ *proposal }

// building is a place that makes a value of a struct type.
type building struct {
	syntax.Place
	literal *ast.CompositeLit // T{…}
	alloc   *ast.CallExpr     // new(T)
	spec    *ast.ValueSpec    // var x T
}

// buildings lists the places in the user's code (outside tests) that make values of t.
func (f *facts) buildings(t *types.Named) []building {
	var list []building
	for _, u := range f.c.Code.Index().Makes(t.Origin().Obj()) {
		if u.Test {
			continue
		}
		p := f.placeOf(u)
		switch n := u.Node.(type) {
		case *ast.CompositeLit:
			if !isFailureValue(p, n) {
				list = append(list, building{Place: p, literal: n})
			}
		case *ast.CallExpr:
			list = append(list, building{Place: p, alloc: n})
		case *ast.ValueSpec:
			if len(n.Names) == 1 {
				list = append(list, building{Place: p, spec: n})
			}
		}
	}
	return list
}

// placeOf is the place of a use of the index.
func (f *code) placeOf(u workspace.Use) syntax.Place {
	return f.in(u.In.Package, u.In.File).Of(u.Node)
}

// isFailureValue reports whether T{} only accompanies an error or false in a return.
func isFailureValue(p syntax.Place, lit *ast.CompositeLit) bool {
	if len(lit.Elts) > 0 {
		return false
	}
	at := p.Of(lit)
	if len(at.Path) < 2 {
		return false
	}
	r, ok := at.Path[1].(*ast.ReturnStmt)
	if !ok || len(r.Results) < 2 {
		return false
	}
	id, ok := r.Results[len(r.Results)-1].(*ast.Ident)
	return !ok || (id.Name != "nil" && id.Name != "true")
}

// fieldValue returns what the literal gives a field; present is false when nothing.
func (b building) fieldValue(field *types.Var) (value ast.Expr, present bool) {
	if b.literal == nil {
		return nil, false
	}
	st, _ := syntax.UnderStruct(b.Info().TypeOf(b.literal))
	for i, e := range b.literal.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field.Name() {
				return kv.Value, true
			}
		} else if st != nil && i < st.NumFields() && st.Field(i).Name() == field.Name() {
			return e, true
		}
	}
	return nil, false
}

// lacks reports whether a building leaves a field without a value.
func (b building) lacks(field *types.Var) bool {
	v, present := b.fieldValue(field)
	if !present {
		return true
	}
	tv := b.Info().Types[v]
	return tv.IsNil()
}

// assignedAfter reports whether the function of the building gives the field a
// value in a later statement (x.f = …), or calls a function that does (x.init()).
func (f makers) assignedAfter(b building, field *types.Var) bool {
	d := b.Declaration()
	if d == nil {
		return false
	}
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() > b.Node().End() {
			found = found || f.assigns(b, call, field)
		}
		as, ok := n.(*ast.AssignStmt)
		if !ok || as.Pos() < b.Node().Pos() {
			return true
		}
		for _, l := range as.Lhs {
			if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && f.same(b.Info().ObjectOf(sel.Sel), field) {
				found = true
			}
		}
		return true
	})
	return found
}

// assigns reports whether a call that gets a value of the building's type, as an argument or the
// receiver, assigns the field.
func (f makers) assigns(b building, call *ast.CallExpr, field *types.Var) bool {
	takes := func(e ast.Expr) bool {
		t := b.Info().TypeOf(e)
		if t == nil {
			return false
		}
		_, has := owner(t, field)
		return has
	}
	sel, method := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !slices.ContainsFunc(call.Args, takes) && !(method && takes(sel.X)) {
		return false
	}
	for _, fn := range f.c.Code.Index().Callees(b.Info(), call) {
		if slices.ContainsFunc(f.assignmentsTo(field), func(p syntax.Place) bool { return syntax.Contains(fn.Decl, p.Node().Pos()) && !f.setsNil(p, field) }) {
			return true
		}
	}
	return false
}

// setsNil reports whether an assignment gives the field nil.
func (f makers) setsNil(p syntax.Place, field *types.Var) bool {
	stmt, ok := p.Node().(*ast.AssignStmt)
	if !ok || len(stmt.Rhs) != len(stmt.Lhs) {
		return false
	}
	for i, l := range stmt.Lhs {
		if f.same(p.Object(l), field) && p.Info().Types[stmt.Rhs[i]].IsNil() {
			return true
		}
	}
	return false
}

// setField writes "field: value" into a building.
func setField(ch *change, b building, pairs []fieldInit) bool {
	f := ch.f
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = p.name + ": " + p.value
	}
	all := strings.Join(texts, ", ")
	switch {
	case b.alloc != nil:
		ch.replace(b.alloc.Pos(), b.alloc.End(), "&"+f.text(b.alloc.Args[0])+"{"+all+"}")
	case b.spec != nil:
		return setSpec(ch, b, all)
	default:
		return setLiteral(ch, b, pairs, texts)
	}
	return true
}

func setSpec(ch *change, b building, all string) bool {
	f := ch.f
	typ := f.text(b.spec.Type)
	if len(b.Path) > 2 {
		if _, inFunc := b.Path[2].(*ast.DeclStmt); inFunc {
			if g, ok := b.Path[1].(*ast.GenDecl); ok && !g.Lparen.IsValid() {
				ch.replace(g.Pos(), g.End(), b.spec.Names[0].Name+" := "+typ+"{"+all+"}")
				return true
			}
		}
	}
	ch.replace(b.spec.Type.Pos(), b.spec.Type.End(), "= "+typ+"{"+all+"}")
	return true
}

func setLiteral(ch *change, b building, pairs []fieldInit, texts []string) bool {
	lit, f := b.literal, ch.f
	var missing []string
	for i, p := range pairs {
		if v, present := b.fieldValue(p.field); present {
			ch.replace(v.Pos(), v.End(), p.value)
		} else {
			missing = append(missing, texts[i])
		}
	}
	if len(missing) == 0 {
		return true
	}
	if len(lit.Elts) == 0 {
		ch.replace(lit.Lbrace+1, lit.Rbrace, strings.Join(missing, ", "))
		return true
	}
	if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); !keyed {
		return false
	}
	name, close := ch.file(lit.Rbrace)
	lead, alone := indentAt(f.source(name), close)
	if alone {
		text := ""
		for _, m := range missing {
			text += lead + "\t" + m + ",\n"
		}
		at := close - len(lead)
		ch.splices[name] = append(ch.splices[name], splice{at, at, text, len(ch.splices[name])})
		return true
	}
	ch.insert(lit.Elts[len(lit.Elts)-1].End(), ", "+strings.Join(missing, ", "))
	return true
}

// fieldInit is a field and the text of the value it is to get.
type fieldInit struct {
	field *types.Var
	name  string
	value string
}

// buildName names the function that a building is in.
func (b building) buildName() string {
	if d := b.Declaration(); d != nil {
		return syntax.FuncName(d)
	}
	return "the declaration"
}

// assignmentsTo lists the assignments to a field anywhere in the user's code.
func (f *facts) assignmentsTo(field *types.Var) []syntax.Place {
	var list []syntax.Place
	for _, u := range f.c.Code.Index().Writes(field) {
		if as, ok := u.Node.(*ast.AssignStmt); ok && as.Tok == token.ASSIGN {
			list = append(list, f.placeOf(u))
		}
	}
	return list
}

// blameSuspects says which buildings of a struct leave a field out, where nothing else
// was said. Which of several made the value is not known; first is the one to point at.
// None is blamed where the value may be part of another one, which nothing built.
func (f makers) blameSuspects(t *types.Named, suspects []building, first building, field *types.Var) {
	if f.partOfZero(t, maxTrace) {
		return
	}
	reason := f.neverSets(suspects[0], field)
	if len(suspects) > 1 {
		reason = f.severalLack(t, suspects, field)
	}
	if len(f.assignmentsTo(field)) > 0 {
		f.guess(reason, first.Node().Pos())
		return
	}
	f.note(reason, first.Node().Pos())
}

// notLater drops the buildings whose function gives the field a value in a later
// statement: to set it there, too, would change nothing.
func (f makers) notLater(list []building, field *types.Var) []building {
	return slices.DeleteFunc(slices.Clone(list), func(b building) bool { return f.assignedAfter(b, field) })
}

// severalLack names the buildings that leave a field out.
func (f makers) severalLack(t *types.Named, lacking []building, field *types.Var) string {
	const most = 3
	var places []string
	for _, b := range lacking[:min(most, len(lacking))] {
		places = append(places, fmt.Sprintf("%s (%s)", b.buildName(), f.where(b.Node().Pos())))
	}
	text := strings.Join(places, ", ")
	if n := len(lacking) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%d places make a %s without %s: %s", len(lacking), t.Obj().Name(), field.Name(), text)
}

// neverSets says that a building leaves a field out, and where else it is set to
// nil.
func (f makers) neverSets(b building, field *types.Var) string {
	at := f.where(b.Node().Pos())
	if v, present := b.fieldValue(field); present {
		return fmt.Sprintf("%s (%s) sets %s to %s", b.buildName(), at, field.Name(), f.text(v))
	}
	if as, ok := f.setToNil(field); ok {
		return fmt.Sprintf("%s (%s) does not set %s, and %s (%s) sets it to nil", b.buildName(), at, field.Name(), syntax.FuncName(as.Function()), f.where(as.Node().Pos()))
	}
	if f.assignedAfter(b, field) {
		return fmt.Sprintf("%s (%s) sets %s only later", b.buildName(), at, field.Name())
	}
	if len(f.assignmentsTo(field)) > 0 {
		return fmt.Sprintf("%s (%s) does not set %s", b.buildName(), at, field.Name())
	}
	return fmt.Sprintf("%s (%s) never sets %s", b.buildName(), at, field.Name())
}
