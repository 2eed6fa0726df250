package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// The diagnosis is one sentence: what is bad, and because of what. The first
// reason found stays, unless a rule knows better. What is not certain is not
// said: a wrong reason costs more than none.

const (
	// because is between what is bad and the reason.
	because = " because "
	// further is between what is bad and what else is known of it.
	further = "; "
	// mayBe is between what is bad and code that may be the reason: it is not known whether
	// that code ran.
	mayBe = "; in the source, "
)

// note says where the bad value comes from, unless that is known already.
func (f *proposal) note(reason string, at token.Pos) {
	if f.diagnosis.Origin == "" {
		f.reason(because+reason, at)
	}
}

// guess is note for what may be the reason.
func (f makers) guess(reason string, at token.Pos) {
	if f.diagnosis.Origin == "" {
		f.reason(mayBe+reason, at)
	}
}

// noteOf is note for a reason that holds only if the value was followed back to
// src for certain.
func (f *proposal) noteOf(src code.Source, reason string, at token.Pos) {
	if !src.Unsure {
		f.note(reason, at)
	}
}

// blame says where the bad value comes from, also where something else was
// said before.
func (f *proposal) blame(reason string, at token.Pos) {
	f.reason(because+reason, at)
}

// comesFrom says what computed the bad value, where that is certain and says
// more than the statement that stopped: a constant does not.
func (f *proposal) comesFrom(src code.Source, more string) {
	e := ast.Unparen(syntax.OrNil(src.Expr))
	if e == nil || f.diagnosis.Origin != "" {
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
	f.reason(fmt.Sprintf("%sit %s %s (%s)%s", further, verb, syntax.Brief(f.Text(e)), f.Where(e.Pos()), more), e.Pos())
}

// startsFrom reports whether the bad variable, which changes later, is declared with
// the result of a calculation: what it starts as is certain then.
func (f *proposal) startsFrom(src code.Source, e ast.Expr) bool {
	_, calculated := e.(*ast.BinaryExpr)
	return calculated && !syntax.IsGlobal(src.Object) && f.Chosen.File != nil && f.Chosen.Object(f.Chosen.Bad) == src.Object && syntax.Contains(src.Stmt, src.Object.Pos())
}

// add says what else is known of the bad value, where no reason was found.
func (f *proposal) add(known string) {
	at := f.diagnosis.Origin
	if (at == "" || at == f.RelLine(f.Frame.File, f.Frame.Line)) && f.bare() == f.diagnosis.Sentence {
		f.reason(further+known, token.NoPos)
	}
}

// fails reports whether a position is on the line that stopped.
func (f *proposal) fails(at token.Pos) bool {
	return f.RelWhere(at) == f.RelLine(f.Frame.File, f.Frame.Line)
}

func (f *proposal) reason(text string, at token.Pos) {
	f.diagnosis.Sentence, f.added = f.bare()+text, text
	if at.IsValid() {
		f.diagnosis.Origin = f.RelWhere(at)
	}
}

// bare is the sentence so far without a reason.
func (f *proposal) bare() string {
	if i := strings.LastIndex(f.diagnosis.Sentence, f.added); f.added != "" && i >= 0 {
		return f.diagnosis.Sentence[:i]
	}
	return f.diagnosis.Sentence
}

// given adds what a call was given that is nil or empty, where a value that
// the call made is bad.
func (f *proposal) given(p syntax.Place, e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	for _, a := range call.Args {
		if is := f.nothing(p, a); is != "" {
			f.reason(", and "+f.Text(a)+" is "+is, token.NoPos)
			return
		}
	}
}

// nothing says whether the value of a path is nil or empty.
func (f *proposal) nothing(p syntax.Place, e ast.Expr) string {
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

// settle ends the diagnosis: the line that stopped is no origin, and code in it
// is short.
func (f fixer) settle() {
	d := &f.diagnosis
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
func (f fixer) shortened(s string) string {
	if f.Panic.Class == debugger.TestFailure { // it holds values, which are cut already
		return s
	}
	if m := syntax.FirstLine(f.Panic.Message); m != "" {
		if before, after, ok := strings.Cut(s, m); ok {
			return syntax.Folded(before) + m + syntax.Folded(after)
		}
	}
	if e := f.diagnosis.Expr; len([]rune(e)) > syntax.MaxCode {
		s = strings.Replace(s, e, syntax.Brief(e), 1)
	}
	return syntax.Folded(s)
}
