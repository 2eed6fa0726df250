package quits

import (
	"go/ast"
	"iter"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/syntax"
)

// kind is what functions do that is looked for.
type kind struct {
	functions map[string][]string // by the packages that export them
	system    bool                // all of a package of system calls do it
	// The names of functions of libraries, and of methods that are none of the program's own,
	// that may do it: their code is not known.
	library, method *lazyregexp.Regexp
	// held are the types whose values do it, with the functions that make them, and members
	// of these that a use of it names.
	held struct{ types, members []string }
	// more are other places of a declaration that do it; may be nil.
	more func(s *syntax.File, d ast.Decl) []Place
	// given is what of a call's arguments makes it another one.
	given func(s *syntax.File, call *ast.CallExpr) string
	// in reports whether a call in another function is another one.
	in bool
}

// changing change files, or have another program do so.
var changing = kind{
	functions: map[string][]string{
		"os": {"Create", "OpenFile", "WriteFile", "Remove", "RemoveAll", "Rename", "Truncate", "Link", "Symlink", "OpenRoot", "CopyFS", "StartProcess",
			"Chmod", "Chown", "Lchown", "Chtimes"},
		"io/ioutil": {"WriteFile"},
		"os/exec":   {"Command", "CommandContext", "Cmd"},
	},
	held:    struct{ types, members []string }{[]string{"Cmd", "Command", "CommandContext"}, []string{"Args", "Path", "Run", "Start", "Output", "CombinedOutput"}},
	system:  true,
	library: lazyregexp.New(`^(Write|Save|Create|Remove|Delete|Rename|Truncate|Symlink|Copy|Move|Dump|Store|Export|Replace|Persist)`),
	method:  lazyregexp.New(`^(WriteFile|OpenFile|CreateFile|Create|Remove|RemoveAll|Rename|Truncate|Symlink|WriteAt|Save(As|To|File)?|WriteConfig\w*|Exec|ExecContext)$`),
	given:   pathsOf,
	in:      true,
}

// setting set what the program is given.
var setting = kind{
	functions: map[string][]string{
		"os":      {"Chdir", "Setenv", "Unsetenv", "Clearenv"},
		"flag":    {"Set"},
		"syscall": {"Chdir", "Fchdir", "Setenv", "Unsetenv", "Clearenv", "Dup2", "Dup3", "Close"},
	},
	held:    struct{ types, members []string }{[]string{"FlagSet", "NewFlagSet", "CommandLine"}, []string{"Set", "Lookup", "Visit", "VisitAll"}},
	library: lazyregexp.New(`^(Chdir|Setenv|Unsetenv)$`),
	method:  lazyregexp.New(`^(Chdir|Setenv)$`),
	more:    setsWhatIsGiven,
	given:   func(_ *syntax.File, call *ast.CallExpr) string { return literals(call) },
}

// setsWhatIsGiven are the places of a declaration that set what the program is given by
// its variables in package os, whatever they are passed to.
func setsWhatIsGiven(s *syntax.File, d ast.Decl) []Place {
	found := scope{file: s, imports: s.Imports()}.changes(d)
	return slices.DeleteFunc(found, func(p Place) bool { return strings.Contains(p.Name, ",") })
}

// twoPaths are those whose second argument is a path, too.
var twoPaths = []string{"os.Rename", "os.Link", "os.Symlink", "os.CopyFS"}

// Doers are the functions and methods of a program that do something, by way of each
// other, too.
type Doers struct {
	kind
	functions map[string]bool            // "path.Name"
	methods   map[string]map[string]bool // the types that have them
	holders   map[string]map[string]bool // of a type: what code that has one of these names
	own       map[string]bool            // the packages that are known
}

// Changers looks for those that change files in packages, each of which has its path.
func Changers(packages []Package) Doers { return doers(changing, packages) }

// Setters looks for those that set the program's arguments, environment, directory or
// standard files.
func Setters(packages []Package) Doers { return doers(setting, packages) }

func doers(k kind, packages []Package) Doers {
	c := Doers{k, map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}}
	files := map[string][]*syntax.File{}
	for _, p := range packages {
		c.own[p.Path] = true
		for _, text := range p.Texts {
			if s := syntax.Parse(text); s != nil {
				files[p.Path] = append(files[p.Path], s)
			}
		}
	}
	for _, name := range k.held.members {
		c.methods[name] = map[string]bool{"": true}
	}
	c.holders[""] = holdersOf(files, k.held.types...)
	for c.grow(files) {
	}
	return c
}

