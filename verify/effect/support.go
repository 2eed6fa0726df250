package effect

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Support says what in the old code speaks for leaving work out at a point: another
// guard of the function gives the same.
// before are the files of the point's package as they were, after as they are, by
// their names. It returns nothing where nothing speaks for it.
func Support(before, after map[string]string, p Point) string {
	if p.Lost {
		return ""
	}
	if line := neighbor(fileNamed(before, p.File), fileNamed(after, p.File), p); line > 0 {
		return fmt.Sprintf("%s:%d already answers the same", p.File, line)
	}
	if line := fileNamed(before, p.File).asking(p); line > 0 {
		return fmt.Sprintf("%s:%d already asks the same", p.File, line)
	}
	if p.Effect != verdict.Skips {
		return ""
	}
	if why := fileNamed(after, p.File).limited(p); why != "" {
		return why
	}
	if why := fileNamed(before, p.File).nothing(p); why != "" {
		return why
	}
	return ""
}

func fileNamed(files map[string]string, name string) source {
	return sourceOf(syntax.Named(files, name))
}

// neighbor finds a guard of the old function that leaves as the point does, and
// asks about the same operand, or stands next to it, or is one of several that call
// the same to refuse. Where the point itself is known to refuse, only one about the
// same operand counts: the program has refused for the same reason before. It
// returns its line; 0 without one.
func neighbor(before, after source, p Point) int {
	if p.Leaves == "" || before.ast == nil || after.ast == nil || before.functions()[p.Function] == nil {
		return 0
	}
	exit, beside, loop := match.ExitKey(p.Leaves), after.beside(p.Offset), after.loopAt(p.Offset)
	var alike []int
	line := 0
	for n := range ast.Preorder(before.functions()[p.Function]) {
		g, ok := n.(*ast.IfStmt)
		if !ok || len(g.Body.List) == 0 || match.ExitKey(before.code(g.Body.List[len(g.Body.List)-1])) != exit || !strings.HasPrefix(exit, "return") && before.loopAt(before.offset(g.Pos())) != loop {
			continue
		}
		alike = append(alike, before.line(g))
		if line == 0 && (sharesOperand(before.code(g.Cond), p.When) || p.Effect == verdict.Declines && sharesOperand(before.code(g.Cond), after.origin(p)) || p.Effect == verdict.Skips && slices.Contains(beside, before.code(g))) {
			line = alike[len(alike)-1]
		}
	}
	if line == 0 && len(alike) > 1 && p.Effect == verdict.Skips && strings.Contains(exit, "(") {
		line = alike[0]
	}
	return line
}

// asking finds an if of the function that asks of a value of its own what a point's if
// asks: "if v := os.Getenv(a); v != """ beside "if w := os.Getenv(b); w != """. It returns
// its line; 0 without one.
func (s source) asking(p Point) int {
	if p.question == "" || s.ast == nil || s.functions()[p.Function] == nil {
		return 0
	}
	for n := range ast.Preorder(s.functions()[p.Function]) {
		if g, ok := n.(*ast.IfStmt); ok && g.Else == nil && s.question(g) == p.question {
			return s.line(g)
		}
	}
	return 0
}

// question is what an if asks of the result of a call that it makes first, without the
// name of the result and the arguments; empty for other ifs.
func (s source) question(g *ast.IfStmt) string {
	a, ok := g.Init.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return ""
	}
	of, c := calledBy(s, a.Rhs[0]), g.Cond
	compares, ok := c.(*ast.BinaryExpr)
	if of == "" || !ok || s.code(compares.X) != s.code(a.Lhs[0]) {
		return ""
	}
	return of + " " + compares.Op.String() + " " + s.code(compares.Y)
}

// loopAt is the head of the innermost loop around an offset; empty without one.
func (s source) loopAt(offset int) string {
	head := ""
	for n := range ast.Preorder(s.ast) {
		body, ok := n, false
		switch n := n.(type) {
		case *ast.ForStmt:
			body, ok = n.Body, true
		case *ast.RangeStmt:
			body, ok = n.Body, true
		}
		if from := s.offset(n.Pos()); ok && from <= offset && offset <= s.offset(n.End()) {
			head = syntax.Fold(s.Text[from:s.offset(body.Pos())])
		}
	}
	return head
}

// origin is the expression that the variable of a point's condition was given last before
// it; empty where there is none.
func (s source) origin(p Point) string {
	given := ""
	for n := range ast.Preorder(s.functions()[p.Function]) {
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.DEFINE && s.offset(a.End()) <= p.Offset && len(a.Rhs) == 1 && match.MentionsCode(p.When, s.code(a.Lhs[0])) {
			given = s.code(a.Rhs[0])
		}
	}
	return given
}

// sharesOperand reports whether two conditions ask about the same variable or field.
func sharesOperand(a, b string) bool {
	operands := match.OperandsOf(b)
	return slices.ContainsFunc(match.OperandsOf(a), func(o string) bool { return slices.Contains(operands, o) })
}

// beside is the code of the statements before and after the one at the offset, or
// the innermost one around it that has neighbors.
func (s source) beside(offset int) []string {
	var found []string
	at := s.ast.FileStart + token.Pos(offset)
	ast.Inspect(s.ast, func(n ast.Node) bool {
		list := match.ListOf(n)
		for i, stmt := range list {
			g, ok := stmt.(*ast.IfStmt)
			if !ok || at < g.Pos() || at > g.End() {
				continue
			}
			found = found[:0]
			if i > 0 {
				found = append(found, s.code(list[i-1]))
			}
			if i+1 < len(list) {
				found = append(found, s.code(list[i+1]))
			}
		}
		return true
	})
	return found
}
