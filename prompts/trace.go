package prompts

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
)

const (
	maxFollowed = 60 // expressions that a value is followed back through
	maxDepth    = 5  // calls, assignments and fields between a value and where it comes from
	maxCallees  = 3  // of a call through an interface, followed
)

// tracer follows the values on the failing line back through the user's code,
// the nearest first, and notes the functions and fields on the way.
type tracer struct {
	g       *gathering
	x       *workspace.Index
	queue   []traced
	seen    map[ast.Node]bool
	written map[*types.Var]bool // fields and globals whose writers are listed
	called  map[*types.Func]bool
	params  map[*types.Var]bool
	shares  map[*types.Var]bool // shared things whose users are listed
	returns map[returned]bool   // results of calls that were followed on
	found   []relation
}

// traced is an expression to follow.
type traced struct {
	in     workspace.Func
	frame  int // its index in the stack; -1 where the function is not on it
	expr   ast.Expr
	result int // which result of expr is meant
	depth  int
	rank   rank // of the functions that are found here
}

// returned is one of a call's results.
type returned struct {
	call   ast.Node
	result int
}

func newTracer(g *gathering) *tracer {
	return &tracer{g: g, x: g.c.Code.Index(), seen: map[ast.Node]bool{}, written: map[*types.Var]bool{}, called: map[*types.Func]bool{}, params: map[*types.Var]bool{}, shares: map[*types.Var]bool{}, returns: map[returned]bool{}}
}

// run follows expressions until nothing is left or enough was seen.
func (t *tracer) run(start []traced) {
	t.queue = start
	for len(t.queue) > 0 && len(t.seen) < maxFollowed && t.g.ctx.Err() == nil {
		next := t.queue[0]
		t.queue = t.queue[1:]
		if next.expr == nil || next.depth > maxDepth || t.seen[next.expr] {
			continue
		}
		t.seen[next.expr] = true
		t.step(next)
	}
}

func (t *tracer) push(from traced, exprs ...ast.Expr) {
	from.result = 0
	for _, e := range exprs {
		from.expr = e
		t.queue = append(t.queue, from)
	}
}

func (t *tracer) step(at traced) {
	info := at.in.Package.TypesInfo
	switch e := ast.Unparen(at.expr).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok {
			t.variable(at, v)
		}
	case *ast.SelectorExpr:
		if v, ok := info.ObjectOf(e.Sel).(*types.Var); ok {
			t.writers(at, v, e)
		}
		if info.Selections[e] != nil {
			t.push(at, e.X)
		}
	case *ast.CallExpr:
		t.call(at, e)
	case *ast.IndexExpr:
		t.push(at, e.X, e.Index)
	case *ast.SliceExpr:
		t.push(at, e.X, e.Low, e.High, e.Max)
	case *ast.BinaryExpr:
		t.push(at, e.X, e.Y)
	case *ast.UnaryExpr:
		t.push(at, e.X)
	case *ast.StarExpr:
		t.push(at, e.X)
	case *ast.TypeAssertExpr:
		t.push(at, e.X)
	}
}

func (t *tracer) call(at traced, call *ast.CallExpr) {
	info := at.in.Package.TypesInfo
	if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		t.push(at, call.Args...)
		return
	}
	callees := t.dynamic(at, call, t.x.Callees(info, call))
	if len(callees) == 0 { // of a library, or a function value
		t.push(at, call.Fun)
		t.push(at, call.Args...)
		return
	}
	result := at.result
	for i, callee := range callees {
		if callee.Object == nil || t.called[callee.Object] {
			continue
		}
		t.called[callee.Object] = true
		if i >= maxCallees || callee.Object == at.in.Object {
			continue
		}
		t.found = append(t.found, relation{rank: at.rank, at: call.Pos(), to: []workspace.Func{callee}, many: len(callees)})
		t.results(at, callee, result)
	}
}

