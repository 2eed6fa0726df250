package analysis

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// Values reads the paused state; everything it answers may be unknown.
type Values struct {
	ctx     context.Context
	inspect debugger.Inspector
	stop    debugger.Stop
	cache   map[string]Answer
}

// Answer is a value, and whether it is known.
type Answer struct {
	Value   debugger.Variable
	Known   bool
	Missing bool // a map has no such key
}

func newValues(ctx context.Context, c evidence.Case) *Values {
	return &Values{ctx: ctx, inspect: c.Inspect, stop: c.Stop, cache: map[string]Answer{}}
}

// Variable returns the value of an expression in a frame; frame < 0 knows nothing.
func (v *Values) Variable(frame int, expr string) Answer {
	if frame < 0 {
		return Answer{}
	}
	key := strconv.Itoa(frame) + "\x00" + expr
	if a, ok := v.cache[key]; ok {
		return a
	}
	a := v.loaded(frame, expr)
	if !a.Known && v.inspect != nil {
		value, err := v.inspect.Evaluate(v.ctx, debugger.FrameRef{Goroutine: v.stop.Goroutine, Frame: frame}, expr)
		switch {
		case err == nil && value.Unreadable == "":
			a = Answer{Value: value, Known: true}
		case errors.Is(err, debugger.ErrNoKey):
			a = Answer{Missing: true}
		}
	}
	v.cache[key] = a
	return a
}

// loaded looks a plain name or a path of fields up among the frame's variables.
func (v *Values) loaded(frame int, expr string) Answer {
	if frame >= len(v.stop.Frames) {
		return Answer{}
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
		return Answer{}
	}
	value := *found
	for _, part := range parts[1:] {
		child, ok := value.Deref().Child(part)
		if !ok {
			return Answer{}
		}
		value = child
	}
	return Answer{Value: value, Known: value.Unreadable == ""}
}

// Value evaluates an expression of the source in a frame.
func (f *Analysis) Value(p syntax.Place, frame int, e ast.Expr) Answer {
	if frame < 0 || !syntax.CallFree(p, e) {
		return Answer{}
	}
	a := f.Values.Variable(frame, f.Text(e))
	if a.Known || a.Missing {
		return a
	}
	if text, at, ok := f.asCallerSees(p, frame, e); ok {
		return f.Values.Variable(at, text)
	}
	return a
}

// asCallerSees writes a path that begins with a parameter in terms of the
// caller's argument. Parameters that still are in registers cannot be read in
// their own frame.
func (f *Analysis) asCallerSees(p syntax.Place, frame int, e ast.Expr) (text string, at int, ok bool) {
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
	arg, found := f.Argument(p.Of(e), frame, v)
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

// Tri is a fact that may be unknown.
type Tri int

const (
	Unknown Tri = iota
	Yes
	No
)

// TriOf is Yes or No.
func TriOf(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// IsNil reports whether an expression is nil in a frame.
func (f *Analysis) IsNil(p syntax.Place, frame int, e ast.Expr) Tri {
	if a := f.Value(p, frame, e); a.Known {
		switch a.Value.Kind {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan, reflect.Func, reflect.Interface, reflect.UnsafePointer:
			return TriOf(a.Value.Nil)
		}
		return No
	} else if a.Missing {
		return Yes
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, isVar := p.Info().ObjectOf(id).(*types.Var); isVar {
			if arg, found := f.Argument(p.Of(id), frame, v); found && arg.Expr != nil {
				switch given := ast.Unparen(arg.Expr).(type) {
				case *ast.UnaryExpr, *ast.CompositeLit, *ast.FuncLit:
					return No
				case *ast.Ident:
					if given.Name == "nil" {
						return Yes
					}
				}
			}
		}
	}
	// The base of a lookup may be readable where the lookup itself is not.
	if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok && syntax.IsMap(p.Info().TypeOf(ix.X)) {
		if f.IsNil(p, frame, ix.X) == Yes {
			return Yes
		}
	}
	return Unknown
}

// Number evaluates an integer expression in a frame.
func (f *Analysis) Number(p syntax.Place, frame int, e ast.Expr) (int64, bool) {
	e = ast.Unparen(e)
	if tv, ok := p.Info().Types[e]; ok && tv.Value != nil {
		return constant.Int64Val(constant.ToInt(tv.Value))
	}
	switch e := e.(type) {
	case *ast.CallExpr:
		return f.numberOfCall(p, frame, e)
	case *ast.BinaryExpr:
		x, okX := f.Number(p, frame, e.X)
		y, okY := f.Number(p, frame, e.Y)
		if okX && okY {
			return arithmetic(e.Op, x, y)
		}
		return 0, false
	case *ast.UnaryExpr:
		if x, ok := f.Number(p, frame, e.X); ok && e.Op == token.SUB {
			return -x, true
		}
	}
	if a := f.Value(p, frame, e); a.Known {
		return syntax.ParseInt(a.Value.Value)
	}
	return 0, false
}

func (f *Analysis) numberOfCall(p syntax.Place, frame int, call *ast.CallExpr) (int64, bool) {
	if tv, ok := p.Info().Types[call.Fun]; ok && tv.IsType() && len(call.Args) == 1 {
		return f.Number(p, frame, call.Args[0])
	}
	name, _ := p.Builtin(call)
	switch name {
	case "len":
		return f.Length(p, frame, call.Args[0])
	case "min", "max":
		best, ok := f.Number(p, frame, call.Args[0])
		for _, a := range call.Args[1:] {
			n, known := f.Number(p, frame, a)
			ok = ok && known
			if (name == "min") == (n < best) {
				best = n
			}
		}
		return best, ok
	}
	return 0, false
}

// Length evaluates the length of an expression in a frame.
func (f *Analysis) Length(p syntax.Place, frame int, e ast.Expr) (int64, bool) {
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
	if a := f.Value(p, frame, e); a.Known {
		if a.Value.Kind == reflect.String && a.Value.Len == 0 {
			return int64(len(a.Value.Value)), true
		}
		return a.Value.Len, true
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

// NoValue says that looking a key up gave nil: that the key is not there, only
// where the target says so, since a key may hold nil.
func (f *Analysis) NoValue(src code.Source, e *ast.IndexExpr) string {
	has := "no value for"
	switch a := f.Values.Variable(src.Frame, f.Text(e)); {
	case a.Missing:
		has = "no key"
	case a.Known:
		has = "nil for"
	}
	return fmt.Sprintf("%s (%s) has %s %s", f.Text(e.X), f.Where(e.Pos()), has, f.key(src.Frame, e.Index))
}

// maxKey bounds a key that is written in a sentence, in bytes.
const maxKey = 40

// key names what a map is asked for: a variable by its value, where that is short.
func (f *Analysis) key(frame int, e ast.Expr) string {
	expr := f.Text(e)
	if _, constant := ast.Unparen(e).(*ast.BasicLit); constant {
		return expr
	}
	a := f.Values.Variable(frame, expr)
	switch v := a.Value; {
	case !a.Known:
	case v.Kind == reflect.String && len(v.Value) <= maxKey && int64(len(v.Value)) == v.Len:
		return fmt.Sprintf("%q (%s)", v.Value, expr)
	case v.Kind >= reflect.Bool && v.Kind <= reflect.Uint64 && v.Value != "" && len(v.Value) <= maxKey:
		return fmt.Sprintf("%s (%s)", v.Value, expr)
	}
	return expr
}
