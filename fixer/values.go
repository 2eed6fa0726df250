package fixer

import (
	"context"
	"errors"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// values reads the paused state; everything it answers may be unknown.
type values struct {
	ctx     context.Context
	inspect debugger.Inspector
	stop    debugger.Stop
	cache   map[string]answer
}

type answer struct {
	value   debugger.Variable
	known   bool
	missing bool // a map has no such key
}

func newValues(ctx context.Context, c evidence.Case) *values {
	return &values{ctx: ctx, inspect: c.Inspect, stop: c.Stop, cache: map[string]answer{}}
}

// variable returns the value of an expression in a frame; frame < 0 knows nothing.
func (v *values) variable(frame int, expr string) answer {
	if frame < 0 {
		return answer{}
	}
	key := strconv.Itoa(frame) + "\x00" + expr
	if a, ok := v.cache[key]; ok {
		return a
	}
	a := v.loaded(frame, expr)
	if !a.known && v.inspect != nil {
		value, err := v.inspect.Evaluate(v.ctx, debugger.FrameRef{Goroutine: v.stop.Goroutine, Frame: frame}, expr)
		switch {
		case err == nil && value.Unreadable == "":
			a = answer{value: value, known: true}
		case errors.Is(err, debugger.ErrNoKey):
			a = answer{missing: true}
		}
	}
	v.cache[key] = a
	return a
}

// loaded looks a plain name or a path of fields up among the frame's variables.
func (v *values) loaded(frame int, expr string) answer {
	if frame >= len(v.stop.Frames) {
		return answer{}
	}
	parts := strings.Split(expr, ".")
	var found *debugger.Variable
	vars := v.stop.Frames[frame].Variables()
	for i := range vars {
		if vars[i].Name == parts[0] && !vars[i].Shadowed && !vars[i].Unset {
			found = &vars[i]
		}
	}
	if found == nil {
		return answer{}
	}
	value := *found
	for _, part := range parts[1:] {
		child, ok := value.Deref().Child(part)
		if !ok {
			return answer{}
		}
		value = child
	}
	return answer{value: value, known: value.Unreadable == ""}
}

// value evaluates an expression of the source in a frame.
func (f *analysis) value(p syntax.Place, frame int, e ast.Expr) answer {
	if frame < 0 || !syntax.CallFree(p, e) {
		return answer{}
	}
	a := f.values.variable(frame, f.Text(e))
	if a.known || a.missing {
		return a
	}
	if text, at, ok := f.asCallerSees(p, frame, e); ok {
		return f.values.variable(at, text)
	}
	return a
}

// asCallerSees writes a path that begins with a parameter in terms of the
// caller's argument. Parameters that still are in registers cannot be read in
// their own frame.
func (f *analysis) asCallerSees(p syntax.Place, frame int, e ast.Expr) (text string, at int, ok bool) {
	root := ast.Unparen(e)
	for {
		sel, isSel := root.(*ast.SelectorExpr)
		if !isSel {
			break
		}
		root = ast.Unparen(sel.X)
	}
	id, isIdent := root.(*ast.Ident)
	if !isIdent {
		return "", 0, false
	}
	v, isVar := p.Info().ObjectOf(id).(*types.Var)
	if !isVar {
		return "", 0, false
	}
	arg, found := f.argument(p.Of(e), frame, v)
	if !found || arg.Expr == nil || arg.Frame < 0 {
		return "", 0, false
	}
	given := ast.Unparen(arg.Expr)
	if u, isAddress := given.(*ast.UnaryExpr); isAddress && u.Op == token.AND {
		given = ast.Unparen(u.X)
	}
	if !syntax.IsPath(given) {
		return "", 0, false
	}
	return f.Text(given) + f.Text(e)[len(id.Name):], arg.Frame, true
}

// tri is a fact that may be unknown.
type tri int

const (
	unknown tri = iota
	yes
	no
)

func triOf(b bool) tri {
	if b {
		return yes
	}
	return no
}

// isNil reports whether an expression is nil in a frame.
func (f *analysis) isNil(p syntax.Place, frame int, e ast.Expr) tri {
	if a := f.value(p, frame, e); a.known {
		switch a.value.Kind {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
			return triOf(a.value.Nil)
		}
		return no
	} else if a.missing {
		return yes
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, isVar := p.Info().ObjectOf(id).(*types.Var); isVar {
			if arg, found := f.argument(p.Of(id), frame, v); found && arg.Expr != nil {
				switch given := ast.Unparen(arg.Expr).(type) {
				case *ast.UnaryExpr, *ast.CompositeLit, *ast.FuncLit:
					return no
				case *ast.Ident:
					if given.Name == "nil" {
						return yes
					}
				}
			}
		}
	}
	// The base of a lookup may be readable where the lookup itself is not.
	if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok && syntax.IsMap(p.Info().TypeOf(ix.X)) {
		if f.isNil(p, frame, ix.X) == yes {
			return yes
		}
	}
	return unknown
}

// number evaluates an integer expression in a frame.
func (f *analysis) number(p syntax.Place, frame int, e ast.Expr) (int64, bool) {
	e = ast.Unparen(e)
	if tv, ok := p.Info().Types[e]; ok && tv.Value != nil {
		return constant.Int64Val(constant.ToInt(tv.Value))
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return f.numberOfCall(p, frame, e)
	case *ast.BinaryExpr:
		x, okX := f.number(p, frame, e.X)
		y, okY := f.number(p, frame, e.Y)
		if okX && okY {
			return arithmetic(e.Op, x, y)
		}
		return 0, false
	case *ast.UnaryExpr:
		if x, ok := f.number(p, frame, e.X); ok && e.Op == token.SUB {
			return -x, true
		}
	}
	if a := f.value(p, frame, e); a.known {
		return syntax.ParseInt(a.value.Value)
	}
	return 0, false
}

func (f *analysis) numberOfCall(p syntax.Place, frame int, call *ast.CallExpr) (int64, bool) {
	if tv, ok := p.Info().Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return f.number(p, frame, call.Args[0])
	}
	name, _ := p.Builtin(call)
	switch name {
	case "len":
		return f.length(p, frame, call.Args[0])
	case "min", "max":
		best, ok := f.number(p, frame, call.Args[0])
		for _, a := range call.Args[1:] {
			n, known := f.number(p, frame, a)
			ok = ok && known
			if (name == "min") == (n < best) {
				best = n
			}
		}
		return best, ok
	}
	return 0, false
}

