package prompts

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// maxTested bounds how many functions are shown of what a failing test calls.
const maxTested = 5

// tested shows the user's functions that a failing test calls, the ones called
// last before its assertion first, and what these call: the fault is in one of
// them, or in the test.
func (g *gathering) tested() draft {
	d := draft{Section: Section{Key: SectionCallers, Title: "What the failing test calls"}}
	if g.at < 0 || g.c.Code == nil {
		return d
	}
	test, ok := g.c.Code.FuncAt(g.frame.File, g.frame.Line)
	if !ok || test.Decl.Body == nil {
		return d
	}
	var b strings.Builder
	seen := map[*types.Func]bool{test.Object: true}
	queue := g.calledIn(test.Decl.Body, test.Package.TypesInfo, g.frame.Line)
	for count := 0; len(queue) > 0 && count < maxTested; queue = queue[1:] {
		callee := queue[0]
		if seen[callee] {
			continue
		}
		seen[callee] = true
		at := g.c.Code.Fset.Position(callee.Pos())
		if !g.c.Workspace.Owns(at.Filename) {
			continue
		}
		fn, ok := g.sources.funcAt(at.Filename, at.Line)
		if !ok || fn.last-fn.first > maxCallerLines {
			continue
		}
		count++
		fmt.Fprintf(&b, "%s, in %s", funcName(callee.FullName()), g.show(fn))
		if inner, ok := g.c.Code.FuncAt(at.Filename, at.Line); ok && inner.Decl.Body != nil {
			queue = append(queue, g.calledIn(inner.Decl.Body, inner.Package.TypesInfo, 0)...)
		}
	}
	d.Text = b.String()
	return d
}

// calledIn lists the functions that are called in a body: those on the lines up
// to one, backwards from it, then the rest; with line 0 in the order of the text.
func (g *gathering) calledIn(body *ast.BlockStmt, info *types.Info, line int) []*types.Func {
	var before, after []*types.Func
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee := calledFunc(call.Fun, info)
		switch {
		case callee == nil:
		case line > 0 && g.c.Code.Fset.Position(call.Pos()).Line <= line:
			before = append([]*types.Func{callee}, before...)
		default:
			after = append(after, callee)
		}
		return true
	})
	return append(before, after...)
}

func calledFunc(x ast.Expr, info *types.Info) *types.Func {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		f, _ := info.Uses[x].(*types.Func)
		return origin(f)
	case *ast.SelectorExpr:
		f, _ := info.Uses[x.Sel].(*types.Func)
		return origin(f)
	case *ast.IndexExpr: // with its type arguments
		return calledFunc(x.X, info)
	}
	return nil
}

// origin is the function as it is declared; of none it is none.
func origin(f *types.Func) *types.Func {
	if f == nil {
		return nil
	}
	return f.Origin()
}
