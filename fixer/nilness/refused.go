package nilness

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// refuseAt checks a value for nil right where it was got: after the
// assignment, in the function that made it.
func (f nilRules) refuseAt(s analysis.Suspect, src code.Source) {
	as, ok := src.Stmt.(*ast.AssignStmt)
	if !ok || src.Object == nil || src.File == nil || syntax.IsError(src.Object.Type()) {
		return // without an error all is well
	}
	at := src.Of(as)
	name := src.Object.Name()
	if at.Anchor() != ast.Stmt(as) || !declares(at, as, src.Object) {
		return
	}
	m, cond := f.missingMessage(src, name)
	same := at.Function() == s.Function()
	var after ast.Stmt = as
	if checks := at.ChecksOf(as, src.Object); len(checks) > 0 {
		after = checks[len(checks)-1]
	}
	if same && as.End() < s.Expr.Pos() && s.Expr.Pos() < after.End() {
		return // which is too late
	}
	for _, e := range f.ExitsWithout(at, m, name) {
		ch := f.Change().Need(at.File, e.Imports...)
		ch.After(after, fmt.Sprintf("if %s {\n\t%s\n}", cond, syntax.Indented(e.Lines)))
		if e.Edit != nil && !e.Edit(ch) {
			continue
		}
		w := e.Weight
		if !same && w < exits.Hiding {
			w -= 5
		}
		f.Offer(proposal.Idea{Rule: "nil/refuse-at", Title: fmt.Sprintf("check %s where it is looked up: %s", name, proposal.ShortHow(e)), Weight: w, Change: ch, Grounds: e.Grounds,
			Why: fmt.Sprintf("Where %s (%s) gives nothing, %s %s.", syntax.Short(f.Text(src.Expr)), f.Where(as.Pos()), syntax.FuncName(at.Function()), e.How)})
	}
}

// missingMessage says what was not there.
func (f nilRules) missingMessage(src code.Source, name string) (exits.Message, string) {
	cond := name + " == nil"
	name = noun(name, src.Info().TypeOf(src.Expr))
	switch e := ast.Unparen(src.Expr).(type) {
	case *ast.IndexExpr:
		if syntax.IsMap(src.Info().TypeOf(e.X)) && syntax.IsPathOrIndex(e.Index) {
			return keyMessage(src.Place, name, e.Index, f.Text(e.Index)), cond
		}
	case *ast.CallExpr:
		for _, a := range stringsFirst(src.Place, e.Args) {
			if t := src.Info().TypeOf(a); t != nil && syntax.IsPathOrIndex(a) {
				if _, basic := t.Underlying().(*types.Basic); basic {
					return keyMessage(src.Place, name, a, f.Text(a)), cond
				}
			}
		}
		return exits.Message{Format: syntax.Percent(f.Text(e.Fun)) + " returned no " + name, Args: nil}, cond
	}
	return exits.Message{Format: "no " + name, Args: nil}, cond
}

// noun is what a value is called in a message: by its type where the name of the
// variable is too short to mean something to a reader.
func noun(name string, t types.Type) string {
	if results, ok := t.(*types.Tuple); ok && results.Len() > 0 {
		t = results.At(0).Type()
	}
	if n := syntax.Named(t); n != nil && len(name) <= 2 {
		return syntax.LowerFirst(n.Obj().Name())
	}
	return name
}

// stringsFirst puts arguments that are text before the others.
func stringsFirst(p syntax.Place, args []ast.Expr) []ast.Expr {
	var texts, others []ast.Expr
	for _, a := range args {
		if t := p.Info().TypeOf(a); t != nil && syntax.IsString(t) {
			texts = append(texts, a)
		} else {
			others = append(others, a)
		}
	}
	return append(texts, others...)
}

