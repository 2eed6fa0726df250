package weaken

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Compared is what a failing test compares by: functions and methods that are given what
// the tested code answers and say whether it is right, the methods that a library asks
// about it, and the variables and constants that these use. All by their names.
type Compared struct{ Functions, methods, values map[string]bool }

// asked are the methods that packages call by interfaces.
var asked = map[string][]string{
	"errors": {"Is", "As", "Unwrap"}, "fmt": {"String", "GoString", "Format", "Error"},
	"encoding/json": {"MarshalJSON", "MarshalText", "IsZero"}, "encoding/xml": {"MarshalXML", "MarshalXMLAttr", "MarshalText"}, "encoding/gob": {"GobEncode", "MarshalBinary"},
}

// askedByOthers are those that libraries for tests call.
var askedByOthers = []string{"Equal", "Compare", "Cmp", "Is", "As", "Unwrap", "String", "GoString", "Format", "Error", "MarshalJSON", "MarshalText", "MarshalYAML", "IsZero"}

// judges looks for them in a function of a test, and in what that calls.
type judges struct {
	Compared
	test     string
	own      func(path string) bool
	declared map[string][]function
	calls    map[string]map[*ast.CallExpr]bool // of the functions of libraries
}

type function struct {
	s  *syntax.File
	fn *ast.FuncDecl
}

// ComparedBy is what the check at a line of a test file compares by. others are the texts
// of the other files of the test's and the changed packages, and own tells whether an import
// path is of the person's modules. What the test is named after is what it tests.
func ComparedBy(test, text string, line int, others []string, own func(path string) bool) Compared {
	j := judges{Compared{map[string]bool{}, map[string]bool{}, map[string]bool{}}, test, own, map[string][]function{}, map[string]map[*ast.CallExpr]bool{}}
	for _, t := range append([]string{text}, others...) {
		if s := syntax.Parse(t); s != nil {
			for _, fn := range s.Declared() {
				j.declared[fn.Name.Name] = append(j.declared[fn.Name.Name], function{s, fn})
			}
		}
	}
	s := syntax.Parse(text)
	if s == nil || s.At(line) == nil {
		return j.Compared
	}
	j.passedOn(s)
	b := j.body(s, s.At(line))
	if strings.HasPrefix(b.fn.Name.Name, "Test") {
		b.params = nil
	}
	for n := range ast.Preorder(b.fn) {
		if stmt, ok := n.(ast.Stmt); ok && (s.Spans(stmt, line) || s.Line(stmt.End()) < line && leaves(stmt)) {
			j.statement(b, stmt)
		}
	}
	return j.Compared
}

// leaves reports whether a statement ends the check under a condition.
func leaves(stmt ast.Stmt) bool {
	branch, ok := stmt.(*ast.IfStmt)
	if !ok || len(branch.Body.List) == 0 {
		return false
	}
	switch branch.Body.List[len(branch.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// statement looks at the conditions of a statement.
func (j judges) statement(b *body, stmt ast.Stmt) {
	var list []ast.Expr
	switch stmt := stmt.(type) {
	case *ast.IfStmt:
		list = []ast.Expr{stmt.Cond}
	case *ast.ForStmt:
		list = []ast.Expr{stmt.Cond}
	case *ast.SwitchStmt:
		list = []ast.Expr{stmt.Tag}
	case *ast.CaseClause:
		list = stmt.List
	}
	for _, e := range list {
		if e != nil {
			j.decides(b, e, map[ast.Expr]bool{})
			j.libraries(b, e, map[ast.Expr]bool{})
		}
	}
}

// decides looks for functions by whose answers an expression is true or false.
func (j judges) decides(b *body, e ast.Expr, seen map[ast.Expr]bool) {
	if e = ast.Unparen(e); seen[e] {
		return
	}
	seen[e] = true
	switch e := e.(type) {
	case *ast.UnaryExpr:
		j.decides(b, e.X, seen)
	case *ast.BinaryExpr:
		whole := e.Op == token.LAND || e.Op == token.LOR
		if whole || isZero(e.Y) {
			j.decides(b, e.X, seen)
		}
		if whole || isZero(e.X) {
			j.decides(b, e.Y, seen)
		}
	case *ast.Ident:
		for _, value := range b.values[e.Name] {
			j.decides(b, value, seen)
		}
	case *ast.CallExpr:
		if fn, ok := e.Fun.(*ast.Ident); ok && fn.Name == "len" && len(e.Args) == 1 {
			j.decides(b, e.Args[0], seen)
			return
		}
		j.call(b, e)
	}
}

// isZero reports whether an expression is what a comparison answers that finds nothing, or
// agrees.
func isZero(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Value == "0" || e.Value == `""` || e.Value == "``"
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false"
	}
	return false
}

// call takes a function for one that judges if it is given what another one answers.
func (j judges) call(b *body, call *ast.CallExpr) {
	name := syntax.Called(call)
	if name == "" || b.library(call) != "" || strings.Contains(j.test, strings.ToUpper(name[:1])+name[1:]) || j.Functions[name] {
		return
	}
	argument, given := b.givenTo(call, name)
	list := j.declared[name]
	judging := len(list) == 0 && given
	for _, f := range list {
		result := resultOf(f.fn)
		judging = judging || given && result != "" && comparesTwo(f.fn) || argument && result == "bool" && f.fn.Recv == nil
	}
	if judging {
		j.judge(name)
	}
}

// passedOn notes functions that the test's file uses as values and that compare two values of
// one type: the test decides by them, though it does not call them.
func (j judges) passedOn(s *syntax.File) {
	skip, local := map[*ast.Ident]bool{}, map[string]bool{}
	for n := range ast.Preorder(s.AST) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			skip[n.Sel] = true
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok {
				skip[id] = true
			}
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
					local[id.Name] = true
				}
			}
		case *ast.Field:
			for _, id := range n.Names {
				local[id.Name] = true
			}
		case *ast.Ident:
			if skip[n] || local[n.Name] || strings.Contains(j.test, strings.ToUpper(n.Name[:1])+n.Name[1:]) {
				continue
			}
			if slices.ContainsFunc(j.declared[n.Name], func(f function) bool {
				return f.fn.Recv == nil && f.fn.Name != n && resultOf(f.fn) == "bool" && comparesTwo(f.fn)
			}) {
				j.judge(n.Name)
			}
		}
	}
}

