// Package reach follows values through code by the names of what holds them: whether what
// an edit assigns, or a statement uses, may get to another statement. It errs on the side
// of yes.
package reach

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Values follows values through the user's code by the names of what holds them: what
// is given a value that comes of a reached one is reached, too. It knows the usual ways,
// and of any other one it says that the value may get anywhere.
type Values struct {
	files     []*symbols
	functions map[string][]function // by the last of their names
	fields    map[string]bool
	embedded  map[string]bool // what may be used without its name
	reached   map[symbol]bool
	Crashed   map[string]map[int]bool // by file: the lines of the crash
	anywhere  bool
}

type function struct {
	*symbols
	decl *ast.FuncDecl
}

// New returns an empty one, to which Read adds packages.
func New() *Values {
	return &Values{functions: map[string][]function{}, fields: map[string]bool{}, embedded: map[string]bool{}, reached: map[symbol]bool{}, Crashed: map[string]map[int]bool{}}
}

// Read adds the files of a package, and what an edit of them assigns values to: edited is
// how many it changes, and only is false where it does anything else there.
func (r *Values) Read(before, after map[string]string, path func(string) string) (edited int, only bool) {
	structs := map[string]bool{}
	for _, text := range after {
		if f := syntax.Parse(text); f != nil {
			for spec := range syntax.All[*ast.TypeSpec](f.AST) {
				if s, ok := spec.Type.(*ast.StructType); ok {
					structs[spec.Name.Name] = true
					r.declares(s)
				}
			}
		}
	}
	for name, text := range after {
		f := newSymbols(filepath.Clean(path(name)), text, structs)
		if f == nil || f.Cgo() {
			return edited, false
		}
		was := f
		if text != before[name] {
			edited++
			if was = newSymbols(f.path, before[name], structs); was == nil {
				return edited, false
			}
		}
		to, only := onlyAssigns(was, f)
		if !only {
			return edited, false
		}
		r.add(to...)
		for _, fn := range f.Declared() {
			r.functions[fn.Name.Name] = append(r.functions[fn.Name.Name], function{f, fn})
		}
		r.files = append(r.files, f)
	}
	return edited, true
}

// declares adds the fields of a struct.
func (r *Values) declares(s *ast.StructType) {
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 {
			r.embedded[syntax.LastName(field.Type)] = true
		}
		for _, name := range field.Names {
			r.fields[name.Name] = true
		}
	}
}

func (r *Values) add(list ...symbol) {
	for _, v := range list {
		if v.name != "_" {
			r.reached[v] = true
			r.anywhere = r.anywhere || v.in == "" && r.embedded[v.name]
		}
	}
}

// Gets reports whether a value may get into a statement of the crash.
func (r *Values) Gets() bool {
	for file, lines := range r.Crashed {
		i := slices.IndexFunc(r.files, func(f *symbols) bool { return f.path == file })
		for line := range lines {
			if i < 0 || r.files[i].At(line) == nil || (flow{r.files[i].File, nil}).innermost(r.files[i].At(line).Body, line) == nil {
				return true
			}
		}
	}
	for before := -1; before < len(r.reached) && !r.anywhere; {
		before = len(r.reached)
		for _, f := range r.files {
			for _, d := range f.AST.Decls {
				r.pass(f, d)
			}
		}
	}
	return r.anywhere
}

// pass follows each reached name of a declaration one step.
func (r *Values) pass(f *symbols, d ast.Decl) {
	w := walk{Values: r, symbols: f}
	w.decl, _ = d.(*ast.FuncDecl)
	if w.decl != nil && w.givesBack(w.decl.Type) {
		r.add(symbol{name: w.decl.Name.Name})
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch id := n.(type) {
		case nil:
			w.path = w.path[:len(w.path)-1]
			return true
		case *ast.FuncType, *ast.TypeSpec, *ast.FieldList:
			return false // names of types and parameters
		case *ast.FuncLit:
			r.anywhere = r.anywhere || w.givesBack(id.Type)
		case *ast.Ident:
			if len(w.path) > 1 && !f.isSet(f.Offset(id.Pos())) && r.reached[w.stands(id)] {
				w.path = append(w.path, n)
				w.crashes()
				w.follow(len(w.path) - 1)
				return true
			}
		}
		w.path = append(w.path, n)
		return true
	})
}

// walk is a place in a declaration.
type walk struct {
	*Values
	*symbols
	decl *ast.FuncDecl // nil at the top level of the file
	path []ast.Node    // from the declaration to the place
}

// givesBack reports whether a result of a function has a name that is reached.
func (w *walk) givesBack(fn *ast.FuncType) (found bool) {
	if fn.Results == nil {
		return false
	}
	for _, field := range fn.Results.List {
		for _, name := range field.Names {
			found = found || w.reached[w.meant(w.decl, name)]
		}
	}
	return found
}

