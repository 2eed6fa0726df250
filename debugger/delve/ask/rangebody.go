package ask

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// The body of a loop over a function is a function of its own, which the iterator
// calls. Delve knows which variables of the function around it are seen there for
// the innermost frame of a goroutine only; at a panic, that is the runtime's.

// maxIterators bounds how many frames lie between a loop and its body.
const maxIterators = 64

// AroundBody returns the variables that the loop body of a frame sees of the function
// it is written in, those of inner loops last; empty for any other frame.
func AroundBody(ctx context.Context, srv *control.Server, at debugger.FrameRef) []api.Variable {
	if at.Frame == 0 || at.Deferred != 0 { // Delve knows, or nothing has run
		return nil
	}
	out, err := rpc.Call[rpc2.StacktraceOut](ctx, srv.Client, "Stacktrace", rpc2.StacktraceIn{Id: int64(at.Goroutine), Depth: at.Frame + maxIterators, Skip: at.Frame})
	if err != nil || len(out.Locations) < 2 {
		return nil
	}
	body := out.Locations[0].Function.Name()
	written := RangeBody.ReplaceAllString(body, "")
	if written == body {
		return nil
	}
	var loops []int // the frames that hold the variables, innermost first
	for i, f := range out.Locations[1:] {
		switch name := f.Function.Name(); {
		case name == written:
			loops = append(loops, at.Frame+1+i)
			if again := slices.ContainsFunc(out.Locations[i+2:], func(f api.Stackframe) bool { return f.Function.Name() == written }); again {
				return closureOf(ctx, srv, debugger.FrameRef{Goroutine: at.Goroutine, Frame: at.Frame + 1}, body)
			}
			return variablesOf(ctx, srv, at.Goroutine, loops)
		case RangeBody.ReplaceAllString(name, "") == written:
			loops = append(loops, at.Frame+1+i)
		}
	}
	return closureOf(ctx, srv, debugger.FrameRef{Goroutine: at.Goroutine, Frame: at.Frame + 1}, body)
}

// variablesOf lists the variables of frames, the last frame's first.
func variablesOf(ctx context.Context, srv *control.Server, g debugger.GoroutineID, frames []int) (list []api.Variable) {
	for _, i := range slices.Backward(frames) {
		args, locals, err := InFrame(ctx, srv, debugger.FrameRef{Goroutine: g, Frame: i})
		if err != nil {
			return nil
		}
		list = append(append(list, args...), locals...)
	}
	return list
}

// closureOf lists what the function of that name has captured, by the value of it
// that its caller has. Which of several calls of the function around it is the
// right one does not follow from their names.
func closureOf(ctx context.Context, srv *control.Server, caller debugger.FrameRef, function string) []api.Variable {
	args, locals, err := InFrame(ctx, srv, caller)
	if err != nil {
		return nil
	}
	for _, v := range append(args, locals...) {
		if v.Kind == reflect.Func && v.Value == function {
			return v.Children
		}
	}
	return nil
}

// InFrame lists the arguments and locals of a frame as Delve knows them.
func InFrame(ctx context.Context, srv *control.Server, at debugger.FrameRef) (args, locals []api.Variable, err error) {
	return ReadFrame(ctx, srv, at, false)
}

// ReadFrame lists them; wide is as for convert.Deepened.
func ReadFrame(ctx context.Context, srv *control.Server, at debugger.FrameRef, wide bool) (args, locals []api.Variable, err error) {
	args, errArgs := convert.Deepened(wide, func(load api.LoadConfig) ([]api.Variable, error) {
		out, err := readTyped(ctx, srv, at, "ListFunctionArgs", rpc2.ListFunctionArgsIn{Scope: Scope(at), Cfg: load},
			func(out rpc2.ListFunctionArgsOut) []api.Variable { return out.Args })
		return out.Args, err
	})
	locals, errLocals := convert.Deepened(wide, func(load api.LoadConfig) ([]api.Variable, error) {
		out, err := readTyped(ctx, srv, at, "ListLocalVars", rpc2.ListLocalVarsIn{Scope: Scope(at), Cfg: load},
			func(out rpc2.ListLocalVarsOut) []api.Variable { return out.Variables })
		return out.Variables, err
	})
	if errArgs == nil || errLocals != nil && errArgs.Error() == errLocals.Error() { // it is not said twice
		return args, locals, errLocals
	}
	return args, locals, errors.Join(errArgs, errLocals)
}

