package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// recursions lists the calls of the cycle's function in itself.
func (o *overflow) recursions(t turn) []place {
	var list []place
	ast.Inspect(bodyOf(t.fn), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && o.callsSelf(t, call) {
			list = append(list, t.of(call))
		}
		return true
	})
	return list
}

func (o *overflow) callsSelf(t turn, call *ast.CallExpr) bool {
	switch fn := t.fn.(type) {
	case *ast.FuncDecl:
		callee := t.callee(call)
		return callee != nil && o.same(originOf(callee), originOf(t.info().Defs[fn.Name]))
	case *ast.FuncLit:
		for _, lit := range o.flowOf().callees(t.place, call) {
			if lit == any(fn) {
				return true
			}
		}
	}
	return false
}

// parameters lists the parameters of the cycle's function in order.
func (o *overflow) parameters(t turn) []*types.Var {
	var list []*types.Var
	for _, field := range typeOfFunc(t.fn).Params.List {
		for _, n := range field.Names {
			v, _ := t.info().Defs[n].(*types.Var)
			list = append(list, v)
		}
	}
	return list
}

// sameArgument: a call passes a parameter on as it is, where a part of it was
// meant.
func (o *overflow) sameArgument(t turn) {
	line := o.c.Stop.Frames[t.frame].Line
	for _, r := range o.recursions(t) {
		if o.line(r.node().Pos()) <= line && line <= o.line(r.node().End()) {
			o.sameArgumentOf(turn{place: r, fn: t.fn, frame: t.frame}, r.node().(*ast.CallExpr))
		}
	}
}

func (o *overflow) sameArgumentOf(t turn, call *ast.CallExpr) {
	for _, p := range o.params() {
		if !p.same() {
			continue
		}
		for i, v := range o.parameters(t) {
			if v == nil || v != p.v || i >= len(call.Args) || call.Ellipsis.IsValid() {
				continue
			}
			o.halves(t, call, i)
			id, isIdent := ast.Unparen(call.Args[i]).(*ast.Ident)
			if !isIdent || t.info().ObjectOf(id) != types.Object(v) {
				continue
			}
			o.elementInstead(t, call, i, v)
			o.siblingInstead(t, call, i, v)
			o.restInstead(t, call, i, v)
		}
	}
}

// offerPart offers to pass a part of a parameter on, in place of the whole.
func (o *overflow) offerPart(t turn, call *ast.CallExpr, i int, name, part string, w weight, why string) {
	was := o.diagnosis
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) gets %s as it is, not a part of it", funcName(t.fn), short(o.text(call)), o.where(call.Pos()), name)
	o.diagnosis.Origin = o.relWhere(call.Pos())
	change := o.change().replace(call.Args[i].Pos(), call.Args[i].End(), part)
	if !o.offer(idea{title: fmt.Sprintf("go on with %s instead of %s", part, name), weight: w, change: change, why: why}) && !o.dry {
		o.diagnosis = was
	}
}

// elementInstead passes the element of the loop around the call.
func (o *overflow) elementInstead(t turn, call *ast.CallExpr, i int, v *types.Var) {
	l, ok := t.loop().(*ast.RangeStmt)
	if !ok {
		return
	}
	for _, e := range []ast.Expr{l.Value, l.Key} {
		id, isIdent := e.(*ast.Ident)
		if !isIdent || id.Name == "_" {
			continue
		}
		obj := t.info().ObjectOf(id)
		if obj == nil {
			continue
		}
		if types.AssignableTo(obj.Type(), v.Type()) {
			o.offerPart(t, call, i, v.Name(), id.Name, origin-1, fmt.Sprintf("The loop takes %s apart; each turn goes on with its own %s.", short(o.text(l.X)), id.Name))
			continue
		}
		if st, isStruct := underStruct(obj.Type()); isStruct {
			for k := range st.NumFields() {
				if types.AssignableTo(st.Field(k).Type(), v.Type()) {
					o.offerPart(t, call, i, v.Name(), id.Name+"."+st.Field(k).Name(), origin-1,
						fmt.Sprintf("The loop takes %s apart; each turn goes on with what its %s holds.", short(o.text(l.X)), id.Name))
				}
			}
		}
	}
}

