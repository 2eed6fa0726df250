package workspace

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sync"

	"golang.org/x/tools/go/packages"
)

// UseKind says what a piece of code does with what it names.
type UseKind int

const (
	Read    UseKind = iota // its value is taken; of a function: it is a value
	Write                  // it gets a value: x = v, T{f: v}, x++, for x := range
	Element                // an element of it does: x[k] = v, delete(x, k), *x = v
	Address                // its address is taken: &x
	Call                   // the function is called
)

// Use is one place in the user's code that names a variable, a field or a
// function, or that makes a value of a type.
type Use struct {
	Kind UseKind
	// Node is the statement or expression that uses it: the assignment, the
	// literal or the call; the name itself where it is only read.
	Node ast.Node
	// Value is what is written, or the call one of whose results is: that of
	// number Result. Nil where the text does not say it, as in x++.
	Value  ast.Expr
	Result int
	In     *Func // around it; Decl is nil at the top level of a file
	Test   bool  // in a test file
}

// Index says who uses what in the user's code. It is read-only.
type Index struct {
	code  *Code
	keys  sync.Map // of objects
	uses  map[string][]Use
	makes map[string][]Use
	decls map[string]Func
	named map[string][]Func // methods, by name
	// through are the interfaces' methods that are used, by name.
	through map[string][]*types.Func

	valued     sync.Once
	values     []FuncValue // functions that are used as values
	valueCalls []valueCall
}

// Index returns the index of the code, which is made once.
func (c *Code) Index() *Index {
	c.indexed.Do(func() { c.index = newIndex(c) })
	return c.index
}

func newIndex(c *Code) *Index {
	x := &Index{code: c, uses: map[string][]Use{}, makes: map[string][]Use{}, decls: map[string]Func{},
		named: map[string][]Func{}, through: map[string][]*types.Func{}}
	c.files(x.file)
	return x
}

// files visits each file of the user's once: the variants of a package share files.
func (c *Code) files(visit func(*packages.Package, *ast.File)) {
	seen := map[string]bool{}
	for _, pkg := range c.Packages {
		if pkg.TypesInfo == nil {
			continue
		}
		for _, file := range pkg.Syntax {
			if name := c.Fset.Position(file.FileStart).Filename; !seen[name] {
				seen[name] = true
				visit(pkg, file)
			}
		}
	}
}

// file adds the declarations of a file, and what they use.
func (x *Index) file(pkg *packages.Package, file *ast.File) {
	top := &Func{Package: pkg, File: file}
	for _, d := range file.Decls {
		in := top
		if fn, ok := d.(*ast.FuncDecl); ok {
			object, _ := pkg.TypesInfo.Defs[fn.Name].(*types.Func)
			in = &Func{Package: pkg, File: file, Decl: fn, Object: object}
			if object != nil {
				x.decls[x.key(object)] = *in
				if fn.Recv != nil {
					x.named[fn.Name.Name] = append(x.named[fn.Name.Name], *in)
				}
			}
		}
		w := newUses(in, x.code.Fset, func(o types.Object, u Use) {
			if v, ok := o.(*types.Var); ok && !v.IsField() && !isGlobal(v) {
				return // Uses looks at those when it is asked
			}
			key := x.key(o)
			if fn, ok := o.(*types.Func); ok && len(x.uses[key]) == 0 && InterfaceOf(fn) != nil {
				x.through[fn.Name()] = append(x.through[fn.Name()], fn)
			}
			x.uses[key] = append(x.uses[key], u)
		}, func(t *types.TypeName, u Use) {
			x.makes[x.key(t)] = append(x.makes[x.key(t)], u)
		})
		w.walk(d)
	}
}

func isGlobal(o types.Object) bool {
	return o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

// key names an object: that of a package's variant, or of an instance of a
// generic type, has the same.
func (x *Index) key(o types.Object) string {
	o = original(o)
	if k, ok := x.keys.Load(o); ok {
		return k.(string)
	}
	at, path := x.code.Fset.Position(o.Pos()), ""
	if o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	k := fmt.Sprintf("%s %s %s:%d", path, o.Name(), filepath.Base(at.Filename), at.Line)
	x.keys.Store(o, k)
	return k
}

func original(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// Same reports whether two objects are one.
func (x *Index) Same(a, b types.Object) bool {
	return a != nil && b != nil && (a == b || x.key(a) == x.key(b))
}

// Uses lists the places that name a variable, field or function, in the order
// of the packages and files.
func (x *Index) Uses(o types.Object) []Use {
	v, ok := o.(*types.Var)
	if !ok || v.IsField() || isGlobal(v) {
		return x.uses[x.key(o)]
	}
	at := x.code.Fset.Position(o.Pos())
	fn, ok := x.code.FuncAt(at.Filename, at.Line)
	if !ok {
		return nil
	}
	var list []Use
	newUses(&fn, x.code.Fset, func(other types.Object, u Use) {
		if other == o || x.code.Fset.Position(other.Pos()) == at {
			list = append(list, u)
		}
	}, nil).walk(fn.Decl)
	return list
}

// Writes lists the places that give a variable or field a value.
func (x *Index) Writes(v *types.Var) []Use {
	var list []Use
	for _, u := range x.Uses(v) {
		if u.Kind == Write {
			list = append(list, u)
		}
	}
	return list
}

// Calls lists the calls of a function by its name, and of a method also those
// through an interface that has it.
func (x *Index) Calls(fn *types.Func) []Use {
	list := calls(x.Uses(fn))
	if fn.Signature().Recv() == nil {
		return list
	}
	for _, m := range x.through[fn.Name()] {
		if iface := InterfaceOf(m); !x.Same(m, fn) && implements(fn, iface) {
			list = append(list, calls(x.Uses(m))...)
		}
	}
	return list
}

func calls(all []Use) []Use {
	var list []Use
	for _, u := range all {
		if u.Kind == Call {
			list = append(list, u)
		}
	}
	return list
}

// Makes lists the places that make a value of a type: T{…}, new(T), var x T.
func (x *Index) Makes(t *types.TypeName) []Use { return x.makes[x.key(t)] }

// Decl returns the user's declaration of a function.
func (x *Index) Decl(fn *types.Func) (Func, bool) {
	if fn == nil {
		return Func{}, false
	}
	d, ok := x.decls[x.key(fn)]
	return d, ok
}

// Callees returns the user's functions that a call may lead to: the one it
// names, or, through an interface, the methods of the types that implement it.
func (x *Index) Callees(info *types.Info, call *ast.CallExpr) []Func {
	return x.Targets(Callee(info, call))
}

// Targets returns what may run where a function is called: itself, or, of a
// method of an interface, the user's methods that implement it.
func (x *Index) Targets(fn *types.Func) []Func {
	if fn == nil {
		return nil
	}
	if d, ok := x.Decl(fn); ok {
		return []Func{d}
	}
	iface := InterfaceOf(fn)
	if iface == nil {
		return nil
	}
	var list []Func
	for _, m := range x.named[fn.Name()] {
		if m.Object != nil && implements(m.Object, iface) {
			list = append(list, m)
		}
	}
	return list
}

// Callee returns the function that a call names, as it is declared; nil for
// function values, conversions and built-in functions.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr: // with its type arguments
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	id, ok := fun.(*ast.Ident)
	if sel, isSel := fun.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// At returns the file and line of a use.
func (x *Index) At(u Use) (file string, line int) { return x.Where(u.Node.Pos()) }

// Where returns the file and line of a position.
func (x *Index) Where(pos token.Pos) (file string, line int) {
	at := x.code.Fset.Position(pos)
	return at.Filename, at.Line
}
