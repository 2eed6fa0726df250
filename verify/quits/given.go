package quits

import (
	"cmp"
	"go/ast"
	"go/token"
	"iter"
	"path"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// given are variables of os that say what the program is given, and where what
// it prints goes.
var given = map[string]bool{"Args": true, "Stdin": true, "Stdout": true, "Stderr": true}

// arguments is the one that others can be written through: the elements of a list stay
// the same wherever it is passed on to.
const arguments = "os.Args"

// readers are the packages whose functions do not write to a list that they get, or
// those of their functions.
var readers = map[string][]string{"bytes": nil, "errors": nil, "fmt": nil, "log": nil, "log/slog": nil, "os/exec": nil, "strings": nil,
	"slices": {"All", "Clone", "Compare", "Concat", "Contains", "ContainsFunc", "Equal", "Index", "IndexFunc", "Max", "Min", "Values"}}

// Aliases are what else a program calls the variables of os that it is given.
type Aliases struct {
	// names are a variable "main args" of the function main, "args" of the package, a
	// field ".args".
	names map[string]string
	local map[string][]*ast.FuncDecl // the functions whose parameters are followed
}

// scope is where names mean something: a function of a file, or none.
type scope struct {
	Aliases
	file    *syntax.File
	imports map[string]string
	fn      string
}

// AliasesIn follows the variables through assignments, and into the functions of the
// files of an edit. What the edit leaves alone only adds names.
func AliasesIn(edited []*syntax.File, packages []Exiting) Aliases {
	a, files := Aliases{map[string]string{}, map[string][]*ast.FuncDecl{}}, slices.Clone(edited)
	for _, f := range edited {
		for _, fn := range f.Declared() {
			a.local[fn.Name.Name] = append(a.local[fn.Name.Name], fn)
		}
	}
	for _, p := range packages {
		if p.Own {
			files = append(files, p.files...)
		}
	}
	for known := -1; known < len(a.names); {
		known = len(a.names)
		for _, f := range files {
			for s, d := range a.scopes(f) {
				s.follow(d)
			}
		}
	}
	return a
}

// scopes are the declarations of a file, each with its scope.
func (a Aliases) scopes(f *syntax.File) iter.Seq2[scope, ast.Decl] {
	return func(yield func(scope, ast.Decl) bool) {
		s := scope{a, f, f.Imports(), ""}
		for _, d := range f.AST.Decls {
			s.fn = ""
			if fn, ok := d.(*ast.FuncDecl); ok {
				s.fn = fn.Name.Name
			}
			if !yield(s, d) {
				return
			}
		}
	}
}

// follow adds the names that a declaration gives to them.
func (s scope) follow(d ast.Node) {
	for n := range ast.Preorder(d) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && s.itself(l) == "" {
					s.alias(l, s.of(n.Rhs[i]))
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Names) == len(n.Values) {
					s.alias(name, s.of(n.Values[i]))
				}
			}
		case *ast.CompositeLit:
			for _, field := range fields(n) {
				s.name("."+field.Key.(*ast.Ident).Name, s.of(field.Value))
			}
		case *ast.CallExpr:
			for _, fn := range s.called(n) {
				for i, arg := range n.Args {
					if p := parameter(fn, i); p != "" {
						s.name(fn.Name.Name+" "+p, s.of(arg))
					}
				}
			}
		}
	}
}

// fields are what a literal of a struct sets by name.
func fields(lit *ast.CompositeLit) (list []*ast.KeyValueExpr) {
	switch lit.Type.(type) {
	case *ast.MapType, *ast.ArrayType:
		return nil
	}
	for _, e := range lit.Elts {
		if field, ok := e.(*ast.KeyValueExpr); ok {
			if _, ok := field.Key.(*ast.Ident); ok {
				list = append(list, field)
			}
		}
	}
	return list
}

// called are the functions that a call may be of, among those whose parameters are
// followed.
func (s scope) called(call *ast.CallExpr) []*ast.FuncDecl {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if from, ok := sel.X.(*ast.Ident); ok && s.imports[from.Name] != "" {
			return nil
		}
	}
	return s.local[syntax.Called(call)]
}

// parameter is the name of a function's parameter for an argument; empty without one.
func parameter(fn *ast.FuncDecl, argument int) string {
	var names []string
	for _, field := range fn.Type.Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return names[min(argument, len(names)-1)]
}

func (s scope) alias(e ast.Expr, of string) {
	switch e := e.(type) {
	case *ast.Ident:
		if s.fn == "" {
			s.name(e.Name, of)
		} else {
			s.name(s.fn+" "+e.Name, of)
		}
	case *ast.SelectorExpr:
		s.name("."+e.Sel.Name, of)
	}
}

func (s scope) name(name, of string) {
	if of != "" {
		s.names[name] = cmp.Or(s.names[name], of)
	}
}

// itself names the variable that an expression is: "os.Args", however the file writes it.
func (s scope) itself(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if from, ok := e.X.(*ast.Ident); ok && s.imports[from.Name] == "os" && given[e.Sel.Name] {
			return "os." + e.Sel.Name
		}
	case *ast.Ident:
		if s.imports[".os"] != "" && given[e.Name] {
			return "os." + e.Name
		}
	}
	return ""
}

// of names the variable that an expression is, or leads to what it holds.
func (s scope) of(e ast.Expr) string {
	if name := s.itself(e); name != "" {
		return name
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return s.of(e.X)
	case *ast.TypeAssertExpr:
		return s.of(e.X)
	case *ast.CallExpr:
		if s.leftByFlags(e) {
			return arguments
		}
	case *ast.SelectorExpr:
		return s.names["."+e.Sel.Name]
	case *ast.Ident:
		return cmp.Or(s.names[s.fn+" "+e.Name], s.names[e.Name])
	}
	return ""
}

