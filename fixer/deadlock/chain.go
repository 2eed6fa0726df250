package deadlock

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// selectOf returns the select statement that a communication clause belongs to.
func selectOf(p syntax.Place, c *ast.CommClause) *ast.SelectStmt {
	for i, n := range p.Path {
		if n == ast.Node(c) && i+2 < len(p.Path) {
			s, _ := p.Path[i+2].(*ast.SelectStmt)
			return s
		}
	}
	return nil
}

// awaited is what would end a wait: an operation on one channel or group.
type awaited struct {
	addr uint64 // of the channel or group; 0 where it is not known
	ops  []syntax.Place
	gos  []syntax.Place // calls of WaitGroup.Go: what they start ends with Done
}

// chain is what was found out about who waits for whom; the goroutines do not move meanwhile.
type chain struct {
	next      map[debugger.GoroutineID][]waiter
	courses   map[debugger.GoroutineID][]course
	groups    map[any]groupUses
	addresses map[addressed]uint64
}

func newChain() chain {
	return chain{
		next:      map[debugger.GoroutineID][]waiter{},
		courses:   map[debugger.GoroutineID][]course{},
		groups:    map[any]groupUses{},
		addresses: map[addressed]uint64{},
	}
}

// course is what a frame of a goroutine may still come to.
type course struct {
	frame int
	at    syntax.Place
	nodes []ast.Node
}

// addressed is an expression in a frame.
type addressed struct {
	goroutine debugger.GoroutineID
	frame     int
	expr      string
}

// once returns what was computed for a key, or computes it.
func once[K comparable, V any](known map[K]V, key K, compute func() V) V {
	v, ok := known[key]
	if !ok {
		v = compute()
		known[key] = v
	}
	return v
}

// awaitedBy lists what would end a goroutine's wait; nothing for a lock or a condition.
func (d *deadlock) awaitedBy(w waiter) []awaited {
	if w.kind == waitGroup && w.File != nil {
		uses := d.groupUsesOf(w.Place, w.on)
		return []awaited{{addr: d.addressIn(w, w.at, w.on), ops: uses.dones, gos: uses.gos}}
	}
	var list []awaited
	for _, s := range d.sendersWaiting() {
		if s.id == w.id {
			list = append(list, d.takesFrom(s))
		}
	}
	for _, r := range d.receiversWaiting() {
		if r.id == w.id {
			uses := d.UsesOfClass(r.class)
			list = append(list, awaited{addr: d.addressIn(w, w.at, r.ch), ops: slices.Concat(uses.Sends, uses.Closes)})
		}
	}
	return list
}

// takesFrom is what a goroutine that sends waits for.
func (d *deadlock) takesFrom(s onChannel) awaited {
	return awaited{addr: d.addressIn(s.waiter, s.at, s.ch), ops: d.UsesOfClass(s.class).Takes()}
}

// behind reports whether a goroutine waits for another one, directly or through others:
// each comes to what would end the wait of the one before it, once its own wait ends.
// What could not be read in time is not known to be so.
func (d *deadlock) behind(w, last waiter) bool {
	seen := map[debugger.GoroutineID]bool{w.id: true}
	for queue := []waiter{w}; len(queue) > 0; queue = queue[1:] {
		for _, o := range d.waitedFor(queue[0]) {
			if d.Ctx.Err() != nil {
				return false
			}
			if seen[o.id] {
				continue
			}
			if o.id == last.id {
				return true
			}
			seen[o.id] = true
			queue = append(queue, o)
		}
	}
	return false
}

// waitedFor are the goroutines that come to what would end the wait of one.
func (d *deadlock) waitedFor(w waiter) []waiter {
	return once(d.chain.next, w.id, func() []waiter {
		var list []waiter
		awaits := d.awaitedBy(w)
		for _, o := range d.waiters {
			if d.Ctx.Err() != nil {
				return nil
			}
			if slices.ContainsFunc(awaits, func(a awaited) bool { return d.comesTo(o, a) }) {
				list = append(list, o)
			}
		}
		return list
	})
}

// comesTo reports whether a goroutine may come to what is awaited, from where it waits.
func (d *deadlock) comesTo(o waiter, a awaited) bool {
	for _, c := range d.coursesOf(o) {
		if slices.ContainsFunc(c.nodes, func(n ast.Node) bool { return d.does(o, c.frame, c.at, n, a) }) {
			return true
		}
	}
	return startedByGo(o) && slices.ContainsFunc(a.gos, func(g syntax.Place) bool { return d.startedAt(o, g, a) })
}

// coursesOf are those of the frames of a goroutine, from where it waits.
func (d *deadlock) coursesOf(o waiter) []course {
	return once(d.chain.courses, o.id, func() []course {
		var list []course
		for i := max(o.at, 0); i < len(o.frames); i++ {
			at, ok := d.statementAt(o, i)
			if i == o.at {
				at, ok = o.Place, o.File != nil
			}
			if ok {
				list = append(list, course{i, at, ahead(at)})
			}
		}
		return list
	})
}

// ahead are the nodes that a function may still come to after a place, also those that it
// has deferred.
func ahead(at syntax.Place) []ast.Node {
	list := syntax.WaysFrom(at, at.Node(), nil).Nodes
	for _, l := range at.Loops() {
		if r, ok := l.(*ast.RangeStmt); ok { // the next round takes from it
			list = append(list, r.X)
		}
	}
	ast.Inspect(syntax.BodyOf(at.Function()), func(n ast.Node) bool {
		if df, ok := n.(*ast.DeferStmt); ok && df.Pos() < at.Node().Pos() {
			list = append(list, df)
		}
		_, isLit := n.(*ast.FuncLit)
		return !isLit
	})
	return list
}

