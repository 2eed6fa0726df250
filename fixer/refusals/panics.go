// Package refusals has the rules for panics on purpose, by the user or by a library: the
// caller gets an error, or the library gets a value that it accepts.
package refusals

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// refusalRules: the user's own code panics on purpose.
type refusalRules struct{ *proposal.Proposal }

// GivenUp explains a panic on purpose, by the program or by a library, and offers to
// give the caller an error.
func GivenUp(p *proposal.Proposal) {
	f := refusalRules{p}
	f.Diagnosis = evidence.Diagnosis{Value: f.Panic.Message, Origin: f.RelLine(f.Frame.File, f.Frame.Line)}
	f.Diagnosis.Sentence = f.whatWasSaid()
	if lib, ok := f.InLibrary(); ok {
		libraryRules(f).libraryRefused(lib)
		return
	}
	if f.runtimeRefused() {
		return
	}
	stmt, ok := f.panicStatement()
	if !ok {
		return
	}
	if !f.mustHelper(stmt) {
		f.returnInstead(stmt)
	}
}

// whatWasSaid is the diagnosis of a panic on purpose.
func (f refusalRules) whatWasSaid() string {
	where := fmt.Sprintf("%s (%s)", syntax.FuncName(f.Home.Path[0]), whereFrame(f.Frame))
	if f.Panic.Message == "" { // a trace without its head
		return ""
	}
	text := fmt.Sprintf("%s panics: %s", where, syntax.FirstLine(f.Panic.Message))
	switch inner := f.innermostErrors(); len(inner) {
	case 0:
	case 1:
		text += "; at the bottom of it is " + inner[0]
	default:
		text += "; at the bottom of it are " + strings.Join(inner[:len(inner)-1], ", ") + " and " + inner[len(inner)-1]
	}
	return text
}

func whereFrame(fr debugger.Frame) string {
	return fmt.Sprintf("%s:%d", fr.File[strings.LastIndexByte(fr.File, '/')+1:], fr.Line)
}

// panicCall is a statement that panics.
type panicCall struct {
	syntax.Place // of the statement
	call         *ast.CallExpr
	arg          ast.Expr
}

// panicStatement finds the call of panic, or of log.Panic and the like, on the
// culprit's line.
func (f refusalRules) panicStatement() (panicCall, bool) {
	for _, p := range f.CallsOnLine() {
		call := p.Node().(*ast.CallExpr)
		name, _ := p.Builtin(call)
		if name != "panic" && !syntax.NeverReturns(p, call) || len(call.Args) == 0 || p.Statement() == nil || p.Deferred() {
			continue
		}
		return panicCall{Place: p.Of(p.Statement()), call: call, arg: call.Args[0]}, true
	}
	return panicCall{}, false
}

// messageOf is the text of the panic as a message of the fixer's; cause is the
// error that was panicked with, or empty.
func (f refusalRules) messageOf(s panicCall) (m exits.Message, cause string) {
	arg := ast.Unparen(s.arg)
	if t := s.Info().TypeOf(arg); t != nil && syntax.ImplementsError(t) {
		return exits.Message{Format: "%v", Args: []string{f.Text(arg)}}, f.Text(arg)
	}
	if tv := s.Info().Types[arg]; tv.Value != nil {
		return exits.Message{Format: percentAll(strings.Trim(tv.Value.ExactString(), `"`)), Args: nil}, ""
	}
	call, ok := arg.(*ast.CallExpr)
	if ok && len(call.Args) > 0 && syntax.IsCallTo(s.Place, arg, "fmt", "Sprintf") {
		if tv := s.Info().Types[call.Args[0]]; tv.Value != nil {
			return f.formatOf(call.Args), ""
		}
	}
	return exits.Message{Format: "%v", Args: []string{f.Text(arg)}}, ""
}

func percentAll(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// formatOf makes a message of a format and its arguments.
func (f refusalRules) formatOf(args []ast.Expr) exits.Message {
	format := strings.Trim(f.Text(args[0]), "\"`")
	m := exits.Message{Format: format}
	for _, a := range args[1:] {
		m.Args = append(m.Args, f.Text(a))
	}
	return m
}

// returnInstead tells the caller by an error, or whatever the function has for
// that, in place of the panic.
func (f refusalRules) returnInstead(s panicCall) {
	m, cause := f.messageOf(s)
	if s.Function() == nil || s.Signature() == nil {
		return
	}
	for _, e := range f.Exits(s.Place, m, cause) {
		if e.Weight >= exits.Hiding {
			continue
		}
		ch := f.Change().Need(s.File, e.Imports...)
		ch.Instead(s.Node(), strings.ReplaceAll(e.Lines, "\n\t", "\n"))
		if e.Edit != nil && !e.Edit(ch) {
			continue
		}
		f.Offer(proposal.Idea{Rule: "custom/return-instead", Title: fmt.Sprintf("do not panic: %s", proposal.ShortHow(e)), Weight: e.Weight, Change: ch, Grounds: e.Grounds,
			Why: fmt.Sprintf("Where it panicked, %s %s.", syntax.FuncName(s.Function()), e.How)})
	}
}

// mustHelper: the panic is that of a helper such as must(f()); what it was
// given is the business of its callers.
func (f refusalRules) mustHelper(s panicCall) bool {
	d, ok := s.Function().(*ast.FuncDecl)
	if !ok || d.Recv != nil {
		return false
	}
	id, isIdent := ast.Unparen(s.arg).(*ast.Ident)
	if !isIdent {
		return false
	}
	v, isVar := s.Info().ObjectOf(id).(*types.Var)
	if !isVar || !syntax.IsError(v.Type()) {
		return false
	}
	_, _, isParam := syntax.ParamIndex(s.Place, d.Type, d, v)
	if !isParam {
		return false
	}
	call, _, found := f.CallerOf(s.Of(d), f.At)
	if !found {
		return false
	}
	expr := call.Node().(*ast.CallExpr)
	f.Diagnosis.Origin = f.RelWhere(expr.Pos())
	f.Diagnosis.Sentence = fmt.Sprintf("%s (%s) has no way to go on without a value: %s", syntax.FuncName(call.Function()), f.Where(expr.Pos()), syntax.FirstLine(f.Panic.Message))
	return true
}

// runtimeRefused fixes what the runtime refuses and no class of its own is
// for: keys that cannot be hashed, values that cannot be compared, an iterator
// that goes on after its loop has ended.
func (f refusalRules) runtimeRefused() bool {
	switch m := f.Panic.Message; {
	case strings.Contains(m, "hash of unhashable type"):
	case strings.Contains(m, "comparing uncomparable type"):
	case strings.Contains(m, "range function continued iteration"):
	default:
		return false
	}
	return true
}