// siblingInstead passes the field that no other call of the function takes.
func (o *overflow) siblingInstead(t turn, call *ast.CallExpr, i int, v *types.Var) {
	st, ok := underStruct(v.Type())
	if !ok {
		return
	}
	taken := map[string]bool{}
	for _, r := range o.recursions(t) {
		args := r.node().(*ast.CallExpr).Args
		if i < len(args) {
			if sel, isSel := ast.Unparen(args[i]).(*ast.SelectorExpr); isSel && r.object(sel.X) == types.Object(v) {
				taken[sel.Sel.Name] = true
			}
		}
	}
	for k := range st.NumFields() {
		f := st.Field(k)
		if taken[f.Name()] || !types.AssignableTo(f.Type(), v.Type()) {
			continue
		}
		w := origin
		if isParentName(f.Name()) {
			w = origin + 3
		}
		o.offerPart(t, call, i, v.Name(), v.Name()+"."+f.Name(), w, "The call goes on with the next one instead of the same one again.")
	}
}

func isParentName(name string) bool {
	switch strings.ToLower(name) {
	case "parent", "prev", "previous", "owner", "up", "root", "back":
		return true
	}
	return false
}

// restInstead passes the rest of a slice or string, or the number before, to a
// function that ends for an empty one or for the first number.
func (o *overflow) restInstead(t turn, call *ast.CallExpr, i int, v *types.Var) {
	base := o.baseCase(t, v)
	if !o.endsFor(t, base, v) || len(o.found) > 0 {
		return
	}
	text, what := "", ""
	switch u := v.Type().Underlying().(type) {
	case *types.Slice:
		text, what = v.Name()+"[1:]", "what is left of it"
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			text, what = v.Name()+"[1:]", "what is left of it"
		case u.Info()&types.IsInteger != 0:
			text, what = v.Name()+"-1", "the number before"
		}
	}
	if text == "" {
		return
	}
	o.offerPart(t, call, i, v.Name(), text, origin+2, fmt.Sprintf("The function ends when %s (%s); each call now gets %s.", o.text(base), o.where(base.Pos()), what))
}

// endsFor reports whether a condition compares a parameter, or its length, with
// a constant.
func (o *overflow) endsFor(t turn, base ast.Expr, v *types.Var) bool {
	b, ok := ast.Unparen(orNil(base)).(*ast.BinaryExpr)
	if !ok || t.info().Types[b.Y].Value == nil && o.text(b.Y) != "nil" {
		return false
	}
	x := ast.Unparen(b.X)
	if name, call := t.builtin(x); name == "len" {
		x = call.Args[0]
	}
	return t.object(x) == types.Object(v)
}

// baseCase finds the condition on a parameter under which the function returns
// without calling itself.
func (o *overflow) baseCase(t turn, v *types.Var) ast.Expr {
	var found ast.Expr
	for _, s := range bodyOf(t.fn).List {
		is, ok := s.(*ast.IfStmt)
		if !ok || found != nil || len(is.Body.List) == 0 {
			continue
		}
		_, returns := is.Body.List[len(is.Body.List)-1].(*ast.ReturnStmt)
		if !returns || !mentionsObject(t.place, is.Cond, v) {
			continue
		}
		self := false
		ast.Inspect(is.Body, func(n ast.Node) bool {
			if call, isCall := n.(*ast.CallExpr); isCall && o.callsSelf(t, call) {
				self = true
			}
			return true
		})
		if !self {
			found = is.Cond
		}
	}
	return found
}

// halves: a search between two bounds goes on with the middle as it is, which
// for two neighbors is the lower bound again.
func (o *overflow) halves(t turn, call *ast.CallExpr, i int) {
	id, ok := ast.Unparen(call.Args[i]).(*ast.Ident)
	if !ok {
		return
	}
	src := o.trace(t.place, -1, id)
	b, ok := ast.Unparen(orNil(src.expr)).(*ast.BinaryExpr)
	if !ok || src.declaration() != t.declaration() || !isInteger(t.info().TypeOf(id)) {
		return
	}
	half := false
	ast.Inspect(b, func(n ast.Node) bool {
		if d, isBinary := n.(*ast.BinaryExpr); isBinary && (d.Op == token.QUO || d.Op == token.SHR) {
			half = true
		}
		return true
	})
	if !half {
		return
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) gets the same bounds again, because %s is the lower one", funcName(t.fn), short(o.text(call)), o.where(call.Pos()), id.Name)
	o.offer(idea{title: fmt.Sprintf("go on after %s", id.Name), weight: origin, change: o.change().insert(id.End(), "+1"),
		why: fmt.Sprintf("%s itself has been looked at; the rest begins at %s+1.", id.Name, id.Name)})
}