// does reports whether a node that a frame comes to is, or calls, what is awaited.
func (d *deadlock) does(o waiter, frame int, at syntax.Place, n ast.Node, a awaited) bool {
	is := func(_ syntax.Place, n ast.Node) bool {
		return slices.ContainsFunc(a.ops, func(op syntax.Place) bool { return op.Node() == n })
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.FuncLit: // runs here if it is called or handed to what is called
			_, called := at.Of(n).Path[1].(*ast.CallExpr)
			return called
		case *ast.CallExpr:
			decl, ok := d.DeclarationOf(at.Callee(n))
			found = found || ok && d.Transitive(decl, decl.Node(), is)
		}
		for _, op := range a.ops {
			on := operand(op.Node())
			r, ranges := op.Node().(*ast.RangeStmt)
			if op.Node() == n || ranges && r.X == n {
				found = found || o.count > 1 || !d.steady(at, on) || maySame(a.addr, d.addressIn(o, frame, on))
			}
		}
		return !found
	})
	return found
}

// operand is the channel or group of an operation.
func operand(op ast.Node) ast.Expr {
	switch op := op.(type) {
	case *ast.SendStmt:
		return op.Chan
	case *ast.UnaryExpr:
		return op.X
	case *ast.RangeStmt:
		return op.X
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(op.Fun).(*ast.SelectorExpr); ok { // Done
			return sel.X
		}
		return op.Args[0] // close
	}
	return nil
}

// startedAt reports whether WaitGroup.Go started a goroutine at a call of it.
func (d *deadlock) startedAt(o waiter, g syntax.Place, a awaited) bool {
	run := g.Node().(*ast.CallExpr).Args[0]
	for i, fr := range slices.Backward(o.frames) {
		home, ok := d.FunctionAt(fr)
		if !fr.User || !ok {
			continue
		}
		fn := d.Innermost(home, fr.Function, fr.Line)
		decl, isDecl := fn.(*ast.FuncDecl)
		if !syntax.Contains(run, fn.Pos()) && (!isDecl || !d.Same(g.Object(run), home.Info().Defs[decl.Name])) {
			return false
		}
		return o.count > 1 || maySame(a.addr, d.addressOf(o, min(i+1, len(o.frames)-1), "wg"))
	}
	return false
}

// maySame reports whether two addresses, 0 where they are not known, may be of one thing.
func maySame(a, b uint64) bool { return a == 0 || b == 0 || a == b }

// steady reports whether an expression is, at a later operation, what it is at a place: it
// begins with a variable that is seen there and that no loop makes anew.
func (d *deadlock) steady(at syntax.Place, e ast.Expr) bool {
	outer := at.Node().Pos()
	if loops := at.Loops(); len(loops) > 0 {
		outer = loops[len(loops)-1].Pos()
	}
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			v, ok := at.Info().ObjectOf(x).(*types.Var)
			return ok && at.Sees(v) && (v.Parent() == at.Pkg.Types.Scope() || v.Pos() < outer)
		default:
			return false
		}
	}
}

// addressIn is where the channel or group lies that an expression of a frame names.
func (d *deadlock) addressIn(w waiter, frame int, e ast.Expr) uint64 {
	if e == nil || frame < 0 || w.File != nil && !syntax.CallFree(w.Place, e) {
		return 0
	}
	return d.addressOf(w, frame, d.Text(e))
}

func (d *deadlock) addressOf(w waiter, frame int, expr string) uint64 {
	if d.Case.Inspect == nil {
		return 0
	}
	return once(d.chain.addresses, addressed{w.id, frame, expr}, func() uint64 {
		v, err := d.Case.Inspect.Evaluate(d.Ctx, debugger.FrameRef{Goroutine: w.id, Frame: w.frames[frame].Index}, expr)
		if err != nil || v.Unreadable != "" {
			return 0
		}
		if v = v.Deref(); v.Kind == reflect.Chan {
			return v.Base
		}
		return v.Addr
	})
}

// condition says when a return, or the like, is taken: the text of the if around it.
func (d *deadlock) condition(p syntax.Place, exit ast.Stmt) string {
	at := p.Of(exit)
	for i, n := range at.Path {
		switch n := n.(type) {
		case *ast.IfStmt:
			if i > 0 && at.Path[i-1] == ast.Node(n.Body) {
				return " when " + syntax.Short(d.Text(n.Cond))
			}
		case *ast.FuncLit, *ast.FuncDecl:
			return ""
		}
	}
	return ""
}

// groupUses are the calls on one WaitGroup that count down.
type groupUses struct {
	dones, gos []syntax.Place
}

func (d *deadlock) groupUsesOf(p syntax.Place, wg ast.Expr) groupUses {
	class := d.FlowOf().Class(p, wg)
	if class == nil {
		return groupUses{}
	}
	return once(d.chain.groups, class, func() groupUses { return d.groupUsesOfClass(class) })
}

func (d *deadlock) groupUsesOfClass(class any) groupUses {
	var u groupUses
	d.Each(func(q syntax.Place) {
		ast.Inspect(q.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for method, list := range map[string]*[]syntax.Place{"Done": &u.dones, "Go": &u.gos} {
				if e, _ := syntax.WaitGroupCall(q, call, method); e != nil && d.FlowOf().Class(q, e) == class {
					*list = append(*list, q.Of(call))
				}
			}
			return true
		})
	})
	return u
}
