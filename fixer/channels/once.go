package channels

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// runOnce lets a method that closes run only once: a flag in its struct.
func (f Rules) runOnce(s analysis.Suspect, sites []syntax.Place) {
	d, ok := s.Function().(*ast.FuncDecl)
	if !ok || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 || s.Deferred() {
		return
	}
	for _, c := range sites {
		if c.Function() != ast.Node(d) {
			return
		}
	}
	sig := s.Signature()
	t := syntax.Named(sig.Recv().Type())
	st, isStruct := syntax.UnderStruct(sig.Recv().Type())
	if t == nil || !isStruct || !syntax.IsPointer(sig.Recv().Type()) || sig.Params().Len() > 0 || st.NumFields() == 0 {
		return
	}
	back := "return"
	if sig.Results().Len() > 0 {
		rest, fits := syntax.ZeroResults(s.Place, sig, 0)
		if !fits || sig.Results().Len() > 1 || !syntax.IsError(sig.Results().At(0).Type()) {
			return
		}
		back += " " + rest
	}
	last, found := f.FieldDecl(st.Field(st.NumFields() - 1))
	if !found {
		return
	}
	name := syntax.FreeFieldName(t, "closed", "stopped")
	recv := d.Recv.List[0].Names[0].Name
	lines := fmt.Sprintf("if %s.%s {\n\t%s\n}\n%s.%s = true", recv, name, back, recv, name)
	ch := f.Change().After(last.Node(), name+" bool")
	if lock := leadingLock(s.Place, d); lock != nil {
		ch.After(lock, lines)
	} else {
		ch.First(d.Body, lines)
	}
	f.Offer(proposal.Idea{Rule: "chan/run-once", Title: fmt.Sprintf("let %s do its work only once", syntax.FuncName(d)), Weight: exits.Origin, Change: ch,
		Why: fmt.Sprintf("%s is called more than once; from the second time on there is nothing left to close, and it returns.", syntax.FuncName(d))})
}

// leadingLock returns the last of the lock statements that a function begins with.
func leadingLock(p syntax.Place, d *ast.FuncDecl) ast.Stmt {
	var last ast.Stmt
	for _, st := range d.Body.List {
		var call *ast.CallExpr
		switch x := st.(type) {
		case *ast.ExprStmt:
			call, _ = x.X.(*ast.CallExpr)
		case *ast.DeferStmt:
			call = x.Call
		}
		if call == nil {
			break
		}
		fn := p.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || !strings.HasSuffix(fn.Name(), "ock") {
			break
		}
		last = st
	}
	return last
}
