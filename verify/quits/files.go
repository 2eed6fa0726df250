package quits

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/syntax"
)

// changing are the functions that change files, or have another program do so, by the
// packages that export them.
var changing = map[string][]string{
	"os": {"Create", "OpenFile", "WriteFile", "Remove", "RemoveAll", "Rename", "Truncate", "Link", "Symlink", "OpenRoot", "CopyFS", "StartProcess",
		"Chmod", "Chown", "Lchown", "Chtimes"},
	"io/ioutil": {"WriteFile"},
	"os/exec":   {"Command", "CommandContext"},
}

// twoPaths are those whose second argument is a path, too.
var twoPaths = []string{"os.Rename", "os.Link", "os.Symlink", "os.CopyFS"}

// The names of functions of libraries, and of methods that are none of the program's own,
// which may change files: their code is not known.
var (
	changingCall   = lazyregexp.New(`^(Write|Save|Create|Remove|Delete|Rename|Truncate|Symlink|Copy|Move|Dump|Store|Export|Replace|Persist)`)
	changingMethod = lazyregexp.New(`^(WriteFile|OpenFile|CreateFile|Create|Remove|RemoveAll|Rename|Truncate|Symlink|WriteAt|Save(As|To|File)?|WriteConfig\w*|Exec|ExecContext)$`)
)

// Changers are the functions and methods of a program that change files, by way of each
// other, too.
type Changers struct {
	functions map[string]bool            // "path.Name"
	methods   map[string]map[string]bool // the types that have them
	holders   map[string]map[string]bool // of a type: what code that has one of these names
	own       map[string]bool            // the packages that are known
}

// ChangersIn looks for them in packages, each of which has its path.
func ChangersIn(packages []Package) Changers {
	c := Changers{map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}}
	files := map[string][]*syntax.File{}
	for _, p := range packages {
		c.own[p.Path] = true
		for _, text := range p.Texts {
			if s := syntax.Parse(text); s != nil {
				files[p.Path] = append(files[p.Path], s)
			}
		}
	}
	for c.grow(files) {
	}
	return c
}

// grow adds those that name what is known so far; false when there are none.
func (c Changers) grow(files map[string][]*syntax.File) (grown bool) {
	for path, list := range files {
		for _, s := range list {
			for _, fn := range s.Declared() {
				if fn.Name.Name == "init" || len(c.places(s, path, fn)) == 0 {
					continue
				}
				if fn.Recv == nil {
					grown = grown || !c.functions[path+"."+fn.Name.Name]
					c.functions[path+"."+fn.Name.Name] = true
					continue
				}
				of, _ := patch.Receiver(fn)
				grown = c.method(fn.Name.Name, of, files) || grown
			}
		}
	}
	return grown
}

// method adds one of a type, and of the interfaces that have it; false when it is known.
func (c Changers) method(name, of string, files map[string][]*syntax.File) bool {
	if c.methods[name][of] {
		return false
	}
	if c.methods[name] == nil {
		c.methods[name] = map[string]bool{}
	}
	types := append(interfacesWith(name, files), of)
	for _, t := range types {
		c.methods[name][t] = true
		if c.holders[t] == nil {
			c.holders[t] = holdersOf(t, files)
		}
	}
	return true
}

