package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect/match"
)

// nothing says why a guard that answers with nothing for an empty value loses nothing:
// the answer is of the type of the value, or is filled only by loops over it. The same
// holds for what begins at or after the end of something.
func (s source) nothing(p Point) string {
	if s.ast == nil || s.functions()[p.Function] == nil {
		return ""
	}
	fn, of := s.functions()[p.Function], emptyIn(p.When)
	answers, ok := match.AnswersOf(p.Leaves)
	if ok && len(answers) > 0 {
		if why := s.whole(fn, p.When, p.Leaves, answers[0]); why != "" {
			return why
		}
	}
	beyond := s.beyondEnd(fn, p.When)
	if of == "" && beyond == "" || !ok || fn.Type.Results == nil || fn.Type.Results.NumFields() != len(answers) {
		return ""
	}
	kinds := match.ResultTypes(fn.Type)
	if last := len(kinds) - 1; last > 0 && kinds[last] == "error" && match.IsName(answers[last], "nil") {
		kinds, answers = kinds[:last], answers[:last]
	}
	if len(answers) != 1 || !s.empty(answers[0], kinds[0], of) {
		return ""
	}
	if beyond != "" {
		return beyond
	}
	given, alike := s.parameterTypes(fn), 0
	for _, typ := range given {
		if typ == kinds[0] {
			alike++
		}
	}
	switch {
	case alike == 1 && given[of] == kinds[0]:
		return "what is made of an empty " + of + " is empty"
	case kinds[0] != "string" && s.filledBy(fn, of):
		return "the loop over " + of + " would add nothing"
	}
	return ""
}

// emptyIn is what a condition says is empty: "len(x) == 0", "x == """; nothing for others.
func emptyIn(condition string) string {
	e, err := parser.ParseExpr(condition)
	c, ok := e.(*ast.BinaryExpr)
	if err != nil || !ok {
		return ""
	}
	text := func(e ast.Expr) string { return condition[e.Pos()-1 : e.End()-1] }
	if call, isCall := c.X.(*ast.CallExpr); isCall && len(call.Args) == 1 && match.IsName(call.Fun, "len") {
		if c.Op == token.EQL && match.IsLiteral("0")(c.Y) || c.Op == token.LSS && match.IsLiteral("1")(c.Y) {
			return text(call.Args[0])
		}
		return ""
	}
	if c.Op == token.EQL && (match.IsLiteral(`""`)(c.Y) || match.IsLiteral("``")(c.Y)) {
		return text(c.X)
	}
	return ""
}

// noLonger reads a condition that holds where something is no longer than a limit, or
// shorter: "len(s) <= n", "n >= len(s)".
func noLonger(condition string) (what, limit string) {
	e, err := parser.ParseExpr(condition)
	c, ok := e.(*ast.BinaryExpr)
	if err != nil || !ok {
		return "", ""
	}
	text := func(e ast.Expr) string { return condition[e.Pos()-1 : e.End()-1] }
	long, short := c.X, c.Y // long is at least as long
	switch c.Op {
	case token.GEQ, token.GTR:
	case token.LEQ, token.LSS:
		long, short = c.Y, c.X
	default:
		return "", ""
	}
	call, isCall := short.(*ast.CallExpr)
	if !isCall || len(call.Args) != 1 || !match.IsName(call.Fun, "len") {
		return "", ""
	}
	return text(call.Args[0]), text(long)
}

// whole says that a function that takes a part of something returns the whole where it is
// no longer than the part: "len(s) <= n" before s[:n].
func (s source) whole(fn *ast.FuncDecl, condition, exit string, answer ast.Expr) string {
	what, limit := noLonger(condition)
	returned := exit[len("return "):][answer.Pos()-3 : answer.End()-3] // behind "f("
	if what == "" || returned != what && !s.converted(fn, what, returned) {
		return ""
	}
	for n := range ast.Preorder(fn) {
		part, ok := n.(*ast.SliceExpr)
		if !ok || s.code(part.X) != what {
			continue
		}
		for _, end := range []ast.Expr{part.Low, part.High} {
			if end != nil && match.MentionsCode(s.code(end), limit) {
				return what + " has no more than " + limit
			}
		}
	}
	return ""
}

// converted reports whether a variable is made of another by a conversion: the runes or
// bytes of a text.
func (s source) converted(fn *ast.FuncDecl, name, of string) bool {
	for n := range ast.Preorder(fn) {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || s.code(a.Lhs[0]) != name {
			continue
		}
		if c, isCall := a.Rhs[0].(*ast.CallExpr); isCall && len(c.Args) == 1 && s.code(c.Args[0]) == of {
			_, isSlice := c.Fun.(*ast.ArrayType)
			return isSlice
		}
	}
	return false
}

// beyondEnd says that a condition holds where the part of something that a function takes
// begins at its end, or after it: "start >= len(xs)" before xs[start:end].
func (s source) beyondEnd(fn *ast.FuncDecl, condition string) string {
	what, from := noLonger(condition)
	if what == "" {
		return ""
	}
	for n := range ast.Preorder(fn) {
		part, isPart := n.(*ast.SliceExpr)
		if isPart && part.Low != nil && s.code(part.X) == what && s.code(part.Low) == from {
			return "nothing of " + what + " is at " + from + " or after it"
		}
	}
	return ""
}

func (s source) parameterTypes(fn *ast.FuncDecl) map[string]string {
	types := map[string]string{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				types[n.Name] = s.code(f.Type)
			}
		}
	}
	return types
}

// empty reports whether an answer of a type has nothing in it: nil or an empty literal of
// a slice or map, "", or the empty value itself.
func (s source) empty(answer ast.Expr, typ, of string) bool {
	collection := strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[")
	switch e := answer.(type) {
	case *ast.Ident:
		return e.Name == of || e.Name == "nil" && collection
	case *ast.BasicLit:
		return typ == "string" && (e.Value == `""` || e.Value == "``")
	case *ast.CompositeLit:
		return collection && len(e.Elts) == 0
	}
	return false
}

// filledBy reports whether the collection that a function returns at its end is made
// empty, or of the length of a value, and is given elements only in loops over that value.
func (s source) filledBy(fn *ast.FuncDecl, of string) bool {
	last, ok := fn.Body.List[len(fn.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) == 0 {
		return false
	}
	name, isVar := last.Results[0].(*ast.Ident)
	if !isVar {
		return false
	}
	var loops []ast.Node
	for n := range ast.Preorder(fn) {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if s.code(n.X) == of {
				loops = append(loops, n)
			}
		case *ast.ForStmt:
			if n.Cond != nil && strings.Contains(s.code(n.Cond), "len("+of+")") {
				loops = append(loops, n)
			}
		}
	}
	outside := func(n ast.Node) bool {
		return !slices.ContainsFunc(loops, func(l ast.Node) bool { return l.Pos() <= n.Pos() && n.End() <= l.End() })
	}
	for n := range ast.Preorder(fn) {
		a, isAssign := n.(*ast.AssignStmt)
		if !isAssign || !outside(a) {
			continue
		}
		for i, l := range a.Lhs {
			if match.Mentions(s.code(l), map[string]bool{name.Name: true}) && (a.Tok != token.DEFINE || len(a.Lhs) != len(a.Rhs) || !s.madeEmpty(a.Rhs[i])) {
				return false
			}
		}
	}
	return len(loops) > 0
}

// madeEmpty recognizes make and an empty literal.
func (s source) madeEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return match.IsName(e.Fun, "make")
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}
