package nilness

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// nilFromCall: a function returned nil. Its error was ignored, or nil is how
// it says that there is nothing.
func (f nilRules) nilFromCall(s analysis.Suspect, src code.Source, call *ast.CallExpr) {
	if !f.typedNil(s, src, call) && ast.Unparen(s.Bad) != ast.Expr(call) {
		f.NoteOf(src, fmt.Sprintf("%s (%s) returned nil%s", syntax.Brief(f.Text(call.Fun)), f.Where(call.Pos()), errorIgnored(src, call)), call.Pos())
	}
	f.refuseAt(s, src, "nothing found")
}

// errorIgnored says of a call whose result is bad that its error is thrown away.
func errorIgnored(src code.Source, call *ast.CallExpr) string {
	as, ok := src.Stmt.(*ast.AssignStmt)
	sig, isSig := src.Info().TypeOf(call.Fun).(*types.Signature)
	if !ok || !isSig || len(as.Rhs) != 1 || sig.Results().Len() != len(as.Lhs) || len(as.Lhs) < 2 || !syntax.IsError(sig.Results().At(len(as.Lhs)-1).Type()) {
		return ""
	}
	if id, isIdent := as.Lhs[len(as.Lhs)-1].(*ast.Ident); !isIdent || id.Name != "_" {
		return ""
	}
	return ", and its error is ignored"
}

// declares reports whether the assignment is the one that gives the object its value.
func declares(p syntax.Place, as *ast.AssignStmt, obj types.Object) bool {
	for _, l := range as.Lhs {
		if p.Object(l) == obj {
			return true
		}
	}
	return false
}