// grow adds those that name what is known so far; false when there are none.
func (c Doers) grow(files map[string][]*syntax.File) (grown bool) {
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
func (c Doers) method(name, of string, files map[string][]*syntax.File) bool {
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
			c.holders[t] = holdersOf(files, t)
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

// holdersOf are the names of what is, holds or returns a value of one of the types.
func holdersOf(files map[string][]*syntax.File, types ...string) map[string]bool {
	found, itself := map[string]bool{}, map[string]bool{}
	for _, of := range types {
		found[of], itself[of] = true, true
	}
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

// Added names what an edit of a file of a package adds of them: a call of such a function,
// one with other arguments that matter, or one in another function. Empty without one.
func (c Doers) Added(path, before, after string) string {
	left := map[string]int{}
	if was := syntax.Parse(before); was != nil {
		for _, place := range c.all(was, path) {
			left[place.in+" "+place.name+place.given]++
		}
	}
	if now := syntax.Parse(after); now != nil {
		for _, place := range c.all(now, path) {
			key := place.in + " " + place.name + place.given
			if left[key]--; left[key] < 0 {
				return place.name
			}
		}
	}
	return ""
}

// AsValues reports whether a function that does it is a value somewhere in the packages: a
// function literal, or a name that is not called.
func (c Doers) AsValues(packages []Package) bool {
	for _, p := range packages {
		for _, text := range p.Texts {
			s := syntax.Parse(text)
			if s == nil {
				continue
			}
			for _, d := range s.AST.Decls {
				for n := range values(d) {
					if len(c.placesIn(s, p.Path, d, n)) > 0 {
						return true
					}
				}
			}
		}
	}
	return false
}

// values are the function literals and names of a declaration that it does not call.
func values(d ast.Decl) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		called := map[ast.Node]bool{}
		if fn, ok := d.(*ast.FuncDecl); ok {
			called[fn.Name] = true
		}
		for n := range ast.Preorder(d) {
			switch n := n.(type) {
			case *ast.CallExpr:
				called[ast.Unparen(n.Fun)] = true
				continue
			case *ast.SelectorExpr:
				called[n.Sel] = true
			case *ast.FuncLit, *ast.Ident:
			default:
				continue
			}
			if !called[n] && !yield(n) {
				return
			}
		}
	}
}

// doing is a place that does something.
type doing struct{ in, name, given string }

// all are the places of a file, each with the function that it is in, if that matters.
func (c Doers) all(s *syntax.File, path string) (places []doing) {
	for _, d := range s.AST.Decls {
		in := ""
		if fn, ok := d.(*ast.FuncDecl); ok && c.in {
			in = syntax.Key(fn)
		}
		for _, place := range c.places(s, path, d) {
			place.in = in
			places = append(places, place)
		}
	}
	return places
}

// places are those of a declaration that name what does it, with what that is given.
func (c Doers) places(s *syntax.File, path string, d ast.Decl) (places []doing) {
	places = c.placesIn(s, path, d, d)
	if c.more != nil {
		for _, p := range c.more(s, d) {
			places = append(places, doing{name: p.Name})
		}
	}
	return places
}

// placesIn are those in a part of a declaration.
func (c Doers) placesIn(s *syntax.File, path string, d ast.Decl, part ast.Node) (places []doing) {
	imports, given, members := s.Imports(), map[ast.Node]string{}, map[*ast.Ident]bool{}
	if fn, ok := d.(*ast.FuncDecl); ok {
		members[fn.Name] = true
	}
	note := func(n ast.Node, name string) {
		if name != "" {
			places = append(places, doing{name: name, given: given[n]})
		}
	}
	for n := range ast.Preorder(part) {
		switch n := n.(type) {
		case *ast.CallExpr:
			given[n.Fun] = c.given(s, n)
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
func (c Doers) unqualified(imports map[string]string, path, name string) string {
	if c.functions[path+"."+name] {
		return path + "." + name
	}
	for from := range imports {
		if from, dot := strings.CutPrefix(from, "."); dot && (slices.Contains(c.kind.functions[from], name) || c.functions[from+"."+name]) {
			return from + "." + name
		}
	}
	return ""
}

// selected is a function of a package, or a method, in a declaration.
func (c Doers) selected(imports map[string]string, d ast.Decl, n *ast.SelectorExpr) string {
	name := n.Sel.Name
	if from := operand(n); from != nil && imports[from.Name] != "" {
		path := imports[from.Name]
		unknown := foreign(path) && !c.own[path] && c.library.MatchString(name)
		if slices.Contains(c.kind.functions[path], name) || c.system && system[path] || c.functions[path+"."+name] || unknown {
			return path + "." + name
		}
		return ""
	}
	if c.kind.method.MatchString(name) {
		return "." + name
	}
	for of := range c.methods[name] {
		if mentions(d, c.holders[of]) {
			return "." + name
		}
	}
	return ""
}

// pathsOf is what a call is given as the path of a file, as far as its text shows: its
// first argument, texts, and the second one of functions that take two paths.
func pathsOf(s *syntax.File, call *ast.CallExpr) string {
	text := literals(call)
	for i, arg := range call.Args {
		from := operand(call.Fun)
		if i == 0 || i == 1 && from != nil && slices.Contains(twoPaths, s.Imports()[from.Name]+"."+syntax.Called(call)) {
			text += s.Code(arg) + ","
		}
	}
	return text
}

// literals are the arguments of a call that stand there as texts or numbers.
func literals(call *ast.CallExpr) string {
	text := "("
	for _, arg := range call.Args {
		if l, ok := ast.Unparen(arg).(*ast.BasicLit); ok {
			text += l.Value + ","
		}
	}
	return text + ")"
}
