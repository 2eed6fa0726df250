package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// IsChan reports whether a type is of channels.
func IsChan(t types.Type) bool {
	_, ok := TypeUnder[*types.Chan](t)
	return ok
}

// FreeFieldName returns the first of the names that no field or method of a type has.
func FreeFieldName(t *types.Named, names ...string) string {
	for _, name := range names {
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, t.Obj().Pkg(), name); obj == nil {
			return name
		}
	}
	return names[0] + "2"
}

// StructOf returns the struct type that declares a field, by the selection that reads it.
func StructOf(p Place, sel *ast.SelectorExpr) (*types.Named, *types.Var) {
	s, ok := p.Info().Selections[sel]
	if !ok || s.Kind() != types.FieldVal {
		return nil, nil
	}
	field, ok := s.Obj().(*types.Var)
	if !ok {
		return nil, nil
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] { // through embedded fields
		st, ok := UnderStruct(t)
		if !ok {
			return nil, nil
		}
		t = st.Field(i).Type()
	}
	return Named(t), field
}

// IsInteger reports whether a type is of integers; a type parameter is taken for one.
func IsInteger(t types.Type) bool {
	if tp, ok := t.(*types.TypeParam); ok {
		t = tp.Constraint()
		return t != nil
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// ImportsPath reports whether a file imports a package under a name that can be used.
func ImportsPath(file *ast.File, path string) bool {
	for _, s := range file.Imports {
		if p, _ := strconv.Unquote(s.Path.Value); p == path && (s.Name == nil || (s.Name.Name != "_" && s.Name.Name != ".")) {
			return true
		}
	}
	return false
}

// OriginOf returns the generic declaration of a function or variable that was instantiated.
func OriginOf(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	}
	return o
}

// TypeUnder returns the underlying type of a type if it is a T.
func TypeUnder[T types.Type](t types.Type) (T, bool) {
	var none T
	if t == nil {
		return none, false
	}
	u, ok := t.Underlying().(T)
	return u, ok
}

// ZeroResults writes return values for all results but the last n.
func ZeroResults(p Place, sig *types.Signature, n int) (string, bool) {
	var parts []string
	for i := 0; i < sig.Results().Len()-n; i++ {
		text, ok := Zero(p, sig.Results().At(i).Type())
		if _, param := sig.Results().At(i).Type().(*types.TypeParam); param && sig.Results().At(i).Name() != "" && sig.Results().At(i).Name() != "_" {
			text = sig.Results().At(i).Name()
		}
		if !ok {
			return "", false
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", "), true
}

// RecvName returns the name of the type that a method belongs to; empty for functions.
func RecvName(fn *types.Func) string {
	sig := fn.Type().(*types.Signature)
	if sig.Recv() == nil {
		return ""
	}
	if n := Named(sig.Recv().Type()); n != nil {
		return n.Obj().Name()
	}
	return ""
}

// Nilable reports whether a type is of pointers, interfaces or functions.
func Nilable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		_, isParam := t.(*types.TypeParam)
		return !isParam
	}
	return false
}

// Unique drops repeated texts.
func Unique(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			out = append(out, s)
		}
		seen[s] = true
	}
	return out
}

