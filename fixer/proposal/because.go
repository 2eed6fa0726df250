package proposal

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// The diagnosis is one sentence: what is bad, and because of what. The first
// reason found stays, unless a rule knows better. What is not certain is not
// said: a wrong reason costs more than none.

const (
	// because is between what is bad and the reason.
	because = " because "
	// Further is between what is bad and what else is known of it.
	Further = "; "
	// mayBe is between what is bad and code that may be the reason: it is not known whether
	// that code ran.
	mayBe = "; in the source, "
)

// Note says where the bad value comes from, unless that is known already.
func (f *Proposal) Note(reason string, at token.Pos) {
	if f.Diagnosis.Origin == "" {
		f.Reason(because+reason, at)
	}
}

// Guess is note for what may be the reason.
func (f *Proposal) Guess(reason string, at token.Pos) {
	if f.Diagnosis.Origin == "" {
		f.Reason(mayBe+reason, at)
	}
}

// NoteOf is note for a reason that holds only if the value was followed back to
// src for certain.
func (f *Proposal) NoteOf(src code.Source, reason string, at token.Pos) {
	if !src.Unsure {
		f.Note(reason, at)
	}
}

// Blame says where the bad value comes from, also where something else was
// said before.
func (f *Proposal) Blame(reason string, at token.Pos) {
	f.Reason(because+reason, at)
}

// ComesFrom says what computed the bad value, where that is certain and says
// more than the statement that stopped: a constant does not.
func (f *Proposal) ComesFrom(src code.Source, more string) {
	e := ast.Unparen(syntax.OrNil(src.Expr))
	if e == nil || f.Diagnosis.Origin != "" {
		return
	}
	verb := "comes from"
	if src.Unsure {
		if !f.startsFrom(src, e) {
			return
		}
		verb = "starts as"
	}
	if tv := src.Info().Types[e]; tv.Value != nil || f.fails(e.Pos()) {
		return
	}
	f.Reason(fmt.Sprintf("%sit %s %s (%s)%s", Further, verb, syntax.Brief(f.Text(e)), f.Where(e.Pos()), more), e.Pos())
}

// startsFrom reports whether the bad variable, which changes later, is declared with
// the result of a calculation: what it starts as is certain then.
func (f *Proposal) startsFrom(src code.Source, e ast.Expr) bool {
	_, calculated := e.(*ast.BinaryExpr)
	return calculated && !syntax.IsGlobal(src.Object) && f.Chosen.File != nil && f.Chosen.Object(f.Chosen.Bad) == src.Object && syntax.Contains(src.Stmt, src.Object.Pos())
}

// Add says what else is known of the bad value, where no reason was found.
func (f *Proposal) Add(known string) {
	at := f.Diagnosis.Origin
	if (at == "" || at == f.RelLine(f.Frame.File, f.Frame.Line)) && f.bare() == f.Diagnosis.Sentence {
		f.Reason(Further+known, token.NoPos)
	}
}

// fails reports whether a position is on the line that stopped.
func (f *Proposal) fails(at token.Pos) bool {
	return f.RelWhere(at) == f.RelLine(f.Frame.File, f.Frame.Line)
}

// Reason puts a reason after what is bad, in place of the one that was there, and names
// its place as the origin.
func (f *Proposal) Reason(text string, at token.Pos) {
	f.Diagnosis.Sentence, f.added = f.bare()+text, text
	if at.IsValid() {
		f.Diagnosis.Origin = f.RelWhere(at)
	}
}

// bare is the sentence so far without a reason.
func (f *Proposal) bare() string {
	if i := strings.LastIndex(f.Diagnosis.Sentence, f.added); f.added != "" && i >= 0 {
		return f.Diagnosis.Sentence[:i]
	}
	return f.Diagnosis.Sentence
}

// Given adds what a call was given that is nil or empty, where a value that
// the call made is bad.
func (f *Proposal) Given(p syntax.Place, e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	for _, a := range call.Args {
		if is := f.NilOrEmpty(p, a); is != "" {
			f.Reason(", and "+f.Text(a)+" is "+is, token.NoPos)
			return
		}
	}
}

// NilOrEmpty says whether the value of a path is nil or empty.
func (f *Proposal) NilOrEmpty(p syntax.Place, e ast.Expr) string {
	if !syntax.IsPath(e) || p.Info().Types[e].Value != nil {
		return ""
	}
	switch v := f.Value(p, f.At, e); {
	case !v.Known:
	case v.Value.Nil:
		return "nil"
	case slices.Contains([]reflect.Kind{reflect.String, reflect.Slice, reflect.Map}, v.Value.Kind) && v.Value.Len == 0:
		return "empty"
	}
	return ""
}

