// Package past runs a program again up to an earlier moment. It has the user's statements
// counted (package record does so in the program), reads which ran in a run that was
// recorded, and finds the moment that a motion backward leads to: a number of statements
// that have begun.
//
// It writes source and reads what a run has written; building and running is for the caller.
package past

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Kind says what a step is.
type Kind int

// The kinds of steps.
const (
	Statement Kind = iota
	Enter          // a function begins
	Return         // a return statement begins
	End            // the end of a function without results is reached
)

// Site is a place where a step begins.
type Site struct {
	Kind     Kind
	File     string // absolute
	Line     int
	Function int // its number; a literal is a function of its own
	Scope    history.Scope
	Name     string   // of the function that begins; empty for a literal
	Calls    []string // the names of what the statement calls
	Leaves   bool     // the step ends its function, and calls nothing
}

// Plan is what is built into a program to count its steps.
type Plan struct {
	Sites []Site

	functions int
}

// Mark has the text of a file count its steps. record is the import path of package record
// there. Lines keep their numbers. A file with cgo is left as it is.
func (p *Plan) Mark(name, text, record string) string {
	s := instrument.Parse(text)
	if s == nil || s.Cgo() {
		return text
	}
	m := marker{plan: p, Source: s, name: name}
	for _, d := range s.AST.Decls {
		fn, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
			m.literals(d)
		case fn.Body != nil && !unfit(fn):
			m.function(fn.Name.Name, fn.Type, fn.Body)
		}
	}
	if !s.IsMarked() {
		return text
	}
	if !strings.Contains(text, imported) {
		s.Put(s.Offset(s.AST.Name.End()), imported+strconv.Quote(record))
	}
	return s.Marked()
}

const imported = "; import pausetuiHistory "

// unfit tells functions that must call nothing.
func unfit(fn *ast.FuncDecl) bool {
	if fn.Doc == nil {
		return false
	}
	for _, c := range fn.Doc.List {
		if strings.HasPrefix(c.Text, "//go:nosplit") || strings.HasPrefix(c.Text, "//go:norace") {
			return true
		}
	}
	return false
}

// marker marks a file.
type marker struct {
	plan *Plan
	*instrument.Source
	name   string
	scope  history.Scope
	defers bool // the function that is marked defers something
}

// literals marks the functions below a node that are literals.
func (m marker) literals(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool { return m.literal(n) })
}

// literal marks a node that is one. It is false where nothing below is to be looked at.
func (m marker) literal(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		if made(n) {
			m.literals(n.Body)
		} else {
			m.scope.Depth++
			m.function("", n.Type, n.Body)
		}
		return false
	case *ast.CallExpr:
		return !recorded(n)
	}
	return true
}

// made tells literals that package history has put around an expression or a statement: they
// begin with a name of its own.
func made(fn *ast.FuncLit) bool {
	if len(fn.Body.List) == 0 {
		return false
	}
	switch first := fn.Body.List[0].(type) {
	case *ast.AssignStmt:
		return len(first.Lhs) == 1 && isName(first.Lhs[0], history.MadeName)
	case *ast.DeclStmt:
		d, ok := first.Decl.(*ast.GenDecl)
		if !ok || len(d.Specs) != 1 {
			return false
		}
		spec, ok := d.Specs[0].(*ast.ValueSpec)
		return ok && len(spec.Names) == 1 && spec.Names[0].Name == history.PostName
	}
	return false
}

func (m marker) function(name string, t *ast.FuncType, body *ast.BlockStmt) {
	m.plan.functions++
	number := m.plan.functions
	m.scope.Line = m.Line(t.Pos())
	m.Put(m.Offset(body.Lbrace)+1, " "+m.step(Enter, body.Lbrace, number, m.parameters(t)...))
	m.plan.Sites[len(m.plan.Sites)-1].Name = name
	m.defers = defers(body)
	ranged := map[*ast.BlockStmt][]string{}
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Tok == token.DEFINE {
			ranged[r.Body] = named(r.Key, r.Value)
		}
		block, _ := n.(*ast.BlockStmt)
		m.list(n, number, ranged[block])
		return m.literal(n)
	})
	if t.Results == nil || len(t.Results.List) == 0 {
		m.Put(m.Offset(body.Rbrace), "; "+m.step(End, body.Rbrace, number))
		m.leaves()
	}
}

