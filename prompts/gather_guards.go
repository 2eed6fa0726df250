package prompts

import (
	"go/ast"
	"go/types"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// guards notes the functions that decide whether the failing line is reached: the
// calls in conditions around it, and in those before it that leave, that are given
// a variable of the line.
func (t *tracer) guards(fn workspace.Func, roots []ast.Expr) {
	info := fn.Package.TypesInfo
	used := map[types.Object]bool{}
	for _, root := range roots {
		for v := range variablesIn(info, root) {
			used[v] = true
		}
	}
	for _, cond := range t.conditions(fn, t.g.frame) {
		ast.Inspect(cond.Cond, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for v := range variablesIn(info, call) {
				if used[v] {
					// What it returns is not followed: its body says what it accepts.
					t.call(traced{in: fn, frame: t.g.at, expr: call, depth: maxDepth, rank: rankGuard}, call)
					t.queue = nil
					break
				}
			}
			return true
		})
	}
}

func variablesIn(info *types.Info, n ast.Node) map[types.Object]bool {
	found := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok && !v.IsField() {
				found[v] = true
			}
		}
		return true
	})
	return found
}

// conditions are the if statements that lead to a line: around it, or before it in
// a block around it and leaving.
func (t *tracer) conditions(fn workspace.Func, at debugger.Frame) []*ast.IfStmt {
	var list []*ast.IfStmt
	ast.Inspect(fn.Decl, func(n ast.Node) bool {
		is, ok := n.(*ast.IfStmt)
		if ok && t.spans(is.Body, at) {
			list = append(list, is)
		}
		block, ok := n.(*ast.BlockStmt)
		if !ok || !t.spans(block, at) {
			return true
		}
		for _, s := range block.List {
			if _, first := t.x.Where(s.Pos()); first >= at.Line {
				break
			}
			if is, ok := s.(*ast.IfStmt); ok && exits(is.Body) && !t.spans(is, at) {
				list = append(list, is)
			}
		}
		return true
	})
	return list
}
