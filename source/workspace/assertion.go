package workspace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// Assertion is what the line of a test that fails hangs on, as far as syntax
// tells.
type Assertion struct {
	// Loops names the variables of the loops around the line, the outermost
	// first: of a table test its element, and the index or key if it is named.
	Loops []string
	// Compared holds expressions that call nothing: the operands of the condition
	// that leads to the line, or what the line hands to an assertion.
	Compared []string
}

// AssertionAt looks at a line of a source file. A file that does not parse has
// nothing to tell. If a helper that the line calls has compared, conditions around the line
// do not count.
func AssertionAt(source []byte, line int, helper bool) Assertion {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if file == nil || err != nil {
		return Assertion{}
	}
	s := &assertionSeeker{fset: fset, source: source, line: line}
	ast.Inspect(file, s.visit)
	if helper && s.call != nil {
		s.cond = nil
	}
	return s.result()
}

// assertionSeeker goes down to a line.
type assertionSeeker struct {
	fset   *token.FileSet
	source []byte
	line   int
	loops  []string
	cond   *ast.IfStmt   // the innermost whose body holds the line
	call   *ast.CallExpr // the outermost statement's call on the line
}

func (s *assertionSeeker) holds(n ast.Node) bool {
	return n != nil && s.fset.Position(n.Pos()).Line <= s.line && s.line <= s.fset.Position(n.End()).Line
}

func (s *assertionSeeker) visit(n ast.Node) bool {
	if n == nil || !s.holds(n) {
		return false
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		if s.holds(n.Body) {
			s.loop(n.Key, n.Value)
		}
	case *ast.ForStmt:
		if init, ok := n.Init.(*ast.AssignStmt); ok && s.holds(n.Body) {
			s.loop(init.Lhs...)
		}
	case *ast.IfStmt:
		if s.holds(n.Body) || s.holds(n.Else) {
			s.cond = n
		}
	case *ast.FuncLit:
		s.cond = nil // a condition around a subtest is not that of its assertion
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && s.fset.Position(n.Pos()).Line == s.line {
			s.call = call
		}
	}
	return true
}

func (s *assertionSeeker) loop(names ...ast.Expr) {
	for _, name := range names {
		if id, ok := name.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(s.loops, id.Name) {
			s.loops = append(s.loops, id.Name)
		}
	}
}

func (s *assertionSeeker) result() Assertion {
	a := Assertion{Loops: s.loops}
	var operands []ast.Expr
	switch {
	case s.cond != nil:
		operands = conditionOperands(s.cond.Cond)
		if init, ok := s.cond.Init.(*ast.AssignStmt); ok && len(init.Rhs) == 1 {
			if call, ok := init.Rhs[0].(*ast.CallExpr); ok { // if diff := cmp.Diff(want, got); diff != ""
				operands = append(operands, call.Args...)
			}
		}
	case s.call != nil && len(s.call.Args) > 1:
		operands = s.call.Args[1:] // after the test itself: assert.Equal(t, want, got)
	}
	for _, x := range operands {
		if text := s.text(x); readable(x) && !slices.Contains(a.Compared, text) {
			a.Compared = append(a.Compared, text)
		}
	}
	return a
}

func (s *assertionSeeker) text(n ast.Node) string {
	return string(s.source[s.fset.Position(n.Pos()).Offset:s.fset.Position(n.End()).Offset])
}

// conditionOperands takes a condition apart.
func conditionOperands(x ast.Expr) []ast.Expr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return conditionOperands(x.X)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return conditionOperands(x.X)
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return append(conditionOperands(x.X), conditionOperands(x.Y)...)
		}
	case *ast.CallExpr: // reflect.DeepEqual(got, want), errors.Is(err, want)
		if !readable(x) {
			return x.Args
		}
	}
	return []ast.Expr{x}
}

// readable reports whether an expression can be read without running anything, and
// tells something: literals, nil and types do not.
func readable(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name != "nil" && x.Name != "true" && x.Name != "false" && x.Name != "_"
	case *ast.SelectorExpr:
		return readable(x.X)
	case *ast.StarExpr:
		return readable(x.X)
	case *ast.ParenExpr:
		return readable(x.X)
	case *ast.IndexExpr:
		return readable(x.X) && (readable(x.Index) || literal(x.Index))
	case *ast.CallExpr:
		f, ok := x.Fun.(*ast.Ident)
		return ok && (f.Name == "len" || f.Name == "cap") && len(x.Args) == 1 && readable(x.Args[0])
	}
	return false
}

func literal(x ast.Expr) bool { _, ok := x.(*ast.BasicLit); return ok }
