package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
	"go/token"
	"go/types"
)

// source is where a value came from.
type source struct {
	syntax.Place              // of the defining expression or declaration
	frame        int          // the frame in which its names have values; -1 when none
	expr         ast.Expr     // what gave the value; nil for a declaration without one
	object       types.Object // the variable or parameter it was read from last; may be nil
	stmt         ast.Node     // the assignment or declaration; may be nil
	result       int          // which result of a call expr is; 0 otherwise
	of           sourceKind
	// unsure: more than one statement may have given the value, and which one did is
	// not known.
	unsure bool
}

type sourceKind int

const (
	fromExpr    sourceKind = iota // expr is the value
	fromNothing                   // declared without a value
	fromRange                     // an element of expr, which is ranged over
	fromParam                     // a parameter whose call is not known
	fromOK                        // the first result of a comma-ok form of expr
)

// maxTrace bounds how many steps a value is followed back.
const maxTrace = 8

// trace follows an expression's value back to where it came from.
func (f *analysis) trace(p syntax.Place, frame int, e ast.Expr) source {
	return f.follow(p, frame, ast.Unparen(e), maxTrace)
}

func (f *analysis) follow(p syntax.Place, frame int, e ast.Expr, steps int) source {
	here := source{Place: p.Of(e), frame: frame, expr: e}
	id, ok := e.(*ast.Ident)
	if !ok || steps == 0 {
		return here
	}
	v, ok := p.Info().ObjectOf(id).(*types.Var)
	if !ok {
		return here
	}
	here.object = v
	if arg, found := f.argument(p, frame, v); found {
		if arg.expr == nil {
			arg.object = v
			return arg
		}
		return f.follow(arg.Place, arg.frame, ast.Unparen(arg.expr), steps-1)
	}
	d, found := f.definition(p, v, id.Pos())
	if !found {
		return here
	}
	d.frame, d.object, d.unsure = frame, v, !certain(f, d, v, p.Of(id))
	if d.of == fromExpr && d.result == 0 && d.expr != nil {
		if _, multi := p.Info().TypeOf(d.expr).(*types.Tuple); !multi {
			if _, isIdent := ast.Unparen(d.expr).(*ast.Ident); isIdent {
				next := f.follow(d.Place, frame, ast.Unparen(d.expr), steps-1)
				if next.expr != ast.Unparen(d.expr) {
					next.unsure = next.unsure || d.unsure
					return next
				}
			}
		}
	}
	return d
}

// definition returns the assignment that gave a variable its value before a
// position, as the text stands; package-level variables have their declaration.
func (f *analysis) definition(p syntax.Place, v *types.Var, before token.Pos) (source, bool) {
	var best, any source
	found, some := false, false
	for _, d := range f.definitions(p, v) {
		if f.cannotBe != nil && f.cannotBe(d) {
			continue
		}
		any, some = d, true
		if d.stmt.End() <= before || d.of == fromRange || syntax.Contains(d.stmt, before) && d.of == fromOK {
			best, found = d, true
		}
	}
	if !found && some {
		return any, true
	}
	return best, found
}

// definitions lists all places that give a variable a value, in source order.
func (f *code) definitions(p syntax.Place, v *types.Var) []source {
	var list []source
	add := func(q syntax.Place, at ast.Node, names []ast.Expr, values []ast.Expr) {
		for i, n := range names {
			id, ok := ast.Unparen(n).(*ast.Ident)
			if !ok || !f.same(q.Info().ObjectOf(id), v) {
				continue
			}
			s := source{frame: -1, stmt: at, object: v}
			switch {
			case len(values) == 0:
				s.of, s.Place = fromNothing, q.Of(at)
			case len(values) == len(names):
				s.expr, s.Place = values[i], q.Of(values[i])
			default:
				s.expr, s.Place, s.result = values[0], q.Of(values[0]), i
				if _, isCall := ast.Unparen(values[0]).(*ast.CallExpr); !isCall {
					s.of = fromOK
				}
			}
			list = append(list, s)
		}
	}
	visitFile := func(q syntax.Place, root ast.Node) {
		ast.Inspect(root, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
					add(q, n, n.Lhs, n.Rhs)
				}
			case *ast.ValueSpec:
				names := make([]ast.Expr, len(n.Names))
				for i := range n.Names {
					names[i] = n.Names[i]
				}
				add(q, n, names, n.Values)
			case *ast.RangeStmt:
				for i, e := range []ast.Expr{n.Key, n.Value} {
					if id, ok := e.(*ast.Ident); ok && f.same(q.Info().ObjectOf(id), v) {
						list = append(list, source{Place: q.Of(n.X), frame: -1, expr: n.X, stmt: n, object: v, result: i, of: fromRange})
					}
				}
			}
			return true
		})
	}
	if v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || syntax.IsGlobal(v) {
		f.each(func(q syntax.Place) { visitFile(q, q.File) })
		return list
	}
	if d := p.Declaration(); d != nil {
		visitFile(p, d)
	} else {
		visitFile(p, p.File)
	}
	return list
}

