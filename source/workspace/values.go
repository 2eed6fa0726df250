package workspace

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// FuncValue is a function of the user's that is used as a value: a declaration, or a literal.
type FuncValue struct {
	Name      string // of a declaration in full, else that of its place
	Type      *ast.FuncType
	Body      *ast.BlockStmt
	Signature *types.Signature
}

// Value is a declared function as a value.
func (f Func) Value() FuncValue {
	return FuncValue{f.Object.FullName(), f.Decl.Type, f.Decl.Body, f.Object.Signature()}
}

// valueCall is a call of a function value.
type valueCall struct {
	call      *ast.CallExpr
	signature *types.Signature
}

// FuncValues lists the functions that a function value of a type may refer to, declared ones
// first.
func (x *Index) FuncValues(t *types.Signature) []FuncValue {
	x.valued.Do(x.findValues)
	var list []FuncValue
	for _, v := range x.values {
		if alike(v.Signature, t) {
			list = append(list, v)
		}
	}
	return list
}

// alike reports whether two functions have the same type. The variants of a package, such as the
// one with its tests, have types of their own, which are compared by name.
func alike(a, b *types.Signature) bool {
	return types.Identical(a, b) || types.TypeString(a, nil) == types.TypeString(b, nil)
}

// ValueCalls lists the calls of function values that may call a function.
func (x *Index) ValueCalls(fn FuncValue) []*ast.CallExpr {
	x.valued.Do(x.findValues)
	var list []*ast.CallExpr
	if !slices.ContainsFunc(x.values, func(v FuncValue) bool { return v.Body == fn.Body }) {
		return nil
	}
	for _, c := range x.valueCalls {
		literal, direct := ast.Unparen(c.call.Fun).(*ast.FuncLit)
		if direct && literal.Body == fn.Body || !direct && alike(c.signature, fn.Signature) {
			list = append(list, c.call)
		}
	}
	return list
}

// LiteralOf is the function literal that a variable is a parameter of.
func (x *Index) LiteralOf(v *types.Var) (FuncValue, bool) {
	x.valued.Do(x.findValues)
	for _, f := range x.values {
		for p := range f.Signature.Params().Variables() {
			if p.Pos() == v.Pos() {
				return f, true
			}
		}
	}
	return FuncValue{}, false
}

func (x *Index) findValues() {
	for key, d := range x.decls {
		if d.Decl.Body != nil && slices.ContainsFunc(x.uses[key], func(u Use) bool { return u.Kind == Read }) {
			x.values = append(x.values, d.Value())
		}
	}
	slices.SortFunc(x.values, func(a, b FuncValue) int { return strings.Compare(a.Name, b.Name) })
	x.code.files(x.valuesIn)
}

func (x *Index) valuesIn(pkg *packages.Package, file *ast.File) {
	info := pkg.TypesInfo
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if sig := SignatureOf(info, n); sig != nil {
				x.values = append(x.values, FuncValue{x.code.Fset.Position(n.Pos()).String(), n.Type, n.Body, sig})
			}
		case *ast.CallExpr:
			if sig := SignatureOf(info, n.Fun); sig != nil && Callee(info, n) == nil {
				x.valueCalls = append(x.valueCalls, valueCall{n, sig})
			}
		}
		return true
	})
}

// SignatureOf is the type of a function value; nil of anything else.
func SignatureOf(info *types.Info, e ast.Expr) *types.Signature {
	if tv, ok := info.Types[e]; ok && tv.IsValue() {
		sig, _ := tv.Type.Underlying().(*types.Signature)
		return sig
	}
	return nil
}