func keyMessage(p syntax.Place, name string, key ast.Expr, text string) exits.Message {
	if tv := p.Info().Types[key]; tv.Value != nil {
		return exits.Message{Format: fmt.Sprintf("no %s for %s", name, syntax.Percent(strings.ReplaceAll(text, `"`, "'"))), Args: nil}
	}
	verb := "%v"
	if t := p.Info().TypeOf(key); t != nil && syntax.IsString(t) {
		verb = "%q"
	}
	if tv := p.Info().TypeOf(key); tv != nil && syntax.IsString(tv) && !strings.HasPrefix(name, "entry") {
		return exits.Message{Format: "no " + name + " %q", Args: []string{text}}
	}
	return exits.Message{Format: "no " + name + " for " + verb, Args: []string{text}}
}

// refuseNil is the guard at the symptom.
func (f nilRules) refuseNil(s analysis.Suspect, src code.Source) {
	if call, ok := ast.Unparen(s.Bad).(*ast.CallExpr); ok {
		if fn := s.Callee(call); fn == nil || fn.FullName() != "reflect.TypeOf" { // which returns nil for nil
			return
		}
		at := slices.IndexFunc(call.Args, func(a ast.Expr) bool { return f.NilOrEmpty(s.Place, a) == "nil" })
		if at < 0 {
			return
		}
		s.Bad, src = call.Args[at], code.Source{}
	}
	if !syntax.IsPathOrIndex(s.Bad) {
		return
	}
	text := f.Text(s.Bad)
	f.ShortCircuit(s.Place, proposal.Good(text+" != nil"), text+" == nil", "nil")
	f.Guard(s.Place, text+" == nil", f.nilMessage(s, src), text)
}

func (f nilRules) nilMessage(s analysis.Suspect, src code.Source) exits.Message {
	text := f.Text(s.Bad)
	if ix, ok := s.Bad.(*ast.IndexExpr); ok && syntax.IsPathOrIndex(ix.Index) && syntax.IsMap(s.Info().TypeOf(ix.X)) {
		return keyMessage(s.Place, "entry in "+syntax.Percent(f.Text(ix.X)), ix.Index, f.Text(ix.Index))
	}
	if sel, ok := s.Bad.(*ast.SelectorExpr); ok {
		if id, key := f.nameField(s.Place, sel.X); key != "" {
			return exits.Message{Format: id + " has no " + sel.Sel.Name, Args: []string{key}}
		}
		return exits.Message{Format: syntax.Percent(f.Text(sel.X)) + " has no " + sel.Sel.Name, Args: nil}
	}
	if src.Expr != nil && src.Declaration() == s.Declaration() && src.Stmt != nil && src.Kind != code.FromRange {
		m, _ := f.missingMessage(src, lastName(s.Bad))
		return m
	}
	if n := syntax.Named(s.Info().TypeOf(s.Bad)); n != nil && syntax.IsPath(s.Bad) {
		return exits.Message{Format: "no " + syntax.LowerFirst(n.Obj().Name()) + ": " + syntax.Percent(text) + " is nil", Args: nil}
	}
	return exits.Message{Format: syntax.Percent(text) + " is nil", Args: nil}
}

// nameField finds a field that names a record for people: its ID, Name, Key or the like.
func (f nilRules) nameField(p syntax.Place, e ast.Expr) (format, expr string) {
	t := p.Info().TypeOf(e)
	st, ok := syntax.UnderStruct(t)
	n := syntax.Named(t)
	if !ok || n == nil || !syntax.IsPath(e) {
		return "", ""
	}
	for _, want := range []string{"Name", "name", "ID", "Id", "id", "Key", "key", "Title", "title", "SKU", "Code", "Email", "Path"} {
		field := syntax.FieldOf(st, want)
		if field == nil || !field.Exported() && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != p.Pkg.PkgPath {
			continue
		}
		if b, basic := field.Type().Underlying().(*types.Basic); basic {
			verb := "%v"
			if b.Info()&types.IsString != 0 {
				verb = "%q"
			}
			return strings.ToLower(n.Obj().Name()) + " " + verb, f.Text(e) + "." + want
		}
	}
	return "", ""
}
