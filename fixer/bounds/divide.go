package bounds

import (
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
