package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// visited: the data leads back to where it came from.
func (o *overflow) visited(t cycleFunc) {
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
func (o *overflow) walked(t cycleFunc) (*types.Var, string) {
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
func (o *overflow) cyclic(v *types.Var, t cycleFunc) bool {
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
func (o *overflow) shown(key *types.Var, t cycleFunc) string {
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
func (o *overflow) existingSet(t cycleFunc, key *types.Var, name string) bool {
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
		return o.offer(idea{rule: "overflow/existing-set", title: fmt.Sprintf("ask %s before going on", o.text(ix.X)), weight: origin, change: ch,
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
		return o.offer(idea{rule: "overflow/existing-set", title: fmt.Sprintf("note %s before going on", name), weight: origin, change: o.change().remove(as).before(stmt, o.text(as)),
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
		return o.offer(idea{rule: "overflow/existing-set", title: fmt.Sprintf("note in %s what is visited", o.text(ix.X)), weight: origin, change: o.change().after(stmt, o.text(ix)+" = "+value),
			why: fmt.Sprintf("%s now holds what has been visited, as the question before expects.", o.text(ix.X))})
	}
	return len(marks) > 0 && len(asks) > 0
}

// setUses lists where the function writes to a map under the walked key, and
// where it looks the key up.
func (o *overflow) setUses(t cycleFunc, key *types.Var) (marks, asks []place) {
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
func (o *overflow) leaveVisited(t cycleFunc, at place) (string, bool) {
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
func (o *overflow) emptyReturn(t cycleFunc) string {
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
func (o *overflow) newSet(t cycleFunc, key *types.Var, name string) {
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
	o.offer(idea{rule: "overflow/new-set", title: title, weight: handled, change: ch, why: why})
}

// putHead puts the question for what was visited first, after a check for nil.
func (o *overflow) putHead(ch *change, t cycleFunc, body *ast.BlockStmt, head string, key *types.Var) {
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
func (o *overflow) leaveCycle(t cycleFunc, name string) (text string, onPath, ok bool) {
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

func (o *overflow) keyVar(t cycleFunc, name string) *types.Var {
	for _, v := range o.parameters(t) {
		if v != nil && v.Name() == name {
			return v
		}
	}
	return nil
}

// hold declares the set: next to the variable of a function literal, or as a
// further parameter that the calls pass on.
func (o *overflow) hold(ch *change, t cycleFunc, set, typ string) bool {
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
func (o *overflow) holdInside(ch *change, t cycleFunc, d *ast.FuncDecl, set, typ string) bool {
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
func (o *overflow) innerName(t cycleFunc, d *ast.FuncDecl) string {
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