// Settle ends the diagnosis: the line that stopped is no origin, and code in it
// is short.
func (f *Proposal) Settle() {
	d := &f.Diagnosis
	if d.Origin == f.RelLine(f.Frame.File, f.Frame.Line) {
		d.Origin = ""
	}
	if n := len(f.Guessed); n > 1 && f.Panic.Class == debugger.NilDereference && d.Expr == f.Text(f.Chosen.Bad) && d.Origin == "" && f.bare() == d.Sentence {
		d.Sentence = strings.Join(f.Guessed[:n-1], ", ") + " or " + f.Guessed[n-1] + " is nil"
		d.Value = "" // which of them is not known
	} else if f.Chosen.File != nil && d.Expr == f.Text(f.Chosen.Bad) {
		f.inSight(f.Chosen)
	}
	d.Guess = strings.Contains(d.Sentence, mayBe)
	d.Sentence = f.shortened(d.Sentence)
}

// shortened writes long code in a sentence in short; what the program said
// stays as it is.
func (f *Proposal) shortened(s string) string {
	if f.Panic.Class == debugger.TestFailure { // it holds values, which are cut already
		return s
	}
	if m := syntax.FirstLine(f.Panic.Message); m != "" {
		if before, after, ok := strings.Cut(s, m); ok {
			return syntax.Folded(before) + m + syntax.Folded(after)
		}
	}
	if e := f.Diagnosis.Expr; len([]rune(e)) > syntax.MaxCode {
		s = strings.Replace(s, e, syntax.Brief(e), 1)
	}
	return syntax.Folded(s)
}

// inSight adds to a diagnosis without a reason what stands close by: the list
// that a caller left empty, the part of the expression that was computed.
func (f *Proposal) inSight(s analysis.Suspect) {
	switch e := s.Expr.(type) {
	case *ast.IndexExpr:
		f.emptyList(s, e.X)
	case *ast.SliceExpr:
		f.emptyList(s, e.X)
	}
	f.partComesFrom(s)
	f.givenToLibrary(s)
}

// emptyList says where a list without elements comes from.
func (f *Proposal) emptyList(s analysis.Suspect, base ast.Expr) {
	if n, known := f.Length(s.Place, f.At, base); !known || n != 0 {
		return
	}
	src := f.Trace(s.Place, f.At, base)
	e := ast.Unparen(syntax.OrNil(src.Expr))
	switch {
	case src.Unsure || src.File == nil:
	case src.Kind == code.FromNothing:
		f.Add(fmt.Sprintf("%s is declared without elements (%s)", src.Object.Name(), f.Where(src.Stmt.Pos())))
	case src.Kind != code.FromExpr || e == nil || e == ast.Unparen(base):
	case src.Function() != s.Function():
		f.Add(fmt.Sprintf("%s passes %s (%s)", syntax.FuncName(src.Function()), syntax.Brief(f.Text(e)), f.Where(e.Pos())))
	default:
		f.Add(fmt.Sprintf("%s comes from %s (%s)", f.Text(base), syntax.Brief(f.Text(e)), f.Where(e.Pos())))
	}
}

// partComesFrom says what computed a variable in the bad expression, where one
// function of the user's did.
func (f *Proposal) partComesFrom(s analysis.Suspect) {
	if _, plain := ast.Unparen(s.Bad).(*ast.Ident); plain {
		return
	}
	var found []code.Source
	names := map[types.Object]bool{}
	ast.Inspect(s.Bad, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.Info().ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || names[v] || !syntax.IsInteger(v.Type()) {
			return true
		}
		names[v] = true
		src := f.Trace(s.Of(id), f.At, id)
		if call, isCall := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.CallExpr); isCall && !src.Unsure && !f.fails(call.Pos()) {
			if _, own := f.DeclarationOf(src.Callee(call)); own {
				src.Object = v
				found = append(found, src)
			}
		}
		return true
	})
	if len(found) == 1 {
		f.Add(fmt.Sprintf("%s comes from %s (%s)", found[0].Object.Name(), syntax.Brief(f.Text(found[0].Expr)), f.Where(found[0].Expr.Pos())))
	}
}

// givenToLibrary says which negative number the user's code gave to the library
// that called the function that stopped.
func (f *Proposal) givenToLibrary(s analysis.Suspect) {
	if arg, call, ok := f.LibraryGiven(s); ok {
		n, _ := f.Number(s.Place, f.At, s.Bad)
		f.Add(fmt.Sprintf("%s (%s) gives %s %d for %s", syntax.FuncName(arg.Declaration()), f.Where(arg.Node().Pos()), f.Text(call.Fun), n, f.Text(arg.Node())))
	}
}

// sentence makes a text a sentence: it ends with a full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// capital begins a sentence with a capital letter, unless it begins with code: names
// are written as they are.
func capital(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if first != "a" && len(first) == 1 || strings.ContainsAny(first, "._([*&") {
		return s
	}
	return syntax.UpperFirst(s)
}