// interfacesWith are those that have a method.
func interfacesWith(method string, files map[string][]*syntax.File) (names []string) {
	for _, list := range files {
		for _, s := range list {
			for spec := range syntax.All[*ast.TypeSpec](s.AST) {
				if it, ok := spec.Type.(*ast.InterfaceType); ok && slices.ContainsFunc(it.Methods.List, func(f *ast.Field) bool { return hasName(f.Names, method) }) {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	return names
}

func hasName(list []*ast.Ident, name string) bool {
	return slices.ContainsFunc(list, func(id *ast.Ident) bool { return id.Name == name })
}

// holdersOf are the names of what is, holds or returns a value of a type.
func holdersOf(of string, files map[string][]*syntax.File) map[string]bool {
	found, itself := map[string]bool{of: true}, map[string]bool{of: true}
	add := func(where ast.Node, list []*ast.Ident) {
		for _, id := range list {
			found[id.Name] = found[id.Name] || mentions(where, itself)
		}
	}
	for _, list := range files {
		for _, s := range list {
			for n := range ast.Preorder(s.AST) {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Type.Results != nil {
						add(n.Type.Results, []*ast.Ident{n.Name})
					}
				case *ast.Field:
					add(n.Type, n.Names)
				case *ast.ValueSpec:
					add(n, n.Names)
				}
			}
		}
	}
	return found
}

// mentions reports whether a node has one of these names.
func mentions(n ast.Node, names map[string]bool) bool {
	for id := range syntax.All[*ast.Ident](n) {
		if names[id.Name] {
			return true
		}
	}
	return false
}

// Changes reports whether an edit of a file of a package adds what may change files: a call
// of such a function, one with another path, or one in another function.
func (c Changers) Changes(path, before, after string) bool {
	left := map[string]int{}
	if was := syntax.Parse(before); was != nil {
		for _, place := range c.all(was, path) {
			left[place]++
		}
	}
	now := syntax.Parse(after)
	return now != nil && slices.ContainsFunc(c.all(now, path), func(place string) bool {
		left[place]--
		return left[place] < 0
	})
}

// all are the places of a file, each with the function that it is in.
func (c Changers) all(s *syntax.File, path string) (places []string) {
	for _, d := range s.AST.Decls {
		in := ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			in = syntax.Key(fn)
		}
		for _, place := range c.places(s, path, d) {
			places = append(places, in+" "+place)
		}
	}
	return places
}

// places are those of a declaration that name what changes files, with the paths that it
// is given. All of a package of system calls count.
func (c Changers) places(s *syntax.File, path string, d ast.Decl) (places []string) {
	imports, paths, members := s.Imports(), map[ast.Node]string{}, map[*ast.Ident]bool{}
	if fn, ok := d.(*ast.FuncDecl); ok {
		members[fn.Name] = true
	}
	note := func(n ast.Node, name string) {
		if name != "" {
			places = append(places, name+paths[n])
		}
	}
	for n := range ast.Preorder(d) {
		switch n := n.(type) {
		case *ast.CallExpr:
			paths[n.Fun] = pathsOf(s, imports, n)
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				members[key] = true
			}
		case *ast.SelectorExpr:
			members[n.Sel] = true
			note(n, c.selected(imports, d, n))
		case *ast.Ident:
			if !members[n] {
				note(n, c.unqualified(imports, path, n.Name))
			}
		}
	}
	return places
}

// unqualified is a function by its name alone.
func (c Changers) unqualified(imports map[string]string, path, name string) string {
	if c.functions[path+"."+name] {
		return path + "." + name
	}
	for from := range imports {
		if from, dot := strings.CutPrefix(from, "."); dot && (slices.Contains(changing[from], name) || c.functions[from+"."+name]) {
			return from + "." + name
		}
	}
	return ""
}

// selected is a function of a package, or a method, in a declaration.
func (c Changers) selected(imports map[string]string, d ast.Decl, n *ast.SelectorExpr) string {
	name := n.Sel.Name
	if from := operand(n); from != nil && imports[from.Name] != "" {
		path := imports[from.Name]
		unknown := foreign(path) && !c.own[path] && changingCall.MatchString(name)
		if slices.Contains(changing[path], name) || system[path] || c.functions[path+"."+name] || unknown {
			return path + "." + name
		}
		return ""
	}
	if changingMethod.MatchString(name) {
		return "." + name
	}
	for of := range c.methods[name] {
		if mentions(d, c.holders[of]) {
			return "." + name
		}
	}
	return ""
}

// pathsOf is what a call is given as the path of a file, as far as that can be told: its
// first argument, texts, and the second one of functions that take two paths.
func pathsOf(s *syntax.File, imports map[string]string, call *ast.CallExpr) string {
	text := "("
	for i, arg := range call.Args {
		second := false
		if from := operand(call.Fun); from != nil {
			second = i == 1 && slices.Contains(twoPaths, imports[from.Name]+"."+syntax.Called(call))
		}
		if _, literal := ast.Unparen(arg).(*ast.BasicLit); i == 0 || second || literal {
			text += s.Code(arg) + ","
		}
	}
	return text + ")"
}