// Surrounding converts the variables around a loop body but those that the body
// has others of the same name for. expr writes the expression of each.
func Surrounding(around []api.Variable, own []debugger.Variable, expr func(*api.Variable) string) []debugger.Variable {
	var list []debugger.Variable
	for i := range around {
		v := &around[i]
		hidden := strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, ".") || strings.HasPrefix(v.Name, "#") || v.Name == "_" ||
			slices.ContainsFunc(own, func(o debugger.Variable) bool { return o.Name == v.Name }) ||
			slices.ContainsFunc(around[i+1:], func(o api.Variable) bool { return o.Name == v.Name })
		if hidden {
			continue
		}
		converted := convert.Variable(v, v.Name, expr(v))
		converted.DeclLine = v.DeclLine
		list = append(list, converted)
	}
	return list
}

// ByName returns a function that writes the expression of a variable around the loop body of a
// frame: its name, which SeenFrom finds, or its address if a package has a variable of that name.
func ByName(ctx context.Context, srv *control.Server, at debugger.FrameRef) func(*api.Variable) string {
	return func(v *api.Variable) string {
		if _, err := evalAsIs(ctx, srv, at, v.Name, convert.ChildLoad); errors.Is(err, rpc.ErrNoSymbol) {
			return v.Name
		}
		return convert.ByAddress(v)
	}
}

// SeenFrom writes an expression so that Delve can evaluate it in the frame of a loop
// body: names of the function around it by their addresses. ok is false where
// there are none.
func SeenFrom(ctx context.Context, srv *control.Server, at debugger.FrameRef, expr string) (text string, ok bool) {
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return expr, false
	}
	list := AroundBody(ctx, srv, at)
	if len(list) == 0 {
		return expr, false
	}
	_, own, err := InFrame(ctx, srv, at)
	if err != nil {
		return expr, false
	}
	names := map[string]string{}
	for _, v := range Surrounding(list, convert.Variables(own), convert.ByAddress) {
		names[v.Name] = v.Expr
	}
	return replaced(parsed, expr, names)
}

// SeenFromInside writes an expression of a frame so that Delve can evaluate it in the
// innermost one, where alone it calls functions: variables by their addresses.
func SeenFromInside(ctx context.Context, srv *control.Server, at debugger.FrameRef, expr string) string {
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return expr
	}
	args, locals, _ := InFrame(ctx, srv, at) // what there is
	names := map[string]string{}
	for _, v := range Surrounding(append(args, locals...), nil, convert.ByAddress) {
		names[v.Name] = v.Expr
	}
	text, _ := replaced(parsed, expr, names)
	return text
}

// replaced writes an expression with other texts for some names; ok is false where it
// has none of them.
func replaced(parsed ast.Expr, expr string, names map[string]string) (text string, ok bool) {
	var found []*ast.Ident
	fields := map[*ast.Ident]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fields[n.Sel] = true
		case *ast.Ident:
			if names[n.Name] != "" && !fields[n] {
				found = append(found, n)
			}
		}
		return true
	})
	slices.SortFunc(found, func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) })
	for _, id := range slices.Backward(found) {
		expr = expr[:id.Pos()-1] + "(" + names[id.Name] + ")" + expr[id.End()-1:]
	}
	return expr, len(found) > 0
}

// AroundOffset is the offset of the frame of the function that the innermost frame
// of the selected goroutine is a loop body of; 0 where it is none.
func AroundOffset(ctx context.Context, srv *control.Server, g int64, function string) int64 {
	if !RangeBody.MatchString(function) {
		return 0
	}
	v, err := Eval(ctx, srv, debugger.FrameRef{Goroutine: debugger.GoroutineID(g)}, "runtime.rangeParentOffset", convert.ChildLoad)
	if err != nil {
		return 0
	}
	offset, _ := strconv.ParseInt(v.Value, 10, 64) // 0 where it is not known
	return offset
}

// RangeBody ends the names of the functions that the bodies of loops over
// functions are made into.
var RangeBody = lazyregexp.New(`-range\d+$`)