// passesBase: the values run past the one for which the function ends.
func (o *overflow) passesBase(t turn) {
	for _, p := range o.params() {
		delta, last, ok := p.difference()
		if !ok || delta == 0 {
			continue
		}
		base, isBinary := ast.Unparen(orNil(o.baseCase(t, p.v))).(*ast.BinaryExpr)
		if !isBinary || base.Op != token.EQL || t.object(base.X) != types.Object(p.v) {
			continue
		}
		end, isConst := constantInt(t.place, base.Y)
		if !isConst {
			continue
		}
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: it ends for %s only (%s), and %s is %d by now", funcName(t.fn), o.text(base), o.where(base.Pos()), p.name, last)
		o.diagnosis.Origin = o.relWhere(base.Pos())
		op, past := "<=", delta < 0 && last < end
		if delta > 0 {
			op, past = ">=", last > end
		}
		if past && (delta == 1 || delta == -1) {
			o.refuseStart(t, p, base, delta, end) // it began beyond the end
		} else if past {
			o.offer(idea{title: fmt.Sprintf("end the recursion for %s %s %s", p.name, op, o.text(base.Y)), weight: soft, change: o.change().replace(base.OpPos, base.OpPos+2, op),
				why: fmt.Sprintf("%s passed by %d without being equal to it; what it should give there is for you to say.", p.name, end)})
		}
	}
}

// refuseStart returns an error for a value from which the recursion cannot
// come to its end, where the function can return one.
func (o *overflow) refuseStart(t turn, p param, base *ast.BinaryExpr, delta, end int64) {
	body := bodyOf(t.fn)
	op, want := "<", "at least"
	if delta > 0 {
		op, want = ">", "at most"
	}
	first := t.of(body.List[0])
	e, ok := o.errorReturn(first, message{fmt.Sprintf("%s is %%d, want %s %d", p.name, want, end), []string{p.name}}, "")
	if !ok {
		return
	}
	ch := o.change().before(body.List[0], fmt.Sprintf("if %s %s %s {\n\t%s\n}", p.name, op, o.text(base.Y), e.lines)).need(t.file, e.imports...)
	o.offer(idea{title: fmt.Sprintf("return an error for %s %s %s", p.name, op, o.text(base.Y)), weight: handled, change: ch,
		why: fmt.Sprintf("From there the recursion never comes to %s; %s says so.", o.text(base), funcName(t.fn))})
}

// visited: the data leads back to where it came from.
func (o *overflow) visited(t turn) {
	if len(o.recursions(t)) == 0 || len(o.found) > 0 {
		return
	}
	key, name := o.walked(t)
	if key == nil || !o.cyclic(key, t) {
		return
	}
	if o.existingSet(t, key, name) {
		return
	}
	o.newSet(t, key, name)
}

// walked finds the parameter that the recursion moves along: a pointer, or the
// key of something that is looked up.
func (o *overflow) walked(t turn) (*types.Var, string) {
	r, isCall := t.node().(*ast.CallExpr)
	if !isCall {
		return nil, ""
	}
	if d, ok := t.fn.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		if sel, isSel := ast.Unparen(r.Fun).(*ast.SelectorExpr); isSel && !o.isReceiver(t, d, sel.X) {
			v, _ := t.info().Defs[d.Recv.List[0].Names[0]].(*types.Var)
			if v != nil && isPointer(v.Type()) {
				return v, v.Name()
			}
		}
	}
	for i, v := range o.parameters(t) {
		if v == nil || i >= len(r.Args) {
			continue
		}
		if id, ok := ast.Unparen(r.Args[i]).(*ast.Ident); ok && t.info().ObjectOf(id) == types.Object(v) {
			continue // passed on
		}
		switch v.Type().Underlying().(type) {
		case *types.Pointer, *types.Basic:
			return v, v.Name()
		}
	}
	return nil, ""
}

// cyclic reports whether the values of a parameter come back within the frames
// that were read.
func (o *overflow) cyclic(v *types.Var, t turn) bool {
	first := ""
	for i := 0; t.frame+i*o.step < len(o.c.Stop.Frames) && i < 12; i++ {
		a := o.values.variable(t.frame+i*o.step, v.Name())
		if !a.known {
			continue
		}
		if first == "" {
			first = ident(a.value)
		} else if ident(a.value) == first {
			return true
		}
	}
	return false
}

