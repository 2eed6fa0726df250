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
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
)

// reflection is a call of package reflect that cannot be done on its value.
type reflection struct {
	*proposal.Proposal
	syntax.Place // of the call
	call         *ast.CallExpr
	recv         ast.Expr // the reflect.Value or reflect.Type
	method       string
	viaTypes     bool // recv is a reflect.Type
}

var (
	onKind     = lazyregexp.New(`call of reflect\.Value\.(\w+) on (\w+) Value`)
	unexported = lazyregexp.New(`unexported field`)
)

// Reflect explains a value that was used by reflection in a way that it does not allow,
// and offers fixes.
func Reflect(p *proposal.Proposal) {
	f := refusalRules{p}
	r, ok := f.reflectCall()
	if !ok {
		return
	}
	message := f.Panic.Message
	text := r.Text(r.recv)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Origin: f.RelWhere(r.call.Pos()),
		Sentence: fmt.Sprintf("%s (%s) cannot be called on %s: %s", r.method, f.Where(r.call.Pos()), text, message)}
	switch {
	case strings.Contains(message, "on zero Value"):
		f.Diagnosis.Value = "the zero Value"
		r.zeroValue()
	case strings.Contains(message, "unaddressable value"):
		f.Diagnosis.Value = "not addressable"
		r.unaddressable()
	case unexported.MatchString(message):
		f.Diagnosis.Value = "an unexported field"
	}
}

// reflectCall finds the call of package reflect on the culprit's line.
func (f refusalRules) reflectCall() (*reflection, bool) {
	lib, inside := f.InLibrary()
	if !inside {
		return nil, false
	}
	for i := f.At - 1; i >= 0; i-- { // the outermost of the library's frames that are one call's
		if fr := f.Case.Stop.Frames[i]; !fr.Runtime && strings.HasPrefix(fr.Function, "reflect.") {
			lib = fr.Function
			break
		}
	}
	name := lib[strings.LastIndexByte(lib, '.')+1:]
	if m := onKind.FindStringSubmatch(f.Panic.Message); m != nil {
		name = m[1]
	}
	var best *reflection
	for _, p := range f.CallsOnLine() {
		call := p.Node().(*ast.CallExpr)
		fn := p.Callee(call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn == nil || !isSel || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" || fn.Type().(*types.Signature).Recv() == nil {
			continue
		}
		r := &reflection{Proposal: f.Proposal, Place: p, call: call, recv: sel.X, method: fn.Name(), viaTypes: syntax.RecvName(fn) == "Type"}
		if fn.Name() == name {
			return r, true
		}
		if best == nil {
			best = r
		}
	}
	return best, best != nil
}

// made is the call that made a reflect.Value: FieldByName, MapIndex, ValueOf, …
func (r *reflection) made() (code.Source, *ast.CallExpr, string) {
	src := r.Trace(r.Place, r.At, r.recv)
	call, ok := ast.Unparen(syntax.OrNil(src.Expr)).(*ast.CallExpr)
	if !ok {
		return src, nil, ""
	}
	fn := src.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
		return src, nil, ""
	}
	return src, call, fn.Name()
}

// zeroValue: a lookup found nothing, or there was no value to begin with.
func (r *reflection) zeroValue() {
	_, call, name := r.made()
	switch name {
	case "FieldByName", "MethodByName", "MapIndex":
		what := map[string]string{"FieldByName": "field", "MethodByName": "method", "MapIndex": "key"}[name]
		r.Diagnosis.Sentence = fmt.Sprintf("%s is the zero Value: %s (%s) found no such %s", r.Text(r.recv), syntax.Short(r.Text(call)), r.Where(call.Pos()), what)
		if ast.Unparen(r.recv) == ast.Expr(call) {
			r.Diagnosis.Sentence = fmt.Sprintf("%s (%s) found no such %s, and gave the zero Value", syntax.Short(r.Text(call)), r.Where(call.Pos()), what)
		}
	case "ValueOf", "Indirect", "Elem":
		r.Diagnosis.Sentence = fmt.Sprintf("%s is the zero Value: %s (%s) was given nil", r.Text(r.recv), syntax.Short(r.Text(call)), r.Where(call.Pos()))
	}
	if call != nil {
		r.Diagnosis.Origin = r.RelWhere(call.Pos())
	}
}

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
