package fixer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// source is where a value came from.
type source struct {
	place               // of the defining expression or declaration
	frame  int          // the frame in which its names have values; -1 when none
	expr   ast.Expr     // what gave the value; nil for a declaration without one
	object types.Object // the variable or parameter it was read from last; may be nil
	stmt   ast.Node     // the assignment or declaration; may be nil
	result int          // which result of a call expr is; 0 otherwise
	of     sourceKind
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
func (f *analysis) trace(p place, frame int, e ast.Expr) source {
	return f.follow(p, frame, ast.Unparen(e), maxTrace)
}

func (f *analysis) follow(p place, frame int, e ast.Expr, steps int) source {
	here := source{place: p.of(e), frame: frame, expr: e}
	id, ok := e.(*ast.Ident)
	if !ok || steps == 0 {
		return here
	}
	v, ok := p.info().ObjectOf(id).(*types.Var)
	if !ok {
		return here
	}
	here.object = v
	if arg, found := f.argument(p, frame, v); found {
		if arg.expr == nil {
			arg.object = v
			return arg
		}
		return f.follow(arg.place, arg.frame, ast.Unparen(arg.expr), steps-1)
	}
	d, found := f.definition(p, v, id.Pos())
	if !found {
		return here
	}
	d.frame, d.object, d.unsure = frame, v, !certain(f, d, v, p.of(id))
	if d.of == fromExpr && d.result == 0 && d.expr != nil {
		if _, multi := p.info().TypeOf(d.expr).(*types.Tuple); !multi {
			if _, isIdent := ast.Unparen(d.expr).(*ast.Ident); isIdent {
				next := f.follow(d.place, frame, ast.Unparen(d.expr), steps-1)
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
func (f *analysis) definition(p place, v *types.Var, before token.Pos) (source, bool) {
	var best, any source
	found, some := false, false
	for _, d := range f.definitions(p, v) {
		if f.cannotBe != nil && f.cannotBe(d) {
			continue
		}
		any, some = d, true
		if d.stmt.End() <= before || d.of == fromRange || contains(d.stmt, before) && d.of == fromOK {
			best, found = d, true
		}
	}
	if !found && some {
		return any, true
	}
	return best, found
}

func contains(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// definitions lists all places that give a variable a value, in source order.
func (f *code) definitions(p place, v *types.Var) []source {
	var list []source
	add := func(q place, at ast.Node, names []ast.Expr, values []ast.Expr) {
		for i, n := range names {
			id, ok := ast.Unparen(n).(*ast.Ident)
			if !ok || !f.same(q.info().ObjectOf(id), v) {
				continue
			}
			s := source{frame: -1, stmt: at, object: v}
			switch {
			case len(values) == 0:
				s.of, s.place = fromNothing, q.of(at)
			case len(values) == len(names):
				s.expr, s.place = values[i], q.of(values[i])
			default:
				s.expr, s.place, s.result = values[0], q.of(values[0]), i
				if _, isCall := ast.Unparen(values[0]).(*ast.CallExpr); !isCall {
					s.of = fromOK
				}
			}
			list = append(list, s)
		}
	}
	visitFile := func(q place, root ast.Node) {
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
					if id, ok := e.(*ast.Ident); ok && f.same(q.info().ObjectOf(id), v) {
						list = append(list, source{place: q.of(n.X), frame: -1, expr: n.X, stmt: n, object: v, result: i, of: fromRange})
					}
				}
			}
			return true
		})
	}
	if v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() || isGlobal(v) {
		f.each(func(q place) { visitFile(q, q.file) })
		return list
	}
	if d := p.declaration(); d != nil {
		visitFile(p, d)
	} else {
		visitFile(p, p.file)
	}
	return list
}

func isGlobal(v types.Object) bool {
	return v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// argument returns what a caller gave for a parameter or receiver. found is
// false when v is none; the source has no expr when the call is not known.
func (f *analysis) argument(p place, frame int, v *types.Var) (source, bool) {
	fn := p.function()
	ft := typeOfFunc(fn)
	if ft == nil {
		return source{}, false
	}
	d, _ := fn.(*ast.FuncDecl)
	index, receiver, found := paramIndex(p, ft, d, v)
	if !found {
		return source{}, false
	}
	unknownCall := source{place: p, frame: -1, of: fromParam, object: v}
	call, at, ok := f.callerOf(p, frame)
	if !ok {
		return unknownCall, true
	}
	expr := call.node().(*ast.CallExpr)
	if receiver {
		sel, ok := ast.Unparen(expr.Fun).(*ast.SelectorExpr)
		if !ok {
			return unknownCall, true
		}
		if s := call.info().Selections[sel]; s != nil && len(s.Index()) > 1 { // of an embedded field
			return unknownCall, true
		}
		return source{place: call.of(sel.X), frame: at, expr: sel.X, object: v}, true
	}
	if index >= len(expr.Args) || expr.Ellipsis.IsValid() {
		return unknownCall, true
	}
	if sig := p.signature(); sig != nil && sig.Variadic() && index >= sig.Params().Len()-1 {
		return unknownCall, true
	}
	return source{place: call.of(expr.Args[index]), frame: at, expr: expr.Args[index], object: v}, true
}

func paramIndex(p place, ft *ast.FuncType, d *ast.FuncDecl, v *types.Var) (index int, receiver, found bool) {
	if d != nil && d.Recv != nil {
		for _, field := range d.Recv.List {
			for _, n := range field.Names {
				if p.info().Defs[n] == v {
					return 0, true, true
				}
			}
		}
	}
	i := 0
	for _, field := range ft.Params.List {
		for _, n := range field.Names {
			if p.info().Defs[n] == v {
				return i, false, true
			}
			i++
		}
		if len(field.Names) == 0 {
			i++
		}
	}
	return 0, false, false
}

// givesOther reports whether a call gives a constant for a parameter that has
// another value in the frame, or nil for what is not: then it is not the one that is
// executing.
func (f *analysis) givesOther(p place, frame int, home place, call *ast.CallExpr) bool {
	ft := typeOfFunc(p.function())
	if ft == nil {
		return false
	}
	i := 0
	for _, field := range ft.Params.List {
		for _, name := range field.Names {
			if i < len(call.Args) {
				given, isConst := constantInt(home, call.Args[i])
				has, known := parseInt(f.values.variable(frame, name.Name).value.Value)
				if isConst && known && given != has && !f.changes(p, name) || nilOnOneSide(f, p, frame, name, home, call.Args[i]) {
					return true
				}
			}
			i++
		}
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	d, isDecl := p.function().(*ast.FuncDecl)
	if !ok || !isDecl || d.Recv == nil || len(d.Recv.List[0].Names) == 0 {
		return false
	}
	return nilOnOneSide(f, p, frame, d.Recv.List[0].Names[0], home, sel.X)
}

// nilOnOneSide reports whether one of a parameter and what a call in the next frame out
// gives for it is nil, and the other is not.
func nilOnOneSide(f *analysis, p place, frame int, name *ast.Ident, home place, given ast.Expr) bool {
	has, gives := f.values.variable(frame, name.Name), f.value(home, frame+1, given)
	return has.known && gives.known && has.value.Kind == gives.value.Kind && has.value.Nil != gives.value.Nil && !f.changes(p, name)
}

// changes reports whether a function gives its parameter another value.
func (f *analysis) changes(p place, name *ast.Ident) bool {
	v, ok := p.info().Defs[name].(*types.Var)
	return !ok || counted(p, v) || len(f.definitions(p, v)) > 0
}

// callerOf returns the call that the next frame out is executing, if it calls
// the function of p. Where the stack does not show it (a debugger may lose the
// caller of a function without a frame of its own), the only call there is in
// the user's code serves, without values: its frame is -1.
func (f *analysis) callerOf(p place, frame int) (place, int, bool) {
	if call, at, ok := f.callerInStack(p, frame); ok {
		return call, at, ok
	}
	d, ok := p.function().(*ast.FuncDecl)
	if !ok {
		return place{}, 0, false
	}
	obj, ok := p.info().Defs[d.Name].(*types.Func)
	if !ok {
		return place{}, 0, false
	}
	if calls, _ := f.callsOf(obj); len(calls) == 1 {
		return calls[0], -1, true
	}
	return place{}, 0, false
}

func (f *analysis) callerInStack(p place, frame int) (place, int, bool) {
	frames := f.c.Stop.Frames
	if frame < 0 || frame+1 >= len(frames) {
		return place{}, 0, false
	}
	at := frame + 1
	for at+1 < len(frames) && frames[at].File == wrapperFile {
		at++
	}
	outer := frames[at]
	home, ok := f.functionAt(outer)
	if !ok {
		return place{}, 0, false
	}
	d := p.declaration()
	var want types.Object
	if fn, isDecl := p.function().(*ast.FuncDecl); isDecl {
		want = p.info().Defs[fn.Name]
	}
	var best *ast.CallExpr
	ast.Inspect(home.path[0], func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall || f.line(call.Pos()) > outer.Line || f.line(call.End()) < outer.Line {
			return true
		}
		callee := home.callee(call)
		switch {
		case want != nil && callee != nil && f.same(originOf(callee), originOf(want)):
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
		return place{}, 0, false
	}
	return home.of(best), at, true
}

func constantInt(p place, e ast.Expr) (int64, bool) {
	tv, ok := p.info().Types[ast.Unparen(e)]
	if !ok || tv.Value == nil || tv.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(tv.Value)
}

func isConstant(p place, e ast.Expr) bool {
	_, ok := constantInt(p, e)
	return ok
}

// returnsOf lists the return statements of a declaration itself, without closures.
func returnsOf(d ast.Node) []*ast.ReturnStmt {
	var list []*ast.ReturnStmt
	body := bodyOf(d)
	if body == nil {
		return nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			list = append(list, n)
		}
		return true
	})
	return list
}

// declarationOf returns the user's declaration of a function.
func (f *code) declarationOf(fn *types.Func) (place, bool) {
	if fn == nil {
		return place{}, false
	}
	var found place
	f.each(func(p place) {
		for _, d := range p.file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Name.Name == fn.Name() && f.same(originOf(p.info().Defs[fd.Name]), originOf(fn)) {
				found = p.of(fd)
			}
		}
	})
	return found, found.file != nil
}