// shown is the way that leads back, as far as its values can be written.
func (o *overflow) shown(key *types.Var, t turn) string {
	if !isString(key.Type()) && !isInteger(key.Type()) {
		return ""
	}
	var way []string
	for i := 11; i >= 0; i-- {
		if a := o.values.variable(t.frame+i*o.step, key.Name()); a.known {
			way = append(way, a.value.Value)
			if n := len(way); n > 1 && way[0] == way[n-1] {
				return ", " + strings.Join(way, " → ")
			}
		}
	}
	return ""
}

// existingSet fixes a set of what was visited that is there, but not asked, or
// not filled in time.
func (o *overflow) existingSet(t turn, key *types.Var, name string) bool {
	marks, asks := o.setUses(t, key)
	rec := o.recursions(t)[0]
	switch {
	case len(marks) > 0 && len(asks) == 0 && marks[0].node().Pos() < rec.node().Pos():
		as := marks[0].node().(*ast.AssignStmt)
		ix := as.Lhs[0].(*ast.IndexExpr)
		e, ok := o.leaveVisited(t, marks[0])
		if !ok {
			return true
		}
		test := o.text(ix)
		ch := o.change()
		if !isBool(t.info().TypeOf(ix)) {
			flag := o.flag(t.place)
			test = fmt.Sprintf("_, %s := %s; %s", flag, o.text(ix), flag)
		}
		ch.before(as, "if "+test+" {\n\t"+e+"\n}")
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) notes what was visited, and nothing checks it", funcName(t.fn), o.text(as), o.where(as.Pos()))
		o.diagnosis.Origin = o.relWhere(as.Pos())
		return o.offer(idea{title: fmt.Sprintf("ask %s before going on", o.text(ix.X)), weight: origin, change: ch,
			why: fmt.Sprintf("What is in %s has been visited, and is not visited again.", o.text(ix.X))})
	case len(marks) > 0 && len(asks) > 0 && marks[0].node().Pos() > rec.node().Pos():
		as := marks[0].node().(*ast.AssignStmt)
		stmt := rec.top()
		if stmt == nil || marks[0].top() != ast.Stmt(as) {
			return true
		}
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: %s (%s) comes only after the calls that lead back", funcName(t.fn), o.text(as), o.where(as.Pos()))
		o.diagnosis.Origin = o.relWhere(as.Pos())
		o.refuseCycle(asks[0], as)
		return o.offer(idea{title: fmt.Sprintf("note %s before going on", name), weight: origin, change: o.change().remove(as).before(stmt, o.text(as)),
			why: "What is being visited is noted first, so that a way back to it ends there."})
	case len(asks) > 0 && len(marks) == 0:
		ix := asks[0].node().(*ast.IndexExpr)
		stmt := asks[0].top()
		if stmt == nil {
			return true
		}
		value := "true"
		if !isBool(t.info().TypeOf(ix)) {
			value, _ = zero(t.place, t.info().TypeOf(ix))
			if tuple, ok := t.info().TypeOf(ix).(*types.Tuple); ok {
				value, _ = zero(t.place, tuple.At(0).Type())
				if isBool(tuple.At(0).Type()) {
					value = "true"
				}
			}
		}
		o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end: it asks %s (%s), and nothing is ever noted there", funcName(t.fn), o.text(ix), o.where(ix.Pos()))
		o.diagnosis.Origin = o.relWhere(ix.Pos())
		return o.offer(idea{title: fmt.Sprintf("note in %s what is visited", o.text(ix.X)), weight: origin, change: o.change().after(stmt, o.text(ix)+" = "+value),
			why: fmt.Sprintf("%s now holds what has been visited, as the question before expects.", o.text(ix.X))})
	}
	return len(marks) > 0 && len(asks) > 0
}

