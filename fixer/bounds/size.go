package bounds

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// Size explains a size or an interval that cannot be, given to make, strings.Repeat,
// time.NewTicker and the like, and offers fixes.
func Size(p *proposal.Proposal) {
	f := sizeRules{p}
	s, ok := f.Choose(f.sizes)
	if !ok {
		return
	}
	text := f.Text(s.Bad)
	call := s.Expr.(*ast.CallExpr)
	value := "negative"
	n, known := f.Number(s.Place, f.At, s.Bad)
	if known {
		value = fmt.Sprint(n)
	}
	ticker := strings.Contains(f.Panic.Message, "non-positive interval")
	if ticker && !known {
		value = "not positive"
	}
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: value, Sentence: fmt.Sprintf("%s is %s, which is not a valid size for %s", text, value, f.Text(call.Fun))}
	if ticker {
		f.Diagnosis.Sentence = fmt.Sprintf("%s is %s, and %s takes a positive interval", text, value, f.Text(call.Fun))
	}
	src := f.Trace(s.Place, f.At, s.Bad)
	if src.Expr != nil && src.Expr != ast.Unparen(s.Bad) {
		f.ComesFrom(src, "")
	}
	if f.Diagnosis.Origin == "" {
		f.Diagnosis.Origin = f.RelWhere(s.Bad.Pos())
	}
	f.signLost(s.Place, f.At, s.Bad)
	if ticker {
		f.Guard(s.Place, text+" <= 0", exits.Message{Format: syntax.Percent(text) + " is %v, want a positive interval", Args: []string{text}}, text)
		return
	}
	if !known || n < 0 {
		f.clampSize(s)
	}
	cond := text + " < 0"
	if known && n > 0 {
		cond = ""
	}
	if b, ok := ast.Unparen(s.Bad).(*ast.BinaryExpr); ok && b.Op.String() == "-" && syntax.IsPathOrIndex(b) {
		cond = fmt.Sprintf("%s < %s", f.Text(b.X), f.Text(b.Y))
	}
	if cond != "" && syntax.IsPathOrIndex(s.Bad) {
		f.Guard(s.Place, cond, exits.Message{Format: syntax.Percent(text) + " is %d, want no negative number", Args: []string{text}}, text)
	}
}

// sizes finds the calls that take a size.
func (f sizeRules) sizes(p syntax.Place, n ast.Node) []analysis.Suspect {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	var args []ast.Expr
	if name, _ := p.Builtin(call); name == "make" {
		args = call.Args[1:]
	} else if fn := p.Callee(call); fn != nil && fn.Pkg() != nil && name == "" {
		last := len(call.Args) - 1
		lib, inside := f.InLibrary()
		if last < 0 || !inside || !strings.HasSuffix(lib, fn.Name()) && !takesSize(fn) {
			return nil
		}
		args = call.Args[last:]
	}
	var list []analysis.Suspect
	for _, a := range args {
		t := p.Info().TypeOf(a)
		if t == nil || !syntax.IsInteger(t) {
			continue
		}
		fact := analysis.Unknown
		if v, known := f.Number(p, f.At, a); known {
			fact = analysis.TriOf(v < 0 || v > 1<<40 || strings.Contains(f.Panic.Message, "non-positive") && v <= 0)
		} else if tv := p.Info().Types[a]; tv.Value != nil {
			fact = analysis.No
		}
		list = append(list, analysis.Suspect{Expr: call, Bad: a, Fact: fact})
	}
	return list
}

func takesSize(fn *types.Func) bool {
	switch fn.Name() {
	case "Repeat", "NewTicker", "Grow", "Reset", "Tick", "Truncate":
		return true
	}
	return false
}

// clampSize makes a negative size 0, at the call.
func (f sizeRules) clampSize(s analysis.Suspect) {
	if storedState(f.Code, s.Place, s.Bad) {
		return
	}
	text := f.Text(s.Bad)
	w := exits.Handled + 3
	if name, _ := s.Builtin(s.Expr); name == "" { // padding and indentation: nothing to repeat
		w = exits.Origin + 2
	} else if sig := s.Signature(); sig == nil || sig.Results().Len() == 0 || !syntax.ImplementsError(sig.Results().At(sig.Results().Len()-1).Type()) {
		w = exits.Handled - 1
	}
	f.Offer(proposal.Idea{Rule: "size/clamp-size", Title: fmt.Sprintf("use at least 0 for %s", syntax.Short(text)), Weight: w,
		Change: f.Change().Replace(s.Bad.Pos(), s.Bad.End(), fmt.Sprintf("max(%s, 0)", text)),
		Why:    fmt.Sprintf("Where %s is negative, the size is 0.", text)})
}

