package workspace

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// FuncValue is a function of the user's that is used as a value: a declaration, or a literal.
type FuncValue struct {
	Name      string // of a declaration in full, else that of its place
	Type      *ast.FuncType
	Body      *ast.BlockStmt
	Signature *types.Signature
}

// valueCall is a call of what a variable or another expression is.
type valueCall struct {
	call      *ast.CallExpr
	signature *types.Signature
}

// FuncValues lists the functions that a value of a type may be, declared ones first.
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

// alike reports whether two functions have one type, also where the variants of a package, such as
// that with its tests, have a type each of the same name.
func alike(a, b *types.Signature) bool {
	return types.Identical(a, b) || types.TypeString(a, nil) == types.TypeString(b, nil)
}

// ValueCalls lists the calls that may be of a function that is a value.
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
			x.values = append(x.values, FuncValue{d.Object.FullName(), d.Decl.Type, d.Decl.Body, d.Object.Signature()})
		}
	}
	slices.SortFunc(x.values, func(a, b FuncValue) int { return strings.Compare(a.Name, b.Name) })
	seen := map[string]bool{}
	for _, pkg := range x.code.Packages {
		for _, file := range pkg.Syntax {
			if name := x.code.Fset.Position(file.FileStart).Filename; pkg.TypesInfo != nil && !seen[name] {
				seen[name] = true
				x.valuesIn(pkg.TypesInfo, file)
			}
		}
	}
}

func (x *Index) valuesIn(info *types.Info, file *ast.File) {
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