// setUses lists where the function writes to a map under the walked key, and
// where it looks the key up.
func (o *overflow) setUses(t turn, key *types.Var) (marks, asks []place) {
	ast.Inspect(bodyOf(t.fn), func(n ast.Node) bool {
		ix, ok := n.(*ast.IndexExpr)
		if !ok || !mentionsObject(t.place, ix.Index, key) || !isMap(t.info().TypeOf(ix.X)) {
			return true
		}
		m, _ := typeUnder[*types.Map](t.info().TypeOf(ix.X))
		st, isStruct := m.Elem().Underlying().(*types.Struct)
		if !isBool(m.Elem()) && !(isStruct && st.NumFields() == 0) {
			return true
		}
		at := t.of(ix)
		if as, isAssign := at.path[1].(*ast.AssignStmt); isAssign && len(as.Lhs) == 1 && as.Lhs[0] == ast.Expr(ix) {
			marks = append(marks, t.of(as))
		} else {
			asks = append(asks, at)
		}
		return true
	})
	return marks, asks
}

// leaveVisited writes how the function ends for what was visited already.
func (o *overflow) leaveVisited(t turn, at place) (string, bool) {
	sig := at.signature()
	if sig == nil {
		return "", false
	}
	if base := o.emptyReturn(t); base != "" {
		return base, true
	}
	text, ok := results(at, sig, 0)
	return strings.TrimSpace("return " + text), ok
}

// emptyReturn is the return of the function's own case for nothing to do.
func (o *overflow) emptyReturn(t turn) string {
	for _, s := range bodyOf(t.fn).List {
		is, ok := s.(*ast.IfStmt)
		if !ok || len(is.Body.List) != 1 {
			continue
		}
		r, isReturn := is.Body.List[0].(*ast.ReturnStmt)
		cond, isBinary := is.Cond.(*ast.BinaryExpr)
		if isReturn && isBinary && cond.Op == token.EQL && o.text(cond.Y) == "nil" {
			return o.text(r)
		}
	}
	return ""
}

// newSet adds a set of what was visited.
func (o *overflow) newSet(t turn, key *types.Var, name string) {
	typ, ok := typeText(t.place, key.Type())
	if !ok || !types.Comparable(key.Type()) {
		return
	}
	set := fresh(t.place, "seen", "visited", "done")
	leave, onPath, ok := o.leaveCycle(t, name)
	if !ok {
		return
	}
	head := fmt.Sprintf("if %s[%s] {\n\t%s\n}\n%s[%s] = true", set, name, leave, set, name)
	if onPath {
		head += fmt.Sprintf("\ndefer delete(%s, %s)", set, name)
	}
	ch := o.change()
	body := bodyOf(t.fn)
	if onPath {
		ch.need(t.file, "fmt")
	}
	o.putHead(ch, t, body, head, key)
	if !o.hold(ch, t, set, "map["+typ+"]bool") {
		return
	}
	o.diagnosis.Sentence = fmt.Sprintf("%s calls itself without end (%s): what %s leads to leads back to it%s", funcName(t.fn), o.where(t.node().Pos()), name, o.shown(key, t))
	title := fmt.Sprintf("visit each %s once", name)
	why := "A set holds what was visited; a way back to it ends there."
	if onPath {
		title = fmt.Sprintf("return an error where %s leads back to itself", name)
		why = "A set holds what is being visited; meeting one of those again is a cycle, which is now an error."
	}
	o.offer(idea{title: title, weight: handled, change: ch, why: why})
}

// putHead puts the question for what was visited first, after a check for nil.
func (o *overflow) putHead(ch *change, t turn, body *ast.BlockStmt, head string, key *types.Var) {
	if len(body.List) > 0 {
		if is, ok := body.List[0].(*ast.IfStmt); ok && is.Init == nil {
			if cond, isBinary := is.Cond.(*ast.BinaryExpr); isBinary && cond.Op == token.EQL && o.text(cond.Y) == "nil" && mentionsObject(t.place, cond.X, key) {
				ch.after(is, head)
				return
			}
		}
	}
	ch.first(body, head)
}

// leaveCycle writes how the function ends when it meets something again.
func (o *overflow) leaveCycle(t turn, name string) (text string, onPath, ok bool) {
	sig := t.of(bodyOf(t.fn)).signature()
	if sig == nil {
		return "", false, false
	}
	n := sig.Results().Len()
	if n > 0 && isError(sig.Results().At(n-1).Type()) {
		rest, fits := results(t.place, sig, 1)
		label := name
		verb := "%v"
		if v := o.keyVar(t, name); v != nil && isPointer(v.Type()) {
			if st, isStruct := underStruct(v.Type()); isStruct {
				for _, want := range []string{"Name", "name", "ID", "id", "Key", "key", "Path"} {
					if f := fieldOf(st, want); f != nil {
						label = name + "." + want
						break
					}
				}
			}
		}
		return "return " + join(rest, fmt.Sprintf("%s.Errorf(\"cycle at %s\", %s)", pkgName(t.file, "fmt"), verb, label)), true, fits
	}
	leave, fits := o.leaveVisited(t, t.of(bodyOf(t.fn)))
	return leave, false, fits
}