// IsGlobal reports whether an object is declared at package level.
func IsGlobal(v types.Object) bool {
	return v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// ParamIndex finds a variable among the parameters of a function, or as its receiver.
func ParamIndex(p Place, ft *ast.FuncType, d *ast.FuncDecl, v *types.Var) (index int, receiver, found bool) {
	if d != nil && d.Recv != nil {
		for _, field := range d.Recv.List {
			for _, n := range field.Names {
				if p.Info().Defs[n] == v {
					return 0, true, true
				}
			}
		}
	}
	i := 0
	for _, field := range ft.Params.List {
		for _, n := range field.Names {
			if p.Info().Defs[n] == v {
				return i, false, true
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return 0, false, false
}

// ConstantInt returns the value of a constant integer.
func ConstantInt(p Place, e ast.Expr) (int64, bool) {
	tv, ok := p.Info().Types[ast.Unparen(e)]
	if !ok || tv.Value == nil || tv.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(tv.Value)
}

// IsString reports whether a type is of strings.
func IsString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// UnderStruct returns the struct type under a type or a pointer to it.
func UnderStruct(t types.Type) (*types.Struct, bool) {
	if p, ok := TypeUnder[*types.Pointer](t); ok {
		t = p.Elem()
	}
	return TypeUnder[*types.Struct](t)
}

// FieldOf returns the field of that name; nil without one.
func FieldOf(st *types.Struct, name string) *types.Var {
	for field := range st.Fields() {
		if field.Name() == name {
			return field
		}
	}
	return nil
}

// EmbeddedFields are all of them; nil if one is not known.
func EmbeddedFields(t types.Type, index []int) (fields []*types.Var) {
	for _, i := range index[:len(index)-1] {
		st, ok := UnderStruct(t)
		if !ok {
			return nil
		}
		fields = append(fields, st.Field(i))
		t = st.Field(i).Type()
	}
	return fields
}

// IsBool reports whether a type is of booleans.
func IsBool(t types.Type) bool {
	b, ok := TypeUnder[*types.Basic](t)
	return ok && b.Info()&types.IsBoolean != 0
}

// TypeText writes a type as the file would; false when it names a package that
// the file does not import.
func TypeText(p Place, t types.Type) (string, bool) {
	ok := true
	text := types.TypeString(t, func(pkg *types.Package) string {
		if pkg.Path() == p.Pkg.PkgPath || (p.Pkg.Types != nil && pkg == p.Pkg.Types) {
			return ""
		}
		name, found := ImportName(p.File, pkg)
		ok = ok && found
		if name == "." {
			return ""
		}
		return name
	})
	return text, ok
}

// ImportName returns the name under which a file knows a package.
func ImportName(file *ast.File, pkg *types.Package) (string, bool) {
	for _, s := range file.Imports {
		if path, _ := strconv.Unquote(s.Path.Value); path == pkg.Path() {
			if s.Name != nil {
				return s.Name.Name, s.Name.Name != "_"
			}
			return pkg.Name(), true
		}
	}
	return pkg.Name(), false
}

// Zero writes the zero value of a type.
func Zero(p Place, t types.Type) (string, bool) {
	if _, ok := t.(*types.TypeParam); ok {
		text, fits := TypeText(p, t)
		return "*new(" + text + ")", fits
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "nil", true
	case *types.Struct, *types.Array:
		text, fits := TypeText(p, t)
		return text + "{}", fits
	}
	return "nil", true
}

// PkgName returns how the file names an imported package of the standard
// library, its base name if it is to be imported.
func PkgName(file *ast.File, path string) string {
	for _, s := range file.Imports {
		if have, _ := strconv.Unquote(s.Path.Value); have == path && s.Name != nil && s.Name.Name != "_" && s.Name.Name != "." {
			return s.Name.Name
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// Fresh returns the first of the names that nothing in the function uses; a
// numbered one when all are used.
func Fresh(p Place, names ...string) string {
	used := map[string]bool{}
	var root ast.Node = p.File
	if d := p.Declaration(); d != nil {
		root = d
	}
	ast.Inspect(root, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, name := range names {
		if !used[name] && !token.IsKeyword(name) && types.Universe.Lookup(name) == nil && (p.Pkg.Types == nil || p.Pkg.Types.Scope().Lookup(name) == nil) && !importsName(p.File, name) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := names[0] + strconv.Itoa(i); !used[name] {
			return name
		}
	}
}

func importsName(file *ast.File, name string) bool {
	for _, s := range file.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		if path[strings.LastIndexByte(path, '/')+1:] == name || (s.Name != nil && s.Name.Name == name) {
			return true
		}
	}
	return false
}

// Named returns the named type under pointers; nil without one.
func Named(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

var errorType = types.Universe.Lookup("error").Type()

// IsError reports whether a type is error.
func IsError(t types.Type) bool { return t != nil && types.Identical(t, errorType) }

// ImplementsError reports whether a type can be returned as an error.
func ImplementsError(t types.Type) bool {
	return t != nil && types.Implements(t, errorType.Underlying().(*types.Interface))
}

// IsMap reports whether a type is of maps.
func IsMap(t types.Type) bool {
	_, ok := TypeUnder[*types.Map](t)
	return ok
}

// IsPointer reports whether a type is of pointers.
func IsPointer(t types.Type) bool {
	_, ok := TypeUnder[*types.Pointer](t)
	return ok
}
