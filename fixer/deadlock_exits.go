package fixer

import (
	"go/ast"
	"slices"
	"strings"
)

// leftOut lists the ways out of a function, from its beginning or from some of its
// statements on, that pass by all of the calls. A way ends where stop holds.
func (d *deadlock) leftOut(fn ast.Node, calls, from []place, stop func(ast.Node) bool) []*ast.ReturnStmt {
	at := calls[0].of(bodyOf(fn))
	at.path = append([]ast.Node{bodyOf(fn)}, calls[0].of(fn).path...)
	is := func(n ast.Node) bool { return stop(n) || holdsAny(n, calls) }
	exits := waysFrom(at, nil, is).exits
	if len(from) > 0 {
		exits = nil
	}
	for _, f := range from {
		for _, e := range waysFrom(at, f.node(), is).exits {
			if !slices.ContainsFunc(exits, func(o *ast.ReturnStmt) bool { return o.Pos() == e.Pos() }) {
				exits = append(exits, e)
			}
		}
	}
	if len(exits) == 0 && d.recovers(fn) {
		return []*ast.ReturnStmt{{Return: bodyOf(fn).Rbrace}}
	}
	return exits
}

// holdsAny reports whether one of some calls is in a node.
func holdsAny(n ast.Node, calls []place) bool {
	return slices.ContainsFunc(calls, func(c place) bool { return contains(n, c.node().Pos()) })
}

// leaves says where a function is left without the calls: when, or all places where there
// are several.
func (d *deadlock) leaves(fn ast.Node, calls []place, exits []*ast.ReturnStmt) string {
	places := make([]string, len(exits))
	for i, e := range exits {
		places[i] = d.where(e.Pos())
	}
	if len(exits) > 1 {
		return strings.Join(places, " or ")
	}
	when := d.condition(calls[0], exits[0])
	if at := calls[0].of(exits[0]); when == "" && len(calls) == 1 && (atEnd(fn, exits[0]) || at.path[1] == bodyOf(fn)) {
		when = d.conditionNot(calls[0])
	}
	return places[0] + when
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
