package delve

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// The body of a loop over a function is a function of its own, which the iterator
// calls. Delve knows which variables of the function around it are seen there for
// the innermost frame of a goroutine only; at a panic, that is the runtime's.

// maxIterators bounds how many frames lie between a loop and its body.
const maxIterators = 64

// aroundBody returns the variables that the loop body of a frame sees of the function
// it is written in, those of inner loops last; empty for any other frame.
func (srv *server) aroundBody(ctx context.Context, at debugger.FrameRef) []api.Variable {
	if at.Frame == 0 || at.Deferred != 0 { // Delve knows, or nothing has run
		return nil
	}
	out, err := call[rpc2.StacktraceOut](ctx, srv.client, "Stacktrace", rpc2.StacktraceIn{Id: int64(at.Goroutine), Depth: at.Frame + maxIterators, Skip: at.Frame})
	if err != nil || len(out.Locations) < 2 {
		return nil
	}
	body := out.Locations[0].Function.Name()
	written := rangeBody.ReplaceAllString(body, "")
	if written == body {
		return nil
	}
	var loops []int // the frames that hold the variables, innermost first
	for i, f := range out.Locations[1:] {
		switch name := f.Function.Name(); {
		case name == written:
			loops = append(loops, at.Frame+1+i)
			if again := slices.ContainsFunc(out.Locations[i+2:], func(f api.Stackframe) bool { return f.Function.Name() == written }); again {
				return srv.closureOf(ctx, debugger.FrameRef{Goroutine: at.Goroutine, Frame: at.Frame + 1}, body)
			}
			return srv.variablesOf(ctx, at.Goroutine, loops)
		case rangeBody.ReplaceAllString(name, "") == written:
			loops = append(loops, at.Frame+1+i)
		}
	}
	return srv.closureOf(ctx, debugger.FrameRef{Goroutine: at.Goroutine, Frame: at.Frame + 1}, body)
}

// variablesOf lists the variables of frames, the last frame's first.
func (srv *server) variablesOf(ctx context.Context, g debugger.GoroutineID, frames []int) (list []api.Variable) {
	for _, i := range slices.Backward(frames) {
		args, locals, err := srv.inFrame(ctx, debugger.FrameRef{Goroutine: g, Frame: i})
		if err != nil {
			return nil
		}
		list = append(append(list, args...), locals...)
	}
	return list
}

