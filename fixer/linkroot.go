package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// firstNode fixes methods of linked structures that do not think of the empty
// one: the first node is put where the walk would begin.
func (f nilRules) firstNode(s suspect) {
	id, ok := ast.Unparen(s.bad).(*ast.Ident)
	if !ok || !linked(s.info().TypeOf(id)) {
		return
	}
	walker, isVar := s.info().ObjectOf(id).(*types.Var)
	if !isVar {
		return
	}
	f.removeFirst(s, walker)
	for _, d := range f.definitions(s.place, walker) {
		sel, isSel := ast.Unparen(orNil(d.expr)).(*ast.SelectorExpr)
		as, isAssign := d.stmt.(*ast.AssignStmt)
		if !isSel || !isAssign || as.Pos() > s.expr.Pos() || d.of2(as).loop() != nil || !isPath(sel) {
			continue
		}
		if !f.likeOtherLinks(s, d, sel, as) {
			f.insertFirst(s, d, walker, sel, as)
		}
		return
	}
}

// likeOtherLinks does at the root what the walk does at a node without a link:
// "if n.left == nil { n.left = &node{…}; return }".
func (f nilRules) likeOtherLinks(s suspect, d source, root *ast.SelectorExpr, as *ast.AssignStmt) bool {
	for _, leaving := range leavings(bodyOf(s.function())) {
		b, ok := ast.Unparen(leaving.Cond).(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL || !s.info().Types[b.Y].IsNil() || !types.Identical(s.info().TypeOf(b.X), s.info().TypeOf(root)) {
			continue
		}
		first, ok := leaving.Body.List[0].(*ast.AssignStmt)
		if !ok || len(first.Lhs) != 1 || f.text(first.Lhs[0]) != f.text(b.X) {
			continue
		}
		swaps := map[string]string{f.text(b.X): f.text(root)}
		lines := make([]string, len(leaving.Body.List))
		for i, stmt := range leaving.Body.List {
			if lines[i], ok = f.adapted(s.place, stmt, s.of(as), swaps); !ok {
				return false
			}
		}
		f.blame(fmt.Sprintf("%s is nil while there are no nodes, and %s (%s) begins there", f.text(root), funcName(s.function()), f.where(as.Pos())), as.Pos())
		return f.offer(idea{rule: "linkroot/like-other-links", title: fmt.Sprintf("put the first node into %s", f.text(root)), weight: origin - 1,
			change:  f.change().before(as, fmt.Sprintf("if %s == nil {\n\t%s\n}", f.text(root), indented(strings.Join(lines, "\n")))),
			why:     fmt.Sprintf("An empty structure has no node to begin at: the new one becomes %s.", f.text(root)),
			grounds: fmt.Sprintf("%s does so for %s (%s)", funcName(s.function()), f.text(b.X), f.where(leaving.Pos()))})
	}
	return false
}

// insertFirst puts the node that the walk would hang after the last one at
// the root, where there is no last one.
func (f nilRules) insertFirst(s suspect, d source, walker *types.Var, root *ast.SelectorExpr, as *ast.AssignStmt) {
	body := bodyOf(s.function())
	if body == nil || d.of2(as).path[1] != ast.Node(body) {
		return
	}
	for i, stmt := range body.List {
		link, ok := stmt.(*ast.AssignStmt)
		if !ok || len(link.Lhs) != 1 || len(link.Rhs) != 1 || link.Tok != token.ASSIGN {
			continue
		}
		sel, isSel := ast.Unparen(link.Lhs[0]).(*ast.SelectorExpr)
		if !isSel || s.object(sel.X) != walker || !types.Identical(s.info().TypeOf(sel), s.info().TypeOf(root)) || namesObject(s.place, link.Rhs[0], walker) {
			continue
		}
		lines := []string{f.text(root) + " = " + f.text(link.Rhs[0])}
		returned := false
		for _, rest := range body.List[i+1:] {
			if namesObject(s.place, rest, walker) {
				return
			}
			_, returned = rest.(*ast.ReturnStmt)
			lines = append(lines, f.dedented(rest))
		}
		if !returned {
			lines = append(lines, "return")
		}
		if !visibleAt(s.place, link.Rhs[0], as) {
			return
		}
		f.blame(fmt.Sprintf("%s is nil while there are no nodes, and %s (%s) begins there", f.text(root), funcName(s.function()), f.where(as.Pos())), as.Pos())
		f.offer(idea{rule: "linkroot/insert-first", title: fmt.Sprintf("put the first node into %s", f.text(root)), weight: origin - 1, grounds: fmt.Sprintf("%s does that after the last one (%s)", funcName(s.function()), f.where(link.Pos())),
			change: f.change().before(as, fmt.Sprintf("if %s == nil {\n\t%s\n}", f.text(root), indented(strings.Join(lines, "\n")))),
			why:    fmt.Sprintf("An empty list has no last node to hang the new one on: it becomes %s.", f.text(root))})
		return
	}
}

// visibleAt reports whether the names of an expression are declared before a statement.
func visibleAt(p place, e ast.Expr, at ast.Node) bool {
	fine := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, isVar := p.info().Uses[id].(*types.Var); isVar && !v.IsField() && !isGlobal(v) && v.Pos() > at.Pos() {
				fine = false
			}
		}
		return fine
	})
	return fine
}

// removeFirst moves the beginning of a list when the node to be taken out has
// none before it.
func (f nilRules) removeFirst(s suspect, prev *types.Var) {
	as, ok := s.anchor().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 || as.Tok != token.ASSIGN {
		return
	}
	target, ok := ast.Unparen(as.Lhs[0]).(*ast.SelectorExpr)
	next, isSel := ast.Unparen(as.Rhs[0]).(*ast.SelectorExpr)
	if !ok || !isSel || s.object(target.X) != prev || target.Sel.Name != next.Sel.Name {
		return
	}
	current, isVar := s.object(next.X).(*types.Var)
	if !isVar {
		return
	}
	for _, d := range f.definitions(s.place, current) {
		head, isPathTo := ast.Unparen(orNil(d.expr)).(*ast.SelectorExpr)
		if !isPathTo || !isPath(head) || s.object(head.X) == current {
			continue
		}
		name := f.text(head)
		f.blame(fmt.Sprintf("there is no node before the first, and %s (%s) takes that one out", funcName(s.function()), f.where(as.Pos())), as.Pos())
		f.offer(idea{rule: "linkroot/remove-first", title: fmt.Sprintf("move %s on when the first node goes", name), weight: origin - 1, grounds: fmt.Sprintf("the walk begins at %s (%s)", name, f.where(head.Pos())),
			change: f.change().replace(as.Pos(), as.End(), fmt.Sprintf("if %s == nil {\n\t%s = %s\n} else {\n\t%s\n}", prev.Name(), name, f.text(next), f.text(as))),
			why:    fmt.Sprintf("The first node has none before it: taking it out means that %s becomes the next one.", name)})
		return
	}
}