// length evaluates the length of an expression in a frame.
func (f *analysis) length(p syntax.Place, frame int, e ast.Expr) (int64, bool) {
	t := p.Info().TypeOf(e)
	if t != nil {
		u := t.Underlying()
		if ptr, ok := u.(*types.Pointer); ok {
			u = ptr.Elem().Underlying()
		}
		if arr, ok := u.(*types.Array); ok {
			return arr.Len(), true
		}
	}
	if a := f.value(p, frame, e); a.known {
		if a.value.Kind == reflect.String && a.value.Len == 0 {
			return int64(len(a.value.Value)), true
		}
		return a.value.Len, true
	}
	return 0, false
}

func arithmetic(op token.Token, x, y int64) (int64, bool) {
	switch op {
	case token.ADD:
		return x + y, true
	case token.SUB:
		return x - y, true
	case token.MUL:
		return x * y, true
	case token.QUO:
		if y != 0 {
			return x / y, true
		}
	case token.REM:
		if y != 0 {
			return x % y, true
		}
	case token.SHL:
		if y >= 0 && y < 63 {
			return x << y, true
		}
	case token.SHR:
		if y >= 0 && y < 64 {
			return x >> y, true
		}
	case token.AND:
		return x & y, true
	case token.OR:
		return x | y, true
	}
	return 0, false
}