func (o *overflow) keyVar(t turn, name string) *types.Var {
	for _, v := range o.parameters(t) {
		if v != nil && v.Name() == name {
			return v
		}
	}
	return nil
}

// hold declares the set: next to the variable of a function literal, or as a
// further parameter that the calls pass on.
func (o *overflow) hold(ch *change, t turn, set, typ string) bool {
	if lit, ok := t.fn.(*ast.FuncLit); ok {
		at := t.of(lit)
		for _, n := range at.path {
			if as, isAssign := n.(*ast.AssignStmt); isAssign && t.of(as).anchor() == ast.Stmt(as) {
				ch.before(as, set+" := "+typ+"{}")
				return true
			}
		}
		return false
	}
	d := t.fn.(*ast.FuncDecl)
	obj, ok := t.info().Defs[d.Name].(*types.Func)
	if !ok || wellKnown[d.Name.Name] || d.Recv != nil && o.satisfiesInterface(t.place, obj) {
		return false
	}
	calls, plain := o.callsOf(obj)
	if d.Name.IsExported() {
		return o.holdInside(ch, t, d, set, typ)
	}
	if !plain {
		return false
	}
	comma := ", "
	if d.Type.Params.NumFields() == 0 {
		comma = ""
	}
	ch.insert(d.Type.Params.Closing, comma+set+" "+typ)
	for _, c := range calls {
		call := c.node().(*ast.CallExpr)
		if c.pkg != t.pkg || call.Ellipsis.IsValid() {
			return false
		}
		arg := typ + "{}"
		if c.declaration() == d {
			arg = set
		}
		if len(call.Args) > 0 {
			arg = ", " + arg
		}
		ch.insert(call.Rparen, arg)
	}
	return true
}

// holdInside leaves an exported function as it is for its callers: it calls an
// unexported one that has the set.
func (o *overflow) holdInside(ch *change, t turn, d *ast.FuncDecl, set, typ string) bool {
	v := variant{place: t.of(d), decl: d, name: o.innerName(t, d)}
	call, ok := callOfSelf(v)
	if !ok || v.name == "" {
		return false
	}
	comma := ", "
	if d.Type.Params.NumFields() == 0 {
		comma = ""
	}
	call = strings.TrimSuffix(call, ")") + comma + typ + "{})"
	src := o.source(o.c.Code.Fset.Position(d.Pos()).Filename)
	from, closing, open := o.c.Code.Fset.Position(d.Pos()).Offset, o.c.Code.Fset.Position(d.Type.Params.Closing).Offset, o.c.Code.Fset.Position(d.Body.Lbrace).Offset
	if d.Recv == nil || d.Doc != nil {
		from = o.c.Code.Fset.Position(d.Type.Func).Offset
	}
	head := strings.Replace(src[from:closing], d.Name.Name+"(", v.name+"(", 1) + comma + set + " " + typ + src[closing:open]
	ch.insert(d.Body.Lbrace+1, fmt.Sprintf("\n\t%s\n}\n\n// %s is %s with what was visited so far.\n%s{", call, v.name, d.Name.Name, head))
	for _, r := range o.recursions(t) {
		c := r.node().(*ast.CallExpr)
		ch.callVariant(r, v)
		arg := set
		if len(c.Args) > 0 {
			arg = ", " + arg
		}
		ch.insert(c.Rparen, arg)
	}
	return true
}

// innerName is a free name for the inside of an exported function.
func (o *overflow) innerName(t turn, d *ast.FuncDecl) string {
	for _, name := range []string{lowerFirst(d.Name.Name), lowerFirst(d.Name.Name) + "From", lowerFirst(d.Name.Name) + "Seen"} {
		if token.IsKeyword(name) || types.Universe.Lookup(name) != nil {
			continue
		}
		if d.Recv == nil {
			if t.pkg.Types.Scope().Lookup(name) == nil {
				return name
			}
			continue
		}
		if n := named(t.info().TypeOf(d.Recv.List[0].Type)); n != nil {
			if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, t.pkg.Types, name); obj == nil {
				return name
			}
		}
	}
	return ""
}
