package analysis

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// MaxTrace bounds how many steps a value is followed back.
const MaxTrace = 8

// Trace follows an expression's value back to where it came from.
func (f *Analysis) Trace(p syntax.Place, frame int, e ast.Expr) code.Source {
	return f.follow(p, frame, ast.Unparen(e), MaxTrace)
}

func (f *Analysis) follow(p syntax.Place, frame int, e ast.Expr, steps int) code.Source {
	here := code.Source{Place: p.Of(e), Frame: frame, Expr: e}
	id, ok := e.(*ast.Ident)
	if !ok || steps == 0 {
		return here
	}
	v, ok := p.Info().ObjectOf(id).(*types.Var)
	if !ok {
		return here
	}
	here.Object = v
	if arg, found := f.Argument(p, frame, v); found {
		if arg.Expr == nil {
			arg.Object = v
			return arg
		}
		return f.follow(arg.Place, arg.Frame, ast.Unparen(arg.Expr), steps-1)
	}
	d, found := f.Definition(p, v, id.Pos())
	if !found {
		return here
	}
	d.Frame, d.Object, d.Unsure = frame, v, !certain(f, d, v, p.Of(id))
	if d.Kind == code.FromExpr && d.Result == 0 && d.Expr != nil {
		if _, multi := p.Info().TypeOf(d.Expr).(*types.Tuple); !multi {
			if _, isIdent := ast.Unparen(d.Expr).(*ast.Ident); isIdent {
				next := f.follow(d.Place, frame, ast.Unparen(d.Expr), steps-1)
				if next.Expr != ast.Unparen(d.Expr) {
					next.Unsure = next.Unsure || d.Unsure
					return next
				}
			}
		}
	}
	return d
}

// Definition returns the assignment that gave a variable its value before a
// position, as the text stands; package-level variables have their declaration.
func (f *Analysis) Definition(p syntax.Place, v *types.Var, before token.Pos) (code.Source, bool) {
	var best, any code.Source
	found, some := false, false
	for _, d := range f.Definitions(p, v) {
		if f.CannotBe != nil && f.CannotBe(d) {
			continue
		}
		any, some = d, true
		if d.Stmt.End() <= before || d.Kind == code.FromRange || syntax.Contains(d.Stmt, before) && d.Kind == code.FromOK {
			best, found = d, true
		}
	}
	if !found && some {
		return any, true
	}
	return best, found
}

// Argument returns what a caller gave for a parameter or receiver. found is
// false when v is none; the source has no expr when the call is not known.
func (f *Analysis) Argument(p syntax.Place, frame int, v *types.Var) (code.Source, bool) {
	fn := p.Function()
	ft := syntax.TypeOfFunc(fn)
	if ft == nil {
		return code.Source{}, false
	}
	d, _ := fn.(*ast.FuncDecl)
	index, receiver, found := syntax.ParamIndex(p, ft, d, v)
	if !found {
		return code.Source{}, false
	}
	unknownCall := code.Source{Place: p, Frame: -1, Kind: code.FromParam, Object: v}
	call, at, ok := f.CallerOf(p, frame)
	if !ok {
		return unknownCall, true
	}
	expr := call.Node().(*ast.CallExpr)
	if receiver {
		sel, ok := ast.Unparen(expr.Fun).(*ast.SelectorExpr)
		if !ok {
			return unknownCall, true
		}
		if s := call.Info().Selections[sel]; s != nil && len(s.Index()) > 1 { // of an embedded field
			return unknownCall, true
		}
		return code.Source{Place: call.Of(sel.X), Frame: at, Expr: sel.X, Object: v}, true
	}
	if index >= len(expr.Args) || expr.Ellipsis.IsValid() {
		return unknownCall, true
	}
	if sig := p.Signature(); sig != nil && sig.Variadic() && index >= sig.Params().Len()-1 {
		return unknownCall, true
	}
	return code.Source{Place: call.Of(expr.Args[index]), Frame: at, Expr: expr.Args[index], Object: v}, true
}

