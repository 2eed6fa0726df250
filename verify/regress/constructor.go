package regress

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// constructors finds the functions that make values of the user's types, so
// that a test can make them the same way: a fault in a constructor shows only
// in what it has made.
type constructors struct {
	code   *workspace.Code
	origin workspace.Func // where the bad value came from, if that is known
	except *types.Func    // the function under test
	known  map[*types.TypeName]*value.Constructor
}

func newConstructors(c evidence.Case, except *types.Func) *constructors {
	k := &constructors{code: c.Code, except: except, known: map[*types.TypeName]*value.Constructor{}}
	if file, line, ok := cutLine(c.Diagnosis.Origin); ok {
		k.origin, _ = c.Code.FuncAt(c.Workspace.Abs(filepath.FromSlash(file)), line)
	}
	return k
}

func cutLine(place string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(place[i+1:])
	return place[:i], line, err == nil
}

// used reports whether any value was made by a constructor.
func (k *constructors) used() bool {
	for _, c := range k.known {
		if c != nil && c.Used {
			return true
		}
	}
	return false
}

// names lists the constructors that were used.
func (k *constructors) names() string {
	var list []string
	for _, c := range k.known {
		if c != nil && c.Used {
			list = append(list, c.Func.Name())
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// usesOrigin reports whether the constructor that the bad value comes from was
// used.
func (k *constructors) usesOrigin() bool {
	for _, c := range k.known {
		if c != nil && c.Used && c.Func == k.origin.Object {
			return true
		}
	}
	return false
}

// of returns the constructor of a type, or nil.
func (k *constructors) of(t *types.Named) *value.Constructor {
	t = t.Origin()
	name := t.Obj()
	if c, ok := k.known[name]; ok {
		return c
	}
	k.known[name] = k.find(t)
	return k.known[name]
}

func (k *constructors) find(t *types.Named) *value.Constructor {
	if _, ok := t.Underlying().(*types.Struct); !ok || t.Obj().Pkg() == nil {
		return nil
	}
	var candidates []*value.Constructor
	for _, p := range k.code.Packages {
		if p.Types != t.Obj().Pkg() {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			f, ok := p.Types.Scope().Lookup(name).(*types.Func)
			if !ok || f == k.except {
				continue
			}
			if c := k.constructor(f, t); c != nil {
				candidates = append(candidates, c)
			}
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	return slices.MaxFunc(candidates, func(a, b *value.Constructor) int { return cmp.Compare(k.rank(a, t), k.rank(b, t)) })
}

// rank is higher for what is more likely to have made a value.
func (k *constructors) rank(c *value.Constructor, t *types.Named) int {
	name := strings.ToLower(c.Func.Name())
	switch {
	case c.Func == k.origin.Object:
		return 4
	case name == "new"+strings.ToLower(t.Obj().Name()):
		return 3
	case name == "new":
		return 2
	case strings.HasPrefix(name, "new"):
		return 1
	}
	return 0
}

// constructor looks at a function that may make values of t.
func (k *constructors) constructor(f *types.Func, t *types.Named) *value.Constructor {
	sig := f.Signature()
	results := sig.Results()
	if sig.TypeParams().Len() != t.TypeParams().Len() || results.Len() == 0 || results.Len() > 2 {
		return nil
	}
	c := &value.Constructor{Func: f, Sets: map[string]bool{}}
	made := types.Unalias(results.At(0).Type())
	if p, ok := made.(*types.Pointer); ok {
		c.Pointer, made = true, types.Unalias(p.Elem())
	}
	if named, ok := made.(*types.Named); !ok || named.Origin() != t || !passesOn(named, sig.TypeParams()) {
		return nil
	}
	if results.Len() == 2 {
		if c.Fails = types.Identical(results.At(1).Type(), types.Universe.Lookup("error").Type()); !c.Fails {
			return nil
		}
	}
	at := k.code.Fset.Position(f.Pos())
	fn, ok := k.code.FuncAt(at.Filename, at.Line)
	if !ok || fn.Decl.Body == nil {
		return nil
	}
	b := builderOf(fn, t)
	if !b.makes {
		return nil
	}
	c.Sets = b.sets
	params := sig.Params().Len()
	if sig.Variadic() {
		params--
	}
	for i := range params {
		field, ok := b.params[sig.Params().At(i)]
		if !ok {
			return nil
		}
		c.Params = append(c.Params, field)
	}
	return c
}

// passesOn reports whether a generic function instantiates the type it returns
// with its own type parameters, in their order.
func passesOn(t *types.Named, params *types.TypeParamList) bool {
	for i := range params.Len() {
		if t.TypeArgs().At(i) != params.At(i) {
			return false
		}
	}
	return true
}

// builder is what a function does to the value it makes.
type builder struct {
	info   *types.Info
	t      *types.Named
	makes  bool
	sets   map[string]bool
	params map[types.Object]string // the fields that hold parameters
}

func builderOf(fn workspace.Func, t *types.Named) *builder {
	b := &builder{info: fn.Package.TypesInfo, t: t, sets: map[string]bool{}, params: map[types.Object]string{}}
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			b.literal(n)
		case *ast.ValueSpec:
			b.makes = b.makes || n.Type != nil && b.isType(b.info.TypeOf(n.Type))
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "new" && len(n.Args) == 1 {
				b.makes = b.makes || b.isType(b.info.TypeOf(n.Args[0]))
			}
		case *ast.AssignStmt:
			b.assignment(n)
		}
		return true
	})
	return b
}

// isType tells the type that is made, also through a pointer.
func (b *builder) isType(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Origin() == b.t
}

func (b *builder) literal(lit *ast.CompositeLit) {
	if !b.isType(b.info.TypeOf(lit)) {
		return
	}
	b.makes = true
	u := b.t.Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				b.set(id.Name, kv.Value)
			}
		} else if i < u.NumFields() {
			b.set(u.Field(i).Name(), e)
		}
	}
}

func (b *builder) assignment(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i, lhs := range s.Lhs {
		if sel, ok := lhs.(*ast.SelectorExpr); ok && b.isType(b.info.TypeOf(sel.X)) {
			b.set(sel.Sel.Name, s.Rhs[i])
		}
	}
}

// set notes that a field is given a value, and whether that is a parameter.
func (b *builder) set(field string, e ast.Expr) {
	b.sets[field] = true
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, ok := b.info.Uses[id].(*types.Var); ok {
			if _, have := b.params[v]; !have {
				b.params[v] = field
			}
		}
	}
}