// dynamic keeps of the methods that a call through an interface may lead to the
// one of the type that the interface held, where that can be read.
func (t *tracer) dynamic(at traced, call *ast.CallExpr, callees []workspace.Func) []workspace.Func {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(callees) < 2 || at.frame < 0 {
		return callees
	}
	f := t.g.frame
	if at.frame != t.g.at {
		f = t.g.load(t.g.c.Stop.Frames[at.frame])
	}
	v, ok := lookup(f.Variables(), types.ExprString(sel.X))
	if !ok || v.Kind != reflect.Interface || len(v.Children) != 1 {
		return callees
	}
	held, _, _ := strings.Cut(strings.TrimLeft(v.Children[0].QualifiedType(), "*"), "[")
	var found []workspace.Func
	for _, c := range callees {
		name, _ := patch.Receiver(c.Decl)
		path, pkg := c.Package.PkgPath, c.Package.Name
		if slices.Contains([]string{path, path[strings.LastIndexByte(path, '/')+1:], pkg}, strings.TrimSuffix(held, "."+name)) {
			found = append(found, c)
		}
	}
	if len(found) != 1 { // the type's package may be known by its last element alone
		return callees
	}
	return found
}

// results follows what a function returns.
func (t *tracer) results(at traced, fn workspace.Func, result int) {
	next := traced{in: fn, frame: -1, depth: at.depth + 1, rank: at.rank}
	inspectOwn(fn.Decl.Body, func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok && result < len(r.Results) {
			t.push(next, r.Results[result])
		}
	})
}

// inspectOwn visits the nodes of a body, but not those of closures in it.
func inspectOwn(body *ast.BlockStmt, visit func(ast.Node)) {
	if body == nil {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, closure := n.(*ast.FuncLit); closure || n == nil {
			return false
		}
		visit(n)
		return true
	})
}

func (t *tracer) variable(at traced, v *types.Var) {
	if v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		t.writers(at, v, nil)
		return
	}
	if index, ok := parameter(at.in, v); ok {
		t.argument(at, v, index)
	}
	next := at
	next.depth++
	for _, u := range t.x.Writes(v) {
		next.expr, next.result = u.Value, u.Result
		if _, ranged := u.Node.(*ast.RangeStmt); ranged {
			next.result = 0
		}
		t.queue = append(t.queue, next)
	}
}

// parameter returns the place of a parameter among those of a declaration; -1
// is its receiver.
func parameter(fn workspace.Func, v *types.Var) (int, bool) {
	if fn.Object == nil {
		return 0, false
	}
	sig := fn.Object.Signature()
	if sig.Recv() == v {
		return -1, true
	}
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == v {
			return i, !sig.Variadic() || i < sig.Params().Len()-1
		}
	}
	return 0, false
}

// argument follows a parameter to what the callers give for it: the one on the
// stack, or all where the function is not on it.
func (t *tracer) argument(at traced, v *types.Var, index int) {
	if t.params[v] {
		return
	}
	t.params[v] = true
	next := traced{frame: -1, depth: at.depth + 1, rank: max(at.rank, rankArgument)}
	calls := t.x.Calls(at.in.Object)
	if at.frame >= 0 {
		outer := t.outer(at.frame)
		if outer < 0 {
			return
		}
		f := t.g.c.Stop.Frames[outer]
		next.frame = outer
		calls = slices.DeleteFunc(slices.Clone(calls), func(u workspace.Use) bool { return !t.spans(u.Node, f) })
	}
	if len(calls) > maxCallees {
		calls = calls[:maxCallees]
	}
	for _, u := range calls {
		if u.In.Decl == nil {
			continue
		}
		next.in = *u.In
		if arg := argumentOf(u.Node.(*ast.CallExpr), index); arg != nil {
			t.push(next, arg)
		}
	}
}

func argumentOf(call *ast.CallExpr, index int) ast.Expr {
	if index < 0 {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	}
	if index < len(call.Args) {
		return call.Args[index]
	}
	return nil
}

