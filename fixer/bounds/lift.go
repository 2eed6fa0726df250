package bounds

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// A bad argument is the caller's fault more often than not: this file looks at
// what a function works on as its callers see it.

// maxLift bounds how many callers a fault is followed through.
const maxLift = 4

// lift returns an indexing as the caller sees it: base and index are its
// arguments. Both must come from there, or mean the same everywhere.
func (f indexRules) lift(x indexing) (indexing, bool) {
	call, at, ok := f.CallerOf(x.Place, x.frame)
	if !ok {
		return indexing{}, false
	}
	counter, plus := x.offset()
	index, ok := f.argumentFor(x.Place, call, counter)
	if !ok {
		return indexing{}, false
	}
	root, path := rootOf(x.base)
	base, ok := f.argumentFor(x.Place, call, root)
	if !ok {
		return indexing{}, false
	}
	if u, isAddress := ast.Unparen(base).(*ast.UnaryExpr); isAddress && u.Op == token.AND {
		base = u.X
	}
	if !syntax.IsPathOrIndex(base) {
		return indexing{}, false
	}
	up := indexing{index: index, base: base, suffix: path + x.suffix, plus: plus, value: x.value, length: x.length, frame: at}
	up.Suspect = analysis.Suspect{Place: call.Of(index), Expr: index, Bad: index}
	return up, true
}

// argumentFor returns what a call gives for an expression that is a parameter
// or the receiver of the function of p.
func (f indexRules) argumentFor(p, call syntax.Place, e ast.Expr) (arg ast.Expr, ok bool) {
	id, isIdent := ast.Unparen(e).(*ast.Ident)
	if !isIdent {
		return nil, false
	}
	v, isVar := p.Info().ObjectOf(id).(*types.Var)
	d, isDecl := p.Function().(*ast.FuncDecl)
	if !isVar || !isDecl {
		return nil, false
	}
	index, receiver, found := syntax.ParamIndex(p, d.Type, d, v)
	if !found || len(f.Definitions(p, v)) > 0 { // changed on the way
		return nil, false
	}
	expr := call.Node().(*ast.CallExpr)
	if receiver {
		sel, isSel := ast.Unparen(expr.Fun).(*ast.SelectorExpr)
		if !isSel {
			return nil, false
		}
		return sel.X, true
	}
	if index >= len(expr.Args) || expr.Ellipsis.IsValid() {
		return nil, false
	}
	return expr.Args[index], true
}

// callersLoops fixes the loop of a caller whose counter became the index.
func (f indexRules) callersLoops(x indexing) {
	for range maxLift {
		up, ok := f.lift(x)
		if !ok {
			return
		}
		f.loopBounds(up)
		if f.Offered() {
			return
		}
		x = up
	}
}

// refuseInCallers checks what a function is given where a caller can report it,
// while the function itself cannot.
func (f indexRules) refuseInCallers(x indexing) {
	for range maxLift {
		if canFail(x.Place) {
			return
		}
		up, ok := f.lift(x)
		if !ok {
			return
		}
		if canFail(up.Place) {
			f.Guard(up.Place, up.outOfRange(f.Analysis), f.indexMessageFor(up), up.indexText(f.Code))
			return
		}
		x = up
	}
}

// canFail reports whether the function of a place has an error result.
func canFail(p syntax.Place) bool {
	sig := p.Signature()
	return sig != nil && sig.Results().Len() > 0 && syntax.ImplementsError(sig.Results().At(sig.Results().Len()-1).Type())
}

// rootOf splits a path into its first name and the rest: "r" and ".lines".
func rootOf(e ast.Expr) (root ast.Expr, path string) {
	root = ast.Unparen(e)
	for {
		sel, ok := root.(*ast.SelectorExpr)
		if !ok {
			return root, path
		}
		path = "." + sel.Sel.Name + path
		root = ast.Unparen(sel.X)
	}
}
