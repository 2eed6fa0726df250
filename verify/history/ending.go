package history

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/source/workspace"
)

// A run that stops at the brace that ends a function has stopped in a deferred call: there is
// no statement, and what the brace closes may be a part of another function's statement.

// ending is the end of a function at which a run has stopped.
type ending struct {
	stmt     ast.Stmt // before which the value is looked at
	deferred string   // the function value that was called; empty if it is not known
}

// ender looks for the end of a function in a file.
type ender struct {
	*marker
	file *file
}

// ending is the end of a function at the line of the query; nil if that is not one, or if the
// function defers nothing.
func (m ender) ending() *ending {
	text := m.plan.query.Expr
	body := m.code.EndingAt(m.plan.query.File, m.plan.query.Line, m.plan.query.Depth)
	calls, values := workspace.Deferred(m.file.pkg.TypesInfo, body)
	if len(values) > 0 { // a declared function fails in a frame of its own
		calls = values
	}
	if len(calls) == 0 {
		return nil
	}
	for _, d := range values {
		if name := types.ExprString(d.Call.Fun); name == text || text == "" && len(values) == 1 {
			return &ending{d, name}
		}
	}
	return &ending{m.inScope(body, calls[0], text), ""}
}

// inScope is the first statement from a deferred call on where an expression means what it
// does at the end of the function.
func (m ender) inScope(body *ast.BlockStmt, deferred *ast.DeferStmt, text string) ast.Stmt {
	want := m.objects(text, body.Rbrace)
	if len(want) == 0 || slices.Equal(m.objects(text, deferred.Pos()), want) {
		return deferred
	}
	for _, s := range body.List {
		if s.Pos() > deferred.Pos() && slices.Equal(m.objects(text, s.Pos()), want) {
			m.gap("it is declared after the function defers its calls: where this run did not come to it, it is that of an earlier one")
			return s
		}
	}
	return deferred
}

// objects are what the names in an expression stand for at a position; nil if it has no
// meaning there.
func (m ender) objects(text string, pos token.Pos) (list []types.Object) {
	o, err := m.check(m.file, text, pos)
	if err != nil {
		return nil
	}
	for n := range ast.Preorder(o.Expr) {
		if name, ok := n.(*ast.Ident); ok {
			list = append(list, o.info.Uses[name])
		}
	}
	return list
}

// goesOn reports whether a value may change between the statement and the stop.
func (e *ending) goesOn(stmt ast.Stmt, text string) bool {
	if e != nil {
		return text != e.deferred // which was evaluated there
	}
	switch stmt.(type) {
	case *ast.RangeStmt, *ast.DeferStmt:
		return true
	}
	return false
}