// stands is what a name stands for: behind a dot a field. Where it is only given a value,
// as the key of a pair, it stands for nothing.
func (w *walk) stands(id *ast.Ident) symbol {
	switch p := w.path[len(w.path)-1].(type) {
	case *ast.SelectorExpr:
		if p.Sel == id {
			return symbol{name: id.Name}
		}
	case *ast.KeyValueExpr:
		if w.isField(len(w.path)-1) && p.Key == ast.Expr(id) {
			return symbol{}
		}
	case *ast.FuncDecl:
		return symbol{}
	}
	return w.meant(w.decl, id)
}

// isField reports whether the pair at a place of the path is one of a struct's literal.
func (w *walk) isField(at int) bool {
	lit, ok := w.path[at-1].(*ast.CompositeLit)
	return ok && w.isStruct(lit)
}

// crashes looks whether the statement around is one of the crash.
func (w *walk) crashes() {
	for _, n := range slices.Backward(w.path) {
		if s, ok := n.(ast.Stmt); ok {
			for line := range w.Crashed[w.symbols.path] {
				w.anywhere = w.anywhere || w.Spans(s, line)
			}
			return
		}
	}
}

// follow adds what gets a value that comes of what is at a place of the path.
func (w *walk) follow(at int) {
	switch p := w.path[at-1].(type) {
	case *ast.KeyValueExpr:
		if w.isField(at - 1) {
			w.add(symbol{name: p.Key.(*ast.Ident).Name})
			return
		}
		w.follow(at - 1)
	case *ast.CallExpr:
		w.called(p, at-1)
	case *ast.UnaryExpr:
		w.anywhere = w.anywhere || p.Op == token.ARROW // others send there, too
		w.follow(at - 1)
	case ast.Expr:
		w.follow(at - 1)
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
	case *ast.IncDecStmt:
		w.chooses(at)
	case *ast.AssignStmt:
		i := slices.Index(p.Rhs, w.path[at].(ast.Expr))
		switch {
		case i < 0:
			w.chooses(at)
		case len(p.Lhs) == len(p.Rhs):
			w.store(p.Lhs[i])
		default:
			w.store(p.Lhs...)
		}
	case *ast.ValueSpec:
		for _, name := range p.Names {
			w.store(name)
		}
	case *ast.ReturnStmt:
		w.anywhere = w.anywhere || slices.ContainsFunc(w.path, func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok })
		w.add(symbol{name: w.decl.Name.Name})
	default: // it decides something
		w.anywhere = true
	}
}

// chooses looks at what is given a value from a place of the path on: where what is
// reached says which element that is, another one might have been.
func (w *walk) chooses(at int) {
	for i, n := range w.path[at : len(w.path)-1] {
		index, ok := n.(*ast.IndexExpr)
		w.anywhere = w.anywhere || ok && index.Index == w.path[at+i+1]
	}
}

// store adds what is given a value. Of an element it is not known what else holds it.
func (w *walk) store(list ...ast.Expr) {
	for _, e := range list {
		v, ok := w.symbol(w.decl, e)
		w.anywhere = w.anywhere || !ok
		w.add(v)
	}
}

// called follows a value into the call at a place of the path: as an argument, as the
// receiver, or as what the function has returned.
func (w *walk) called(call *ast.CallExpr, at int) {
	name, unused := syntax.Called(call), false
	switch w.path[at-1].(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
		unused = true
	}
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		switch {
		case len(w.functions[name]) > 0 && w.meant(w.decl, fn).in == "":
			w.passes(name, at, fn)
		case slices.Contains([]string{"len", "cap", "append", "string", "int", "float64"}, name):
			if name == "append" && w.path[at+1] != ast.Node(call.Args[0]) {
				w.store(call.Args[0])
			}
			w.follow(at)
		case name != "delete":
			w.anywhere = true
		}
	case *ast.SelectorExpr:
		from, _ := fn.X.(*ast.Ident)
		switch {
		case w.fields[name]: // which function it holds is not known
			w.anywhere = true
		case len(w.functions[name]) > 0:
			w.passes(name, at, fn.Sel)
			if w.path[at+1] != ast.Node(fn) && (from == nil || w.Imports()[from.Name] == "") { // the value may keep what it is given
				w.store(fn.X)
			}
		case unused && len(call.Args) == 0: // of a lock, for example
		case !unused || from == nil || from.Name != "fmt" && from.Name != "log" || !strings.HasPrefix(name, "Print"):
			w.anywhere = true
		}
	default:
		w.anywhere = true
	}
}

// passes adds what the functions of a name are called with, unless they are what is
// reached, and follows what they return.
func (w *walk) passes(name string, at int, called *ast.Ident) {
	for _, f := range w.functions[name] {
		if w.path[len(w.path)-1] == ast.Node(called) {
			break
		}
		for local := range localsOf(&ast.FuncDecl{Recv: f.decl.Recv, Name: f.decl.Name, Type: f.decl.Type}) {
			w.add(f.meant(f.decl, ast.NewIdent(local)))
		}
	}
	w.follow(at)
}