// givesOther reports whether a call gives a constant for a parameter that has
// another value in the frame, or nil for what is not: then it is not the one that is
// executing.
func (f *Analysis) givesOther(p syntax.Place, frame int, home syntax.Place, call *ast.CallExpr) bool {
	ft := syntax.TypeOfFunc(p.Function())
	if ft == nil {
		return false
	}
	i := 0
	for _, field := range ft.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) {
				given, isConst := syntax.ConstantInt(home, call.Args[i])
				has, known := syntax.ParseInt(f.Values.Variable(frame, name.Name).Value.Value)
				if isConst && known && given != has && !f.changes(p, name) || nilOnOneSide(f, p, frame, name, home, call.Args[i]) {
					return true
				}
			}
			i++
		}
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	d, isDecl := p.Function().(*ast.FuncDecl)
	if !ok || !isDecl || d.Recv == nil || len(d.Recv.List[0].Names) == 0 {
		return false
	}
	return nilOnOneSide(f, p, frame, d.Recv.List[0].Names[0], home, sel.X)
}

// nilOnOneSide reports whether one of a parameter and what a call in the next frame out
// gives for it is nil, and the other is not.
func nilOnOneSide(f *Analysis, p syntax.Place, frame int, name *ast.Ident, home syntax.Place, given ast.Expr) bool {
	has, gives := f.Values.Variable(frame, name.Name), f.Value(home, frame+1, given)
	return has.Known && gives.Known && has.Value.Kind == gives.Value.Kind && has.Value.Nil != gives.Value.Nil && !f.changes(p, name)
}

// changes reports whether a function gives its parameter another value.
func (f *Analysis) changes(p syntax.Place, name *ast.Ident) bool {
	v, ok := p.Info().Defs[name].(*types.Var)
	return !ok || syntax.Counted(p, v) || len(f.Definitions(p, v)) > 0
}

// CallerOf returns the call that the next frame out is executing, if it calls
// the function of p. Where the stack does not show it (a debugger may lose the
// caller of a function without a frame of its own), the only call there is in
// the user's code serves, without values: its frame is -1.
func (f *Analysis) CallerOf(p syntax.Place, frame int) (syntax.Place, int, bool) {
	if call, at, ok := f.CallerInStack(p, frame); ok {
		return call, at, ok
	}
	d, ok := p.Function().(*ast.FuncDecl)
	if !ok {
		return syntax.Place{}, 0, false
	}
	obj, ok := p.Info().Defs[d.Name].(*types.Func)
	if !ok {
		return syntax.Place{}, 0, false
	}
	if calls, _ := f.CallsOf(obj); len(calls) == 1 {
		return calls[0], -1, true
	}
	return syntax.Place{}, 0, false
}

// CallerInStack finds the call in the caller's frame.
func (f *Analysis) CallerInStack(p syntax.Place, frame int) (syntax.Place, int, bool) {
	frames := f.Case.Stop.Frames
	if frame < 0 || frame+1 >= len(frames) {
		return syntax.Place{}, 0, false
	}
	at := frame + 1
	for at+1 < len(frames) && frames[at].File == WrapperFile {
		at++
	}
	outer := frames[at]
	home, ok := f.FunctionAt(outer)
	if !ok {
		return syntax.Place{}, 0, false
	}
	d := p.Declaration()
	var want types.Object
	if fn, isDecl := p.Function().(*ast.FuncDecl); isDecl {
		want = p.Info().Defs[fn.Name]
	}
	var best *ast.CallExpr
	ast.Inspect(home.Path[0], func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || f.Line(call.Pos()) > outer.Line || f.Line(call.End()) < outer.Line {
			return true
		}
		callee := home.Callee(call)
		switch {
		case want != nil && callee != nil && f.Same(syntax.OriginOf(callee), syntax.OriginOf(want)):
		case want != nil && callee != nil && d != nil && callee.Name() == d.Name.Name && d.Recv != nil: // through an interface
		default:
			return true
		}
		if f.givesOther(p, frame, home, call) {
			return true
		}
		// Of several calls with the same values it is the first that is evaluated: it
		// panics before the others are made.
		here := f.LineOf(call) == outer.Line
		if first := best == nil || call.End() < best.End(); best == nil || here && (first || f.LineOf(best) != outer.Line) {
			best = call
		}
		return true
	})
	if best == nil {
		return syntax.Place{}, 0, false
	}
	return home.Of(best), at, true
}

// WrapperFile is the file of methods that the compiler has made.
const WrapperFile = "<autogenerated>"

// embeddedField returns the last embedded field on the way to a promoted method of a type.
func embeddedField(t types.Type, index []int) *types.Var {
	fields := syntax.EmbeddedFields(t, index)
	if len(fields) == 0 {
		return nil
	}
	return fields[len(fields)-1]
}
