package weaken

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// reporting are the methods by which a test fails or is skipped.
var reporting = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Skip", "Skipf", "SkipNow"}

// ReportsLess reports whether an edit of code that tests are given may make them find
// less: what it says of them, under which conditions and in which order, must be as
// it was, and so must what these conditions depend on. others are the other files of
// the package, as they were.
func ReportsLess(before, after string, others []string) bool {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if was == nil || now == nil || values(was) != values(now) {
		return true
	}
	r := reporters{names: map[string]bool{}, deciding: map[string]bool{}}
	files := []*syntax.File{was, now}
	for _, text := range others {
		if s := syntax.Parse(text); s != nil {
			files = append(files, s)
		}
	}
	r.find(files)
	then := now.Functions()
	for name, fn := range was.Functions() {
		to := then[name]
		delete(then, name)
		switch {
		case to == nil:
			return true
		case fn.Body == nil || to.Body == nil || was.Code(fn) == now.Code(to):
		case r.deciding[fn.Name.Name] || r.changed(was, fn, now, to):
			return true
		}
	}
	for _, fn := range then { // new functions
		if r.deciding[fn.Name.Name] || r.names[fn.Name.Name] {
			return true
		}
	}
	return false
}

// values are the declarations of variables and constants.
func values(s *syntax.File) string {
	var text []string
	for _, d := range s.AST.Decls {
		if g, ok := d.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.CONST) {
			text = append(text, s.Code(g))
		}
	}
	return strings.Join(text, "\n")
}

// reporters are functions of a package by their names: those that report a failure,
// or call one that does, and those whose results decide whether.
type reporters struct{ names, deciding map[string]bool }

// find looks for them until there are no more.
func (r reporters) find(files []*syntax.File) {
	declared := map[string][]*ast.FuncDecl{}
	for _, s := range files {
		for _, fn := range s.Functions() {
			if fn.Body != nil {
				declared[fn.Name.Name] = append(declared[fn.Name.Name], fn)
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for name, list := range declared {
			for _, fn := range list {
				if !r.names[name] && r.reports(fn.Body) {
					r.names[name], grown = true, true
				}
				if !r.names[name] && !r.deciding[name] {
					continue
				}
				for used := range resultsOf(fn.Body) {
					if len(declared[used]) > 0 && !r.deciding[used] {
						r.deciding[used], grown = true, true
					}
				}
			}
		}
	}
}

// reports reports whether a node calls what says that a test fails.
func (r reporters) reports(n ast.Node) bool {
	for call := range syntax.All[*ast.CallExpr](n) {
		if r.isReport(call) {
			return true
		}
	}
	return false
}

func (r reporters) isReport(call *ast.CallExpr) bool {
	name := syntax.Called(call)
	_, method := call.Fun.(*ast.SelectorExpr)
	return r.names[name] || method && slices.Contains(reporting, name) && (name != "Error" || len(call.Args) > 0)
}

// resultsOf are the names of functions whose results a body uses.
func resultsOf(body ast.Node) map[string]bool {
	used, dropped := map[string]bool{}, map[*ast.CallExpr]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if call, ok := n.X.(*ast.CallExpr); ok {
				dropped[call] = true
			}
		case *ast.DeferStmt:
			dropped[n.Call] = true
		case *ast.GoStmt:
			dropped[n.Call] = true
		case *ast.CallExpr:
			if !dropped[n] {
				used[syntax.Called(n)] = true
			}
		}
		return true
	})
	return used
}

// changed reports whether the edit of a function changes what it reports: the
// statements that report, are given the test or leave, their order, the conditions
// around them, or what these look at.
func (r reporters) changed(was *syntax.File, fn *ast.FuncDecl, now *syntax.File, to *ast.FuncDecl) bool {
	a, b := r.flow(was, fn), r.flow(now, to)
	if !slices.Equal(a.fixed, b.fixed) {
		return true
	}
	if len(a.fixed) == 0 {
		return false
	}
	for i := range a.between {
		for _, gap := range [][2]map[string]ast.Stmt{{a.between[i], b.between[i]}, {b.between[i], a.between[i]}} {
			for text, stmt := range gap[0] {
				if gap[1][text] == nil && slices.ContainsFunc(mayChange(stmt), func(name string) bool { return a.watched[name] }) {
					return true
				}
			}
		}
	}
	return false
}

// flow is a function's statements in their order: those that may not change, and
// before, between and after them the others, by their texts.
type flow struct {
	s       *syntax.File
	fixed   []string
	between []map[string]ast.Stmt
	tests   map[string]bool // names of tests
	watched map[string]bool // names that decide whether something is reported
}

