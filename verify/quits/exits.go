package quits

import (
	"go/ast"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Package is code that the edit leaves as it is: that of a changed file's own
// package, or of one that it imports.
type Package struct {
	Path  string // to import it by
	Own   bool   // it holds a changed file
	Texts []string
}

// Exiting are the functions and methods of a package that may end the program
// with the status of a success.
type Exiting struct {
	Package
	functions, methods map[string]bool
	files              []*syntax.File
}

// Exits looks for them, and for those that call them.
func Exits(packages []Package) []Exiting {
	var list []Exiting
	for _, p := range packages {
		e := Exiting{p, map[string]bool{}, map[string]bool{}, nil}
		for _, text := range p.Texts {
			if s := syntax.Parse(text); s != nil {
				e.files = append(e.files, s)
			}
		}
		for e.grow() {
		}
		list = append(list, e)
	}
	return list
}

// grow adds those that call what is known so far; false when there are none.
func (e Exiting) grow() bool {
	grown := false
	for _, s := range e.files {
		for _, fn := range s.Declared() {
			if fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "init") {
				continue
			}
			into := e.functions
			if fn.Recv != nil {
				into = e.methods
			}
			if !into[fn.Name.Name] && e.mayExit(s, fn.Body) {
				into[fn.Name.Name], grown = true, true
			}
		}
	}
	return grown
}

// AsValues reports whether what may end the program so is a value somewhere: a function
// literal, or a name that is not called.
func (e Exiting) AsValues() bool {
	for _, s := range e.files {
		for _, d := range s.AST.Decls {
			for n := range values(d) {
				lit, ok := n.(*ast.FuncLit)
				if ok && e.mayExit(s, lit.Body) || e.isNamed(s, n) {
					return true
				}
			}
		}
	}
	return false
}

// isNamed reports whether a node is the name of one of them, or os.Exit.
func (e Exiting) isNamed(s *syntax.File, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		return e.functions[n.Name]
	case *ast.SelectorExpr:
		from := operand(n)
		if from != nil && s.Imports()[from.Name] != "" {
			return s.Imports()[from.Name] == "os" && n.Sel.Name == "Exit"
		}
		return e.methods[n.Sel.Name]
	}
	return false
}

// mayExit reports whether a body calls os.Exit with something else than a failure,
// or one of those that are known.
func (e Exiting) mayExit(s *syntax.File, body *ast.BlockStmt) bool {
	found := false
	for call := range syntax.All[*ast.CallExpr](body) {
		switch fn := call.Fun.(type) {
		case *ast.Ident:
			found = found || e.functions[fn.Name]
		case *ast.SelectorExpr:
			from, ok := fn.X.(*ast.Ident)
			switch {
			case ok && s.Imports()[from.Name] == "os":
				found = found || fn.Sel.Name == "Exit" && s.ExitStatus(call) != syntax.Failure
			case !ok || s.Imports()[from.Name] == "":
				found = found || e.methods[fn.Sel.Name]
			}
		}
	}
	return found
}

// in adds the names that a file has for them.
func (e Exiting) in(s *syntax.File, known map[string]string) {
	for name := range e.methods {
		known["."+name] = name
	}
	for name := range e.functions {
		if e.Own {
			known[name] = name
		}
		for as, from := range s.Imports() {
			if from == e.Path {
				known[as+"."+name] = as + "." + name
			}
		}
	}
}