// judge notes a function by whose result the test decides, and what it uses.
func (j judges) judge(name string) {
	if j.Functions[name] {
		return
	}
	j.Functions[name] = true
	for _, f := range j.declared[name] {
		inner := j.body(f.s, f.fn)
		for n := range ast.Preorder(f.fn.Body) {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				for _, e := range n.Results {
					j.decides(inner, e, map[ast.Expr]bool{})
					j.libraries(inner, e, map[ast.Expr]bool{})
				}
			case *ast.Ident:
				j.values[n.Name] = true
			case ast.Stmt:
				j.statement(inner, n)
			}
		}
	}
}

// givenTo reports whether an argument of a call is what another function answers, and whether
// that, or a parameter, is among its arguments or what it is called on.
func (b *body) givenTo(call *ast.CallExpr, name string) (argument, given bool) {
	for _, arg := range call.Args {
		argument = argument || b.derived(arg, name)
		given = given || b.isParameter(arg)
	}
	given = given || argument
	if on, ok := call.Fun.(*ast.SelectorExpr); ok {
		given = given || b.derived(on.X, name) || b.isParameter(on.X)
	}
	return argument, given
}

// resultOf is the type of a function's only result; empty where it has none or several.
func resultOf(fn *ast.FuncDecl) string {
	if fn.Type.Results.NumFields() != 1 {
		return ""
	}
	return types.ExprString(fn.Type.Results.List[0].Type)
}

// comparesTwo reports whether a function is given two values of one type.
func comparesTwo(fn *ast.FuncDecl) bool {
	had := map[string]bool{}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			of := strings.TrimPrefix(types.ExprString(field.Type), "*")
			if had[of] || len(field.Names) > 1 {
				return true
			}
			had[of] = true
		}
	}
	return false
}

// libraries notes the methods that functions of libraries call on what an expression
// comes from, where they are asked about both sides of a comparison.
func (j judges) libraries(b *body, e ast.Expr, seen map[ast.Expr]bool) {
	if seen[e] {
		return
	}
	seen[e] = true
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.Ident:
			for _, value := range b.values[n.Name] {
				j.libraries(b, value, seen)
			}
		case *ast.CallExpr:
			from := b.library(n)
			if from == "" {
				continue
			}
			names, listed := asked[from]
			if host, _, _ := strings.Cut(from, "/"); !listed && strings.Contains(host, ".") {
				names = askedByOthers
			}
			if j.calls[from] == nil {
				j.calls[from] = map[*ast.CallExpr]bool{}
			}
			if j.calls[from][n] = true; len(j.calls[from]) < 2 && (len(n.Args) < 2 || from == "fmt") {
				continue
			}
			for _, name := range names {
				if !strings.Contains(j.test, name) {
					j.methods[name] = true
				}
			}
		}
	}
}

// body is a function with what its variables are given.
type body struct {
	s      *syntax.File
	fn     *ast.FuncDecl
	own    func(path string) bool
	params map[string]bool
	values map[string][]ast.Expr
}

func (j judges) body(s *syntax.File, fn *ast.FuncDecl) *body {
	b := &body{s, fn, j.own, map[string]bool{}, map[string][]ast.Expr{}}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params} {
		if list != nil {
			for _, field := range list.List {
				for _, id := range field.Names {
					b.params[id.Name] = true
				}
			}
		}
	}
	give := func(to ast.Expr, i int, values []ast.Expr) {
		if id, ok := to.(*ast.Ident); ok && id.Name != "_" && len(values) > 0 {
			b.values[id.Name] = append(b.values[id.Name], values[min(i, len(values)-1)])
		}
	}
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				give(to, i, n.Rhs)
			}
		case *ast.ValueSpec:
			for i, to := range n.Names {
				give(to, i, n.Values)
			}
		case *ast.RangeStmt:
			give(n.Key, 0, []ast.Expr{n.X})
			give(n.Value, 0, []ast.Expr{n.X})
		}
	}
	return b
}

// library is the package of a function of another's, such as the standard library; empty
// for what may be the person's own.
func (b *body) library(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok && !b.own(b.s.Imports()[id.Name]) {
			return b.s.Imports()[id.Name]
		}
	}
	return ""
}

// isParameter reports whether an expression is made from what the function is given.
func (b *body) isParameter(e ast.Expr) bool {
	for id := range syntax.All[*ast.Ident](e) {
		if b.params[id.Name] {
			return true
		}
	}
	return false
}

// derived reports whether an expression comes from what another function answers that
// makes nothing.
func (b *body) derived(e ast.Expr, other string) bool {
	return b.from(e, other, map[string]bool{})
}

func (b *body) from(e ast.Expr, other string, seen map[string]bool) bool {
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := syntax.Called(n)
			if name != "" && name != other && types.Universe.Lookup(name) == nil && !strings.HasPrefix(strings.ToLower(name), "new") && b.library(n) == "" {
				return true
			}
		case *ast.Ident:
			if !seen[n.Name] {
				seen[n.Name] = true
				if slices.ContainsFunc(b.values[n.Name], func(value ast.Expr) bool { return b.from(value, other, seen) }) {
					return true
				}
			}
		}
	}
	return false
}
