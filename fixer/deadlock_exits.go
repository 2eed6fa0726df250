package fixer

import (
	"go/ast"
)

// leftOut finds a way out of a function that passes by all of the calls.
func (d *deadlock) leftOut(fn ast.Node, calls []place) (*ast.ReturnStmt, bool) {
	at := calls[0].of(bodyOf(fn))
	at.path = append([]ast.Node{bodyOf(fn)}, calls[0].of(fn).path...)
	is := func(n ast.Node) bool {
		for _, c := range calls {
			if contains(n, c.node().Pos()) {
				return true
			}
		}
		return false
	}
	w := waysFrom(at, nil, is)
	for _, e := range w.exits {
		return e, true
	}
	if d.recovers(fn) {
		return &ast.ReturnStmt{Return: bodyOf(fn).Rbrace}, true
	}
	return nil, false
}

// recovers reports whether a function defers a recover of its own.
func (d *deadlock) recovers(fn ast.Node) bool {
	found := false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		if df, ok := n.(*ast.DeferStmt); ok {
			ast.Inspect(df, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == "recover" {
					found = true
				}
				return true
			})
		}
		return true
	})
	return found
}

// condition says when a return is taken: the text of the if around it.
func (d *deadlock) condition(p place, exit *ast.ReturnStmt) string {
	return d.ifAround(p.of(exit), false)
}

func (d *deadlock) ifAround(at place, inLoop bool) string {
	for i, n := range at.path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && at.path[i-1] == ast.Node(n.Body) {
				return " when " + short(d.text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		case *ast.RangeStmt, *ast.ForStmt:
			if inLoop {
				return ""
			}
		}
	}
	return ""
}

// callerName names the function of a place: a literal by the go statement.
func (d *deadlock) callerName(p place) string {
	fn := p.function()
	if _, ok := fn.(*ast.FuncLit); ok {
		return "the goroutine started at " + d.where(fn.Pos())
	}
	return funcName(fn)
}