// argument returns what a caller gave for a parameter or receiver. found is
// false when v is none; the source has no expr when the call is not known.
func (f *analysis) argument(p syntax.Place, frame int, v *types.Var) (source, bool) {
	fn := p.Function()
	ft := syntax.TypeOfFunc(fn)
	if ft == nil {
		return source{}, false
	}
	d, _ := fn.(*ast.FuncDecl)
	index, receiver, found := syntax.ParamIndex(p, ft, d, v)
	if !found {
		return source{}, false
	}
	unknownCall := source{Place: p, frame: -1, of: fromParam, object: v}
	call, at, ok := f.callerOf(p, frame)
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
		return source{Place: call.Of(sel.X), frame: at, expr: sel.X, object: v}, true
	}
	if index >= len(expr.Args) || expr.Ellipsis.IsValid() {
		return unknownCall, true
	}
	if sig := p.Signature(); sig != nil && sig.Variadic() && index >= sig.Params().Len()-1 {
		return unknownCall, true
	}
	return source{Place: call.Of(expr.Args[index]), frame: at, expr: expr.Args[index], object: v}, true
}

// givesOther reports whether a call gives a constant for a parameter that has
// another value in the frame, or nil for what is not: then it is not the one that is
// executing.
func (f *analysis) givesOther(p syntax.Place, frame int, home syntax.Place, call *ast.CallExpr) bool {
	ft := syntax.TypeOfFunc(p.Function())
	if ft == nil {
		return false
	}
	i := 0
	for _, field := range ft.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) {
				given, isConst := syntax.ConstantInt(home, call.Args[i])
				has, known := syntax.ParseInt(f.values.variable(frame, name.Name).value.Value)
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
func nilOnOneSide(f *analysis, p syntax.Place, frame int, name *ast.Ident, home syntax.Place, given ast.Expr) bool {
	has, gives := f.values.variable(frame, name.Name), f.value(home, frame+1, given)
	return has.known && gives.known && has.value.Kind == gives.value.Kind && has.value.Nil != gives.value.Nil && !f.changes(p, name)
}

// changes reports whether a function gives its parameter another value.
func (f *analysis) changes(p syntax.Place, name *ast.Ident) bool {
	v, ok := p.Info().Defs[name].(*types.Var)
	return !ok || syntax.Counted(p, v) || len(f.definitions(p, v)) > 0
}

// callerOf returns the call that the next frame out is executing, if it calls
// the function of p. Where the stack does not show it (a debugger may lose the
// caller of a function without a frame of its own), the only call there is in
// the user's code serves, without values: its frame is -1.
func (f *analysis) callerOf(p syntax.Place, frame int) (syntax.Place, int, bool) {
	if call, at, ok := f.callerInStack(p, frame); ok {
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
	if calls, _ := f.callsOf(obj); len(calls) == 1 {
		return calls[0], -1, true
	}
	return syntax.Place{}, 0, false
}

func (f *analysis) callerInStack(p syntax.Place, frame int) (syntax.Place, int, bool) {
	frames := f.c.Stop.Frames
	if frame < 0 || frame+1 >= len(frames) {
		return syntax.Place{}, 0, false
	}
	at := frame + 1
	for at+1 < len(frames) && frames[at].File == wrapperFile {
		at++
	}
	outer := frames[at]
	home, ok := f.functionAt(outer)
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
		if !isCall || f.line(call.Pos()) > outer.Line || f.line(call.End()) < outer.Line {
			return true
		}
		callee := home.Callee(call)
		switch {
		case want != nil && callee != nil && f.same(syntax.OriginOf(callee), syntax.OriginOf(want)):
		case want != nil && callee != nil && d != nil && callee.Name() == d.Name.Name && d.Recv != nil: // through an interface
		default:
			return true
		}
		if f.givesOther(p, frame, home, call) {
			return true
		}
		// Of several calls with the same values it is the first that is evaluated: it
		// panics before the others are made.
		here := f.lineOf(call) == outer.Line
		if first := best == nil || call.End() < best.End(); best == nil || here && (first || f.lineOf(best) != outer.Line) {
			best = call
		}
		return true
	})
	if best == nil {
		return syntax.Place{}, 0, false
	}
	return home.Of(best), at, true
}

// declarationOf returns the user's declaration of a function.
func (f *code) declarationOf(fn *types.Func) (syntax.Place, bool) {
	if fn == nil {
		return syntax.Place{}, false
	}
	var found syntax.Place
	f.each(func(p syntax.Place) {
		for _, d := range p.File.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == fn.Name() && f.same(syntax.OriginOf(p.Info().Defs[fd.Name]), syntax.OriginOf(fn)) {
				found = p.Of(fd)
			}
		}
	})
	return found, found.File != nil
}
