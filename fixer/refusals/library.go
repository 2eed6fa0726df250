package refusals

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/nilness"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// libraryRules: a function of a library panics because of what it is given.
type libraryRules struct{ *proposal.Proposal }

// libraryRefused: a function of a library panicked because of what it was given.
func (f libraryRules) libraryRefused(lib string) {
	p, call, ok := f.refusingCall(lib)
	if !ok {
		return
	}
	f.Diagnosis.Expr = syntax.Short(f.Text(call))
	f.Diagnosis.Sentence = fmt.Sprintf("%s (%s) panics: %s", f.Text(call.Fun), f.Where(call.Pos()), syntax.FirstLine(f.Panic.Message))
	if strings.HasPrefix(f.Panic.Message, "regexp: ") {
		f.badPattern(p, call)
	}
	f.refusedValue(p, call)
}

// refusingCall finds the call of the library function on the culprit's line.
func (f libraryRules) refusingCall(lib string) (syntax.Place, *ast.CallExpr, bool) {
	outer := lib
	for i := f.At - 1; i >= 0; i-- {
		if fr := f.Case.Stop.Frames[i]; !fr.Runtime && !fr.User {
			outer = fr.Function
			break
		}
	}
	outer = debugger.WithoutTypeArguments(outer)
	name := outer[strings.LastIndexByte(outer, '.')+1:]
	var any syntax.Place
	for _, p := range f.CallsOnLine() {
		call := p.Node().(*ast.CallExpr)
		fn := p.Callee(call)
		if fn == nil || f.OwnsPackage(fn.Pkg()) {
			continue
		}
		if fn.Name() == name {
			return p, call, true
		}
		if any.File == nil {
			any = p
		}
	}
	if any.File == nil {
		return syntax.Place{}, nil, false
	}
	return any, any.Node().(*ast.CallExpr), true
}

// refusedValue: one of the arguments is nil. It is fixed where it comes from, or looked at before the call.
func (f libraryRules) refusedValue(p syntax.Place, call *ast.CallExpr) {
	for _, a := range call.Args {
		if f.refusedNil(p, call, a) {
			return
		}
	}
}

func (f libraryRules) refusedNil(p syntax.Place, call *ast.CallExpr, a ast.Expr) bool {
	if !syntax.Nilable(p.Info().TypeOf(a)) || f.IsNil(p, f.At, a) != analysis.Yes {
		return false
	}
	text := f.Text(a)
	f.Diagnosis.Expr, f.Diagnosis.Value, f.Diagnosis.Origin = text, "nil", ""
	f.Diagnosis.Sentence = fmt.Sprintf("%s is nil when it is given to %s (%s)", text, f.Text(call.Fun), f.Where(call.Pos()))
	s := analysis.Suspect{Place: p, Expr: call, Bad: a, Fact: analysis.Yes}
	src := f.Trace(p, f.At, a)
	nilness.Origin(f.Proposal, s, src)
	if syntax.IsPathOrIndex(a) {
		f.Guard(p, text+" == nil", exits.Message{Format: syntax.Percent(text) + " is nil", Args: nil}, text)
	}
	return true
}

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
