package channels

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// lockReplaced says that another value may have taken the place of the one whose
// lock this function took.
func (f lockRules) lockReplaced(bad syntax.LockCall, same []syntax.LockCall) {
	holder, ok := holderOf(bad.Place, bad.Mutex)
	if !ok {
		return
	}
	for _, l := range same {
		if l.Method != lockFor(bad.Method) || l.Node().Pos() > bad.Node().Pos() {
			continue
		}
		for _, as := range f.AssignmentsTo(holder) {
			f.Add(fmt.Sprintf("%s (%s) puts another %s in its place", syntax.FuncName(as.Function()), f.Where(as.Node().Pos()), holder.Name()))
			return
		}
	}
}

// holderOf is the pointer field that holds the struct with the mutex or map e.
func holderOf(p syntax.Place, e ast.Expr) (*types.Var, bool) {
	for e = ast.Unparen(e); ; {
		sel, ok := e.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		e = ast.Unparen(sel.X)
		inner, ok := e.(*ast.SelectorExpr)
		if !ok {
			return nil, false
		}
		if v, ok := p.Info().ObjectOf(inner.Sel).(*types.Var); ok && v.IsField() && syntax.IsPointer(v.Type()) {
			return v, true
		}
	}
}

// lockRules: a mutex is unlocked that is not locked.
type lockRules struct{ *proposal.Proposal }

// Unlock explains a mutex that was unlocked and is not held.
func Unlock(p *proposal.Proposal) {
	f := lockRules{p}
	all := syntax.Locks(f.Home)
	var bad syntax.LockCall
	found := false
	for pass := range 2 {
		for _, l := range all {
			onLine := f.LineOf(l.Node()) == f.Frame.Line
			if !found && strings.HasSuffix(l.Method, "Unlock") && (onLine || pass == 1) {
				bad, found = l, true
			}
		}
	}
	if !found {
		return
	}
	text := f.Text(bad.Mutex)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "unlocked", Origin: f.RelWhere(bad.Node().Pos()),
		Sentence: fmt.Sprintf("%s is not locked when %s calls %s (%s)", text, syntax.FuncName(bad.Function()), bad.Method, f.Where(bad.Node().Pos()))}
	var same []syntax.LockCall
	for _, l := range all {
		if f.Text(l.Mutex) == text && l.Function() == bad.Function() {
			same = append(same, l)
		}
	}

	f.lockReplaced(bad, same)
}

func lockFor(method string) string { return strings.Replace(method, "Unlock", "Lock", 1) }
