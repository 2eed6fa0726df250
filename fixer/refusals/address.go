package refusals

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// addressAtCallers makes the calls of the function hand over the address of
// the variable that they pass by value.
func (r *reflection) addressAtCallers(src code.Source, call *ast.CallExpr, more func(*code.Change)) {
	id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
	if !ok {
		return
	}
	v, ok := src.Info().ObjectOf(id).(*types.Var)
	if !ok {
		return
	}
	fn, calls, index := r.ParamOf(src.Place, v)
	if fn == nil {
		return
	}
	if !types.IsInterface(v.Type()) || index < 0 {
		return
	}
	ch := r.Change()
	var at []string
	for _, c := range calls {
		args := c.Node().(*ast.CallExpr).Args
		if index >= len(args) {
			continue
		}
		a := args[index]
		t := c.Info().TypeOf(a)
		if t == nil || syntax.IsPointer(t) || types.IsInterface(t) || !addressable(a) {
			continue
		}
		ch.Insert(a.Pos(), "&")
		at = append(at, r.Where(a.Pos()))
	}
	if len(at) == 0 {
		return
	}
	if more != nil {
		more(ch)
	}
	r.Diagnosis.Sentence += fmt.Sprintf(": %s passes a copy (%s)", syntax.FuncName(calls[0].Function()), at[0])
	r.Diagnosis.Origin = r.RelWhere(calls[0].Node().Pos())
	r.Offer(proposal.Idea{Rule: "reflect/address-at-callers", Title: fmt.Sprintf("pass a pointer to %s", syntax.FuncName(fn)), Weight: exits.Origin - 1, Change: ch,
		Why: fmt.Sprintf("%s changes what it is given; that takes the variable itself, not a copy (%s).", syntax.FuncName(fn), strings.Join(at, ", "))})
}

func addressable(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.Name != "nil"
	case *ast.SelectorExpr:
		return true
	case *ast.CompositeLit:
		return true
	}
	return false
}

// unaddressable: a copy cannot be changed.
func (r *reflection) unaddressable() {
	root, call := r.rootValue()
	r.Diagnosis.Sentence = fmt.Sprintf("%s is not addressable, as %s (%s) needs it to be", r.Text(r.recv), r.method, r.Where(r.call.Pos()))
	if call == nil {
		return
	}
	r.Diagnosis.Origin = r.RelWhere(call.Pos())
	fn := root.Callee(call)
	if fn == nil || fn.Name() != "ValueOf" && fn.Name() != "Indirect" {
		return
	}
	inner := call
	if fn.Name() == "Indirect" {
		c, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return
		}
		inner = c
	}
	r.addressAtCallers(root, inner, func(ch *code.Change) {
		if fn.Name() == "ValueOf" {
			ch.Insert(call.End(), ".Elem()")
		}
	})
}

// rootValue climbs from v.Field(i).Index(j) to the ValueOf that v came from.
func (r *reflection) rootValue() (code.Source, *ast.CallExpr) {
	e := r.recv
	p := r.Place
	for range analysis.MaxTrace {
		src := r.Trace(p, r.At, e)
		call, ok := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.CallExpr)
		if !ok {
			return src, nil
		}
		fn := src.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
			return src, nil
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn.Type().(*types.Signature).Recv() == nil || !isSel {
			return src, call
		}
		p, e = src.Place, sel.X
	}
	return code.Source{}, nil
}