// sizeRules: a number is wrong: a divisor, a size, a count.
type sizeRules struct{ *proposal.Proposal }

// Divide explains an integer that was divided by 0, and offers fixes.
func Divide(p *proposal.Proposal) {
	f := sizeRules{p}
	s, ok := f.Choose(f.divisions)
	if !ok {
		return
	}
	text := f.Text(s.Bad)
	f.Diagnosis = evidence.Diagnosis{Sentence: f.divisorSentence(s), Expr: text, Value: "0"}
	f.TreatAlike(s.Place, s.Bad, "zero")
	f.divisorOrigin(s)
	bad := text + " == 0"
	f.ShortCircuit(s.Place, proposal.Good(text+" != 0"), bad, "divisor")
	f.Guard(s.Place, bad, f.divisionMessage(s), text)
}

func (f sizeRules) divisions(p syntax.Place, n ast.Node) []analysis.Suspect {
	judge := func(e ast.Expr, divisor ast.Expr) []analysis.Suspect {
		t := p.Info().TypeOf(divisor)
		if t == nil || !syntax.IsInteger(t) {
			return nil
		}
		if tv := p.Info().Types[divisor]; tv.Value != nil {
			return nil
		}
		fact := analysis.Unknown
		if v, ok := f.Number(p, f.At, divisor); ok {
			fact = analysis.TriOf(v == 0)
		}
		return []analysis.Suspect{{Expr: e, Bad: divisor, Fact: fact}}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.QUO || n.Op == token.REM {
			return judge(n, n.Y)
		}
	case *ast.AssignStmt:
		if n.Tok == token.QUO_ASSIGN || n.Tok == token.REM_ASSIGN {
			return judge(n.Lhs[0], n.Rhs[0])
		}
	case *ast.CallExpr: // big.Int.Div and the like
		if _, library := f.InLibrary(); library && strings.Contains(f.Panic.Message, "division by zero") && len(n.Args) > 0 {
			last := n.Args[len(n.Args)-1]
			if t := p.Info().TypeOf(last); t != nil && types.TypeString(t, nil) == "*math/big.Int" {
				return []analysis.Suspect{{Expr: n, Bad: last, Fact: analysis.Unknown}}
			}
		}
	}
	return nil
}

func (f sizeRules) divisorSentence(s analysis.Suspect) string {
	return f.Text(s.Bad) + " is 0"
}

func (f sizeRules) divisionMessage(s analysis.Suspect) exits.Message {
	if name, call := s.Builtin(s.Bad); name == "len" {
		return exits.Message{Format: syntax.Percent(f.Text(call.Args[0])) + " is empty", Args: nil}
	}
	if b, ok := s.Expr.(*ast.BinaryExpr); ok && b.Op == token.QUO && syntax.IsPath(b.X) && simpleValue(s.Info().TypeOf(b.X)) {
		return exits.Message{Format: "division of %v by zero: " + syntax.Percent(f.Text(s.Bad)) + " is 0", Args: []string{f.Text(b.X)}}
	}
	return exits.Message{Format: "division by zero: " + syntax.Percent(f.Text(s.Bad)) + " is 0", Args: nil}
}

func simpleValue(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// divisorOrigin sets a divisor that is a field that was never given a value.
func (f sizeRules) divisorOrigin(s analysis.Suspect) {
	src := f.Trace(s.Place, f.At, s.Bad)
	if src.Expr == nil {
		return
	}
	switch e := ast.Unparen(src.Expr).(type) {
	case *ast.CallExpr:
		if name, call := src.Builtin(e); name == "len" {
			f.NoteOf(src, f.Text(call.Args[0])+" is empty", call.Pos())
		}
	}
	if src.Expr != ast.Unparen(s.Bad) {
		f.ComesFrom(src, "")
	} else {
		f.Given(s.Place, s.Bad)
	}
}