func (r reporters) flow(s *syntax.File, fn *ast.FuncDecl) *flow {
	f := &flow{s: s, between: []map[string]ast.Stmt{{}}, tests: map[string]bool{}, watched: map[string]bool{}}
	for field := range syntax.All[*ast.Field](fn) {
		for _, name := range field.Names {
			if strings.Contains(s.Code(field.Type), "testing.") {
				f.tests[name.Name] = true
			}
		}
	}
	f.walk(r, fn.Body.List, "", nil)
	for grown := true; grown; { // what decides may come from elsewhere in the function
		grown = false
		for a := range syntax.All[*ast.AssignStmt](fn.Body) {
			if slices.ContainsFunc(mayChange(a), func(name string) bool { return f.watched[name] }) {
				for _, e := range a.Rhs {
					grown = f.watch(e) || grown
				}
			}
		}
	}
	return f
}

// walk notes statements that stand in others, under conditions.
func (f *flow) walk(r reporters, list []ast.Stmt, within string, under []ast.Expr) {
	for _, stmt := range list {
		p := partsOf(f.s, stmt)
		text := within + " / " + p.text
		reports := slices.ContainsFunc(p.calls, r.isReport)
		_, returns := stmt.(*ast.ReturnStmt)
		_, jumps := stmt.(*ast.BranchStmt)
		switch {
		case reports || returns || jumps || slices.ContainsFunc(p.calls, f.takesTest):
			f.fixed, f.between = append(f.fixed, text), append(f.between, map[string]ast.Stmt{})
		default:
			f.between[len(f.between)-1][text] = stmt
		}
		if reports || returns || jumps {
			for _, n := range under {
				f.watch(n)
			}
		}
		for _, call := range p.calls {
			for _, arg := range call.Args {
				if reports && r.names[syntax.Called(call)] {
					f.watch(arg)
				}
			}
		}
		for _, inner := range p.nested {
			f.walk(r, inner, text, append(slices.Clip(under), p.conditions...))
		}
	}
}

// watch notes the names in a node; it reports whether there are new ones.
func (f *flow) watch(n ast.Node) (grown bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !f.watched[id.Name] && !f.tests[id.Name] {
			f.watched[id.Name], grown = true, true
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
	return grown
}

// takesTest reports whether a call is given a test, or is one of its methods.
func (f *flow) takesTest(call *ast.CallExpr) bool {
	on, _ := call.Fun.(*ast.SelectorExpr)
	return on != nil && f.tests[syntax.LastName(on.X)] || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return f.tests[syntax.LastName(e)] })
}

// parts is a statement without the blocks in it.
type parts struct {
	text       string
	calls      []*ast.CallExpr
	conditions []ast.Expr // of the blocks; none of a function literal's
	nested     [][]ast.Stmt
}

func partsOf(s *syntax.File, stmt ast.Stmt) parts {
	var p parts
	from, literal := s.Offset(stmt.Pos()), false
	cut := func(n *ast.BlockStmt) {
		p.text += s.Text[from:s.Offset(n.Pos())] + "{}"
		p.nested, from = append(p.nested, n.List), s.Offset(n.End())
	}
	switch c := stmt.(type) {
	case *ast.CaseClause:
		return parts{text: s.Between(c.Case, c.Colon), nested: [][]ast.Stmt{c.Body}, conditions: c.List}
	case *ast.CommClause:
		return parts{text: "case", nested: [][]ast.Stmt{c.Body}}
	}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			literal = true
		case *ast.CallExpr:
			p.calls = append(p.calls, n)
		case *ast.BlockStmt:
			cut(n)
			return false
		case ast.Expr:
			if len(p.nested) == 0 && !literal {
				p.conditions = append(p.conditions, n)
			}
		}
		return true
	})
	if literal {
		p.conditions = nil
	}
	p.text = syntax.Fold(p.text + s.Text[from:s.Offset(stmt.End())])
	return p
}

// mayChange are the names of what a statement may change: what it assigns to, calls
// methods of, or passes on.
func mayChange(stmt ast.Stmt) []string {
	var found []string
	root := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				found = append(found, id.Name)
				return false
			}
			return true
		})
	}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				root(l)
			}
		case *ast.IncDecStmt:
			root(n.X)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					root(e)
				}
			}
		case *ast.CallExpr:
			if on, ok := n.Fun.(*ast.SelectorExpr); ok {
				root(on.X)
			}
			for _, e := range n.Args {
				root(e)
			}
		}
		return true
	})
	return found
}