// parameters are the names of a function's parameters.
func (marker) parameters(t *ast.FuncType) (names []string) {
	for _, f := range t.Params.List {
		for _, id := range f.Names {
			names = append(names, named(id)...)
		}
	}
	return names
}

// named are the names of variables.
func named(list ...ast.Expr) (names []string) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			names = append(names, id.Name)
		}
	}
	return names
}

// sets are the variables that a statement gives values.
func sets(stmt ast.Stmt) (names []string) {
	switch stmt := stmt.(type) {
	case *ast.AssignStmt:
		return named(stmt.Lhs...)
	case *ast.IncDecStmt:
		return named(stmt.X)
	case *ast.DeclStmt:
		d, ok := stmt.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return nil
		}
		for _, s := range d.Specs {
			if v, ok := s.(*ast.ValueSpec); ok {
				for _, id := range v.Names {
					names = append(names, named(id)...)
				}
			}
		}
	}
	return names
}

// list marks the statements that a node lists; seen are variables that were set before the
// first.
func (m marker) list(n ast.Node, function int, seen []string) {
	stmts := syntax.ClauseBody(asStmt(n))
	if block, ok := n.(*ast.BlockStmt); ok {
		stmts = block.List
	}
	for _, stmt := range stmts {
		switch stmt := stmt.(type) {
		case *ast.BlockStmt, *ast.EmptyStmt, *ast.CaseClause, *ast.CommClause:
		case *ast.DeclStmt:
			if d, ok := stmt.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				m.Put(m.Offset(stmt.Pos()), m.step(Statement, stmt.Pos(), function, seen...))
			}
		case *ast.ReturnStmt:
			m.Put(m.Offset(stmt.Pos()), m.step(Return, stmt.Pos(), function, seen...))
			m.calls(stmt)
			m.leaves()
		default:
			if !ours(stmt) {
				m.Put(m.Offset(stmt.Pos()), m.step(Statement, stmt.Pos(), function, seen...))
				m.calls(stmt)
			}
		}
		seen = sets(stmt)
	}
}

// leaves notes whether the last step, which ends its function, calls nothing before: in the
// results that it returns, or deferred.
func (m marker) leaves() {
	last := &m.plan.Sites[len(m.plan.Sites)-1]
	last.Leaves = !m.defers && len(last.Calls) == 0
}

// calls notes what the statement of the last step calls, but for what other steps in it do.
func (m marker) calls(stmt ast.Stmt) {
	var names []string
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.FuncLit:
			return made(n)
		case *ast.CallExpr:
			name := syntax.LastName(n.Fun)
			if !recorded(n) && name != "len" && name != "cap" && name != "append" {
				names = append(names, name)
			}
		}
		return true
	})
	m.plan.Sites[len(m.plan.Sites)-1].Calls = names
}

func defers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok && !recorded(d.Call) {
			found = true
		}
		_, literal := n.(*ast.FuncLit)
		return !found && !literal
	})
	return found
}

func asStmt(n ast.Node) ast.Stmt {
	s, _ := n.(ast.Stmt)
	return s
}

// ours tells statements that package history has put there.
func ours(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ExprStmt:
		call, ok := stmt.X.(*ast.CallExpr)
		return ok && recorded(call)
	case *ast.DeferStmt:
		return recorded(stmt.Call)
	}
	return false
}

// recorded tells calls of package record.
func recorded(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && isName(sel.X, "pausetuiHistory")
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// step is code that counts a step at a place, which gets a number. seen are variables that
// were set before it.
func (m marker) step(kind Kind, pos token.Pos, function int, seen ...string) string {
	var values strings.Builder
	for _, name := range seen {
		fmt.Fprintf(&values, ", pausetuiHistory.Saw(&%s)", name)
	}
	m.plan.Sites = append(m.plan.Sites, Site{Kind: kind, File: m.name, Line: m.Line(pos), Function: function, Scope: m.scope})
	return fmt.Sprintf("if *pausetuiHistory.At == 0 || *pausetuiHistory.Begun < *pausetuiHistory.At { pausetuiHistory.Reach(%d%s) }; *pausetuiHistory.Begun++; ", len(m.plan.Sites)-1, values.String())
}
