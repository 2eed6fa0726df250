// Package behavior compares the behavior before and after a change: it calls the
// functions that differ with the inputs of a run and with inputs like them, and compares
// what they answer.
//
// It writes the source that is built and reads what that prints; building and running is
// for the caller. It must not know what a difference means for a verdict.
package behavior

import (
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Function is one that a change gives another body, and that can be called again.
type Function struct {
	Num      int
	File     string // absolute
	Receiver string // "*T", "T"; empty without one
	Name     string
}

// Expression is the function as its package writes it: "Index", "(*T).Len".
func (f Function) Expression() string {
	if f.Receiver == "" {
		return f.Name
	}
	return "(" + f.Receiver + ")." + f.Name
}

// Left is a changed function that is not compared.
type Left struct{ Function, Why string }

// Functions finds those that a change gives another body.
func Functions(changes []syntax.Change) (found []Function, left []Left) {
	for _, ch := range changes {
		before, after := syntax.Parse(ch.Before), syntax.Parse(ch.After)
		if before == nil || after == nil {
			continue // a file that is added or removed
		}
		now := map[string]*ast.FuncDecl{}
		for _, d := range after.Declared() {
			now[syntax.Key(d)] = d
		}
		for _, d := range before.Declared() {
			other := now[syntax.Key(d)]
			if other == nil {
				left = append(left, Left{d.Name.Name, "it is gone"})
				continue
			}
			sameType := before.Plain(d.Type) == after.Plain(other.Type)
			if sameType && before.Plain(d.Body) == after.Plain(other.Body) {
				continue
			}
			f := Function{Num: len(found), File: ch.File, Name: d.Name.Name, Receiver: receiver(d)}
			switch why := unfit(before, d, ch.File); {
			case why != "":
				left = append(left, Left{f.Expression(), why})
			case !sameType:
				left = append(left, Left{f.Expression(), "its parameters or results differ"})
			default:
				found = append(found, f)
			}
		}
	}
	return found, left
}

// unfit says why a function cannot be called again.
func unfit(f *syntax.File, d *ast.FuncDecl, name string) string {
	generic := d.Type.TypeParams != nil
	if d.Recv != nil && len(d.Recv.List) == 1 {
		t := d.Recv.List[0].Type
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		switch t.(type) {
		case *ast.IndexExpr, *ast.IndexListExpr:
			generic = true
		}
	}
	switch {
	case generic:
		return "it has type parameters"
	case d.Recv == nil && (d.Name.Name == "main" || d.Name.Name == "init"), d.Name.Name == "_":
		return "it cannot be called again"
	case strings.HasSuffix(name, "_test.go"):
		return "it is part of a test"
	case f.Cgo():
		return "its file uses cgo"
	}
	return ""
}

// receiver is "*T" or "T".
func receiver(d *ast.FuncDecl) string {
	name, pointer := patch.Receiver(d)
	if pointer {
		return "*" + name
	}
	return name
}

// Package is what a test file has to know of the package that it is in.
type Package struct {
	Path    string
	Name    string
	Types   []string // that it declares, without those with type parameters
	Funcs   []string // likewise, without methods
	Imports []string // import paths
}

// NewPackage reads the files of a package with that import path, by their names.
func NewPackage(path string, files map[string]string) Package {
	p := Package{Path: path}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := syntax.Parse(files[name])
		if f == nil {
			continue
		}
		p.Name = f.AST.Name.Name
		for _, i := range f.AST.Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil && path != "C" {
				p.Imports = append(p.Imports, path)
			}
		}
		for _, d := range f.AST.Decls {
			switch decl := d.(type) {
			case *ast.GenDecl:
				if decl.Tok == token.TYPE {
					p.Types = append(p.Types, declared(decl)...)
				}
			case *ast.FuncDecl:
				if decl.Recv == nil && decl.Type.TypeParams == nil {
					p.Funcs = append(p.Funcs, decl.Name.Name)
				}
			}
		}
	}
	return p
}

func declared(decl *ast.GenDecl) []string {
	var names []string
	for _, s := range decl.Specs {
		if t, ok := s.(*ast.TypeSpec); ok && t.TypeParams == nil && t.Name.Name != "_" && !t.Assign.IsValid() {
			names = append(names, t.Name.Name)
		}
	}
	return names
}

// dynamic are the types that values of interfaces have in calls, as "import/path.T": the
// exported ones of packages that are imported.
func (p Package) dynamic(calls []replay.Call) []string {
	found := map[string]bool{}
	each(calls, replay.Interface, func(n replay.Node) {
		for _, name := range qualified.FindAllString(n.Type, -1) {
			if from, base := split(name); p.exports(from, base) {
				found[name] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// given are the functions in calls that the package can name, as the runtime names them:
// its own, and the exported ones of packages that it imports.
func (p Package) given(calls []replay.Call) []string {
	found := map[string]bool{}
	each(calls, replay.Func, func(n replay.Node) {
		if from, base := split(n.Text); p.owns(from) && slices.Contains(p.Funcs, base) || p.exports(from, base) {
			found[n.Text] = true
		}
	})
	return slices.Sorted(maps.Keys(found))
}

// exports reports whether a name is one that the package can use after an import.
func (p Package) exports(from, name string) bool {
	return ast.IsExported(name) && slices.Contains(p.Imports, from)
}

// owns reports whether a path is that of the package. A program's is main at run time.
func (p Package) owns(path string) bool { return path == p.Path || path == "main" && p.Name == "main" }

// split takes "import/path.Name" apart. In the names of functions, the runtime writes a dot in
// the last part of a path as %2e.
func split(name string) (path, base string) {
	dot := max(strings.LastIndexByte(name, '.'), 0)
	return strings.ReplaceAll(name[:dot], "%2e", "."), strings.TrimPrefix(name[dot:], ".")
}

// each visits the nodes of a kind in the arguments of calls.
func each(calls []replay.Call, kind replay.Kind, visit func(replay.Node)) {
	var walk func(nodes []replay.Node)
	walk = func(nodes []replay.Node) {
		for _, n := range nodes {
			if n.Kind == kind {
				visit(n)
			}
			walk(n.Nodes)
		}
	}
	for _, c := range calls {
		walk(c.Args)
	}
}

// qualified matches the types in the name of one, with the import paths of their packages.
var qualified = lazyregexp.New(`[\w.~/-]+\.\w+`)

// directory is where the source of package replay is put, in the module of a program.
const directory = "pausetui_replay"

// ImportPath is that of package replay in a module.
func ImportPath(module string) string { return module + "/" + directory }

// Place is where a file of package replay goes, in a module's directory.
func Place(root, name string) string { return filepath.Join(root, directory, name) }