// closureOf lists what the function of that name has captured, by the value of it
// that its caller has. Which of several calls of the function around it is the
// right one cannot be told by their names.
func (srv *server) closureOf(ctx context.Context, caller debugger.FrameRef, function string) []api.Variable {
	args, locals, err := srv.inFrame(ctx, caller)
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

// inFrame lists the arguments and locals of a frame as Delve knows them.
func (srv *server) inFrame(ctx context.Context, at debugger.FrameRef) (args, locals []api.Variable, err error) {
	return srv.readFrame(ctx, at, false)
}

// readFrame lists them; wide is as for deepened.
func (srv *server) readFrame(ctx context.Context, at debugger.FrameRef, wide bool) (args, locals []api.Variable, err error) {
	args, errArgs := convert.Deepened(wide, func(load api.LoadConfig) ([]api.Variable, error) {
		out, err := readTyped(ctx, srv, at, "ListFunctionArgs", rpc2.ListFunctionArgsIn{Scope: scope(at), Cfg: load},
			func(out rpc2.ListFunctionArgsOut) []api.Variable { return out.Args })
		return out.Args, err
	})
	locals, errLocals := convert.Deepened(wide, func(load api.LoadConfig) ([]api.Variable, error) {
		out, err := readTyped(ctx, srv, at, "ListLocalVars", rpc2.ListLocalVarsIn{Scope: scope(at), Cfg: load},
			func(out rpc2.ListLocalVarsOut) []api.Variable { return out.Variables })
		return out.Variables, err
	})
	if errArgs == nil || errLocals != nil && errArgs.Error() == errLocals.Error() { // it is not said twice
		return args, locals, errLocals
	}
	return args, locals, errors.Join(errArgs, errLocals)
}

// surrounding converts the variables around a loop body but those that the body
// has others of the same name for. expr writes the expression of each.
func surrounding(around []api.Variable, own []debugger.Variable, expr func(*api.Variable) string) []debugger.Variable {
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

// byName returns a function that writes the expression of a variable around the loop body of a
// frame: its name, which seenFrom finds, or its address if a package has a variable of that name.
func (srv *server) byName(ctx context.Context, at debugger.FrameRef) func(*api.Variable) string {
	return func(v *api.Variable) string {
		if _, err := srv.evalAsIs(ctx, at, v.Name, convert.ChildLoad); errors.Is(err, errNoSymbol) {
			return v.Name
		}
		return convert.ByAddress(v)
	}
}

// seenFrom writes an expression so that Delve can evaluate it in the frame of a loop
// body: names of the function around it by their addresses. ok is false where
// there are none.
func (srv *server) seenFrom(ctx context.Context, at debugger.FrameRef, expr string) (text string, ok bool) {
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return expr, false
	}
	list := srv.aroundBody(ctx, at)
	if len(list) == 0 {
		return expr, false
	}
	_, own, err := srv.inFrame(ctx, at)
	if err != nil {
		return expr, false
	}
	names := map[string]string{}
	for _, v := range surrounding(list, variables(own), convert.ByAddress) {
		names[v.Name] = v.Expr
	}
	return replaced(parsed, expr, names)
}

// seenFromInside writes an expression of a frame so that Delve can evaluate it in the
// innermost one, where alone it calls functions: variables by their addresses.
func (srv *server) seenFromInside(ctx context.Context, at debugger.FrameRef, expr string) string {
	parsed, err := parser.ParseExpr(expr)
	if err != nil {
		return expr
	}
	args, locals, _ := srv.inFrame(ctx, at) // what there is
	names := map[string]string{}
	for _, v := range surrounding(append(args, locals...), nil, convert.ByAddress) {
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

// aroundOffset is the offset of the frame of the function that the innermost frame
// of the selected goroutine is a loop body of; 0 where it is none.
func (srv *server) aroundOffset(ctx context.Context, g int64, function string) int64 {
	if !rangeBody.MatchString(function) {
		return 0
	}
	v, err := srv.eval(ctx, debugger.FrameRef{Goroutine: debugger.GoroutineID(g)}, "runtime.rangeParentOffset", convert.ChildLoad)
	if err != nil {
		return 0
	}
	offset, _ := strconv.ParseInt(v.Value, 10, 64) // 0 where it is not known
	return offset
}

// stepOutside plans to go on with a step whose frame is gone: that of a loop body goes
// on in the loop's function, or in the body's next call.
func (sp *steps) stepOutside(ctx context.Context, p *plan, s *step, frames []api.Stackframe) error {
	at := slices.IndexFunc(frames, func(f api.Stackframe) bool { return s.around != 0 && f.FrameOffset == s.around })
	if at < 0 {
		return sp.toCaller(ctx, p, s, frames)
	}
	if err := sp.switchTo(ctx, s.goroutine); err != nil {
		return err
	}
	p.command.Name = s.command
	switch {
	case at == 0:
		return nil
	case s.command == api.StepOut:
		return sp.leaveInner(ctx, p, s.goroutine, at)
	}
	return sp.nextCallOfBody(ctx, p, s, frames[at])
}

// toCaller plans to end a step whose function has returned where its caller goes on: a
// tracepoint in the wrapper of a method value is between them.
func (sp *steps) toCaller(ctx context.Context, p *plan, s *step, frames []api.Stackframe) error {
	p.command.Name = api.Continue
	caller := slices.IndexFunc(frames, func(f api.Stackframe) bool { return f.FrameOffset > s.offset && f.File != debugger.Autogenerated })
	if caller <= 0 { // there is nothing to step in
		p.step = nil
		return nil
	}
	p.then = func() error {
		p.over = true
		return nil
	}
	return sp.temporarily(ctx, p, []uint64{frames[caller].PC}, inFrame(s.goroutine, frames[caller].FrameOffset))
}

// nextCallOfBody runs to the next call of a loop body, or to where the loop's function
// goes on.
func (sp *steps) nextCallOfBody(ctx context.Context, p *plan, s *step, loop api.Stackframe) error {
	addrs, err := sp.places.addresses(ctx, debugger.FrameRef{Goroutine: debugger.GoroutineID(s.goroutine)}, s.function)
	if err != nil {
		return err
	}
	p.command.Name = api.Continue
	p.then = func() error {
		p.command.Name = api.Next
		now, err := sp.frameAt(ctx, s.goroutine, 0)
		p.over = err == nil && (now.FrameOffset != s.around || now.Line != loop.Line)
		return err
	}
	cond := fmt.Sprintf("runtime.curg.goid == %d && (runtime.frameoff == %d || runtime.rangeParentOffset == %[2]d)", s.goroutine, s.around)
	return sp.temporarily(ctx, p, append(addrs, loop.PC), cond)
}