// outer is the next user's frame out; -1 without one.
func (t *tracer) outer(frame int) int {
	for i := frame + 1; i < len(t.g.c.Stop.Frames); i++ {
		if t.g.c.Stop.Frames[i].User {
			return i
		}
	}
	return -1
}

// spans reports whether a node reaches over the line of a frame.
func (t *tracer) spans(n ast.Node, f debugger.Frame) bool {
	file, first := t.x.Where(n.Pos())
	_, last := t.x.Where(n.End())
	return file == f.File && first <= f.Line && f.Line <= last
}

// writers lists who gives a field or a package's variable a value, and follows
// what they give.
func (t *tracer) writers(at traced, v *types.Var, sel *ast.SelectorExpr) {
	if v.Pkg() == nil || t.written[v.Origin()] || !t.g.c.Workspace.Owns(t.g.c.Code.Fset.Position(v.Pos()).Filename) {
		return
	}
	t.written[v.Origin()] = true
	r := relation{rank: max(at.rank, rankWriter), field: v, at: at.expr.Pos()}
	next := traced{frame: -1, depth: at.depth + 2, rank: r.rank}
	for _, u := range t.x.Uses(v) {
		if u.Test || u.Kind == workspace.Read || u.Kind == workspace.Call {
			continue
		}
		if t.spans(u.Node, t.g.frame) {
			r.here = r.here || u.Kind != workspace.Element
			continue
		}
		r.uses = append(r.uses, u)
		if u.Kind == workspace.Write && u.In.Decl != nil && u.Value != nil {
			next.in, next.expr, next.result = *u.In, u.Value, u.Result
			t.queue = append(t.queue, next)
		}
	}
	if sel != nil {
		r.owner, r.without = ownerName(at.in.Package.TypesInfo, sel), t.makers(at, v, sel)
	}
	t.found = append(t.found, r)
}

// makers lists the places that make the struct of a field without giving the
// field a value.
func (t *tracer) makers(at traced, v *types.Var, sel *ast.SelectorExpr) []workspace.Use {
	owner := ownerOf(at.in.Package.TypesInfo, sel)
	if owner == nil {
		return nil
	}
	var list []workspace.Use
	for _, u := range t.x.Makes(owner.Obj()) {
		if !u.Test && !t.sets(u, v) {
			list = append(list, u)
		}
	}
	return list
}

// sets reports whether a literal gives a field a value.
func (t *tracer) sets(made workspace.Use, v *types.Var) bool {
	lit, ok := made.Node.(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, u := range t.x.Writes(v) {
		if lit.Lbrace < u.Node.Pos() && u.Node.End() <= lit.Rbrace && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return e == u.Node }) {
			return true
		}
	}
	return false
}

// ownerOf is the named struct type that declares the field of a selector.
func ownerOf(info *types.Info, sel *ast.SelectorExpr) *types.Named {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] { // through embedded fields
		st, ok := deref(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = st.Field(i).Type()
	}
	n, _ := deref(t).(*types.Named)
	return n
}

func deref(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return t
}

// roots are the expressions that begin on a line of a function, the outermost
// of each; where none does, those that end there.
func (t *tracer) roots(fn workspace.Func, line int) []ast.Expr {
	if fn.Decl.Body == nil {
		return nil
	}
	var begin, end []ast.Expr
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		_, first := t.x.Where(n.Pos())
		_, last := t.x.Where(n.End() - 1)
		if first > line || last < line {
			return false
		}
		e, ok := n.(ast.Expr)
		if _, closure := n.(*ast.FuncLit); !ok || closure {
			return true
		}
		if first == line {
			begin = append(begin, e)
			return false
		}
		if last == line {
			end = append(end, e)
		}
		return true
	})
	if len(begin) == 0 {
		return end
	}
	return begin
}