// leftByFlags reports whether a call gives the arguments that are no flags: flag.Args() is
// a part of os.Args, and so is what a set of flags that has parsed them gives.
func (s scope) leftByFlags(call *ast.CallExpr) bool {
	if len(call.Args) > 0 || syntax.Called(call) != "Args" {
		return false
	}
	if from, ok := call.Fun.(*ast.Ident); ok {
		return s.imports[".flag"] != "" && from.Name == "Args"
	}
	return s.parsesFlags()
}

// parsesFlags reports whether the file imports a package of flags.
func (s scope) parsesFlags() bool {
	for _, from := range s.imports {
		if last := path.Base(from); last == "flag" || last == "pflag" {
			return true
		}
	}
	return false
}

// madeUp reports whether a call has flags parsed that are neither the program's arguments
// nor in a variable.
func (s scope) madeUp(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 || sel.Sel.Name != "Parse" || !s.parsesFlags() || s.of(call.Args[0]) == arguments {
		return false
	}
	if from, ok := sel.X.(*ast.Ident); ok && s.imports[from.Name] != "" {
		return false
	}
	switch ast.Unparen(call.Args[0]).(type) {
	case *ast.CompositeLit, *ast.CallExpr:
		return true
	}
	return false
}

// set names the variable that an assignment to an expression changes, or what it holds.
func (s scope) set(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return s.of(e.X)
	case *ast.StarExpr:
		return s.of(e.X)
	}
	return s.itself(e)
}

// changes lists where a declaration sets what the program is given, or hands it to what
// may: whatever is not known to read alone.
func (s scope) changes(d ast.Node) (found []Place) {
	note := func(n ast.Node, name string) {
		if name != "" {
			found = append(found, Place{Name: name, Line: s.file.Line(n.Pos())})
		}
	}
	reads := map[ast.Node]bool{nil: true} // the expressions that are only read, or name an alias
	for n := range ast.Preorder(d) {
		s.mark(n, reads)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				note(l, s.set(l))
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				note(n, cmp.Or(s.set(n.Key), s.set(n.Value)))
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				note(n, cmp.Or(s.set(n.X), s.of(n.X)))
				reads[ast.Unparen(n.X)] = true
			}
		case *ast.CallExpr:
			note(n, s.moves(n))
			if s.madeUp(n) {
				note(n, "flags, made up")
			}
			for _, arg := range n.Args {
				if !reads[arg] && s.of(arg) == arguments {
					note(n, arguments+", passed to "+cmp.Or(syntax.Called(n), "a function"))
					reads[arg] = true
				}
			}
		}
		if e, ok := n.(ast.Expr); ok && s.of(e) == arguments {
			if !reads[e] {
				note(e, arguments+", as a value")
			}
			reads[inner(e)] = true
		}
	}
	return found
}

// inner is the expression that stands for the same list as the one around it.
func inner(e ast.Expr) ast.Node {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.TypeAssertExpr:
		return e.X
	}
	return nil
}

// mark notes which expressions a node only reads, and which are names of their own:
// those that aliases are made of.
func (s scope) mark(n ast.Node, reads map[ast.Node]bool) {
	all := func(list []ast.Expr) {
		for _, e := range list {
			reads[e] = true
		}
	}
	names := func(list []*ast.Ident) {
		for _, e := range list {
			reads[e] = true
		}
	}
	switch n := n.(type) {
	case *ast.FuncDecl:
		reads[n.Name] = true
	case *ast.Field:
		names(n.Names)
	case *ast.AssignStmt:
		all(n.Lhs)
		if len(n.Lhs) == len(n.Rhs) {
			all(n.Rhs)
		}
	case *ast.ValueSpec:
		names(n.Names)
		if len(n.Names) == len(n.Values) {
			all(n.Values)
		}
	case *ast.CompositeLit:
		for _, field := range fields(n) {
			all([]ast.Expr{field.Key, field.Value})
		}
	case *ast.RangeStmt:
		all([]ast.Expr{n.Key, n.Value, n.X})
	case *ast.IndexExpr:
		reads[n.X] = true
	case *ast.BinaryExpr:
		all([]ast.Expr{n.X, n.Y})
	case *ast.SelectorExpr:
		reads[n.Sel] = true
	case *ast.CallExpr:
		all(s.readBy(n))
	}
}

// readBy are the arguments that a call only reads, or in which they are followed.
func (s scope) readBy(call *ast.CallExpr) []ast.Expr {
	if _, ok := call.Fun.(*ast.Ident); ok && len(s.called(call)) > 0 { // a method may be another type's
		return call.Args
	}
	switch fn := call.Fun.(type) {
	case *ast.SelectorExpr:
		if fn.Sel.Name == "Parse" && s.parsesFlags() {
			return call.Args
		}
		from, ok := fn.X.(*ast.Ident)
		if !ok {
			return nil
		}
		if names, known := readers[s.imports[from.Name]]; known && (names == nil || slices.Contains(names, fn.Sel.Name)) {
			return call.Args
		}
	case *ast.Ident:
		switch {
		case fn.Name == "len", fn.Name == "cap":
			return call.Args
		case fn.Name == "copy" && len(call.Args) == 2, fn.Name == "append" && call.Ellipsis.IsValid():
			return call.Args[1:]
		}
	}
	return nil
}
