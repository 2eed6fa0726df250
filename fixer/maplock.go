package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// lockAll takes one lock around every use of the map.
func (m *sharedMap) lockAll() {
	todo := m.byFunction()
	if len(todo) == 0 {
		m.privateLock()
		return
	}
	ch := m.change()
	if m.by.class == nil && !m.declare(ch) {
		return
	}
	locked := map[ast.Node]bool{}
	for fn := range todo {
		locked[fn] = true
	}
	for _, fn := range sortedFunctions(todo) {
		if !m.protect(ch, fn, todo[fn], locked) {
			return
		}
	}
	m.pointerReceivers(ch)
	title := fmt.Sprintf("guard %s with a mutex", m.rootName())
	why := fmt.Sprintf("Every use of %s now holds %s, a new mutex next to it.", m.rootName(), m.by.name)
	if m.by.class != nil {
		title = fmt.Sprintf("take %s for every use of %s", m.by.name, m.rootName())
		why = fmt.Sprintf("%s is what guards %s; it is now held wherever that is used.", m.by.name, m.rootName())
	}
	if onlyEscapes(todo) && m.by.class != nil {
		title = fmt.Sprintf("hand out a copy of %s", m.rootName())
		why = fmt.Sprintf("Callers go over a copy, made under %s, instead of the map that others go on to change.", m.by.name)
	}
	m.offer(idea{title: title, weight: origin, change: ch, why: why})
}

func onlyEscapes(todo map[ast.Node][]mapAccess) bool {
	for _, list := range todo {
		for _, a := range list {
			if !a.escapes {
				return false
			}
		}
	}
	return true
}

// rootName names the map for people.
func (m *sharedMap) rootName() string {
	if m.owner != nil {
		return m.owner.Obj().Name() + "." + m.root.Name()
	}
	return m.root.Name()
}

// byFunction groups the uses that need the lock by the function that is to
// take it. A function that is only called by such functions leaves it to them.
func (m *sharedMap) byFunction() map[ast.Node][]mapAccess {
	todo := map[ast.Node][]mapAccess{}
	for _, a := range m.accesses {
		if a.escapes && m.isGuarded(a) && m.usedOutside() {
			a.escapes = true
			todo[a.fn] = append(todo[a.fn], a)
			continue
		}
		if !a.sequential && !a.ofCall && !m.isGuarded(a) {
			todo[a.fn] = append(todo[a.fn], a)
		}
	}
	for range 4 {
		moved := false
		for _, fn := range sortedFunctions(todo) {
			if calls, ok := m.onlyCalledBy(fn, todo); ok {
				for _, c := range calls {
					outer := m.ownerFunction(c)
					todo[outer] = append(todo[outer], mapAccess{place: c, write: writes(todo[fn]), fn: outer, base: m.baseOfCall(c)})
				}
				delete(todo, fn)
				moved = true
			}
		}
		if !moved {
			break
		}
	}
	return todo
}

func writes(list []mapAccess) bool {
	for _, a := range list {
		if a.write {
			return true
		}
	}
	return false
}

// baseOfCall is the receiver of a method call, if it is the map's struct.
func (m *sharedMap) baseOfCall(c place) string {
	sel, ok := ast.Unparen(c.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
	if ok && m.owner != nil && named(c.info().TypeOf(sel.X)) == m.owner && isPath(sel.X) {
		return m.text(sel.X)
	}
	return ""
}

// onlyCalledBy reports whether a function is unexported and all calls of it
// stand in functions that will hold the lock.
func (m *sharedMap) onlyCalledBy(fn ast.Node, todo map[ast.Node][]mapAccess) ([]place, bool) {
	d, ok := fn.(*ast.FuncDecl)
	if !ok || d.Name.IsExported() || d.Name.Name == "main" {
		return nil, false
	}
	p := todo[fn][0]
	obj, ok := p.info().Defs[d.Name].(*types.Func)
	if !ok {
		return nil, false
	}
	calls, plain := m.callsOf(obj)
	if !plain || len(calls) == 0 {
		return nil, false
	}
	handsOut := m.handsOutEntry(p.place, d)
	param := m.owner == nil && !isGlobal(m.root) && p.declaration() != m.home.declaration()
	for _, c := range calls {
		outer := m.ownerFunction(c)
		if outer == fn || len(todo[outer]) == 0 && !param && !(handsOut && m.isMethod(c, outer)) {
			return nil, false
		}
	}
	return calls, true
}

// handsOutEntry reports whether a function returns what an entry points to: who
// called it goes on to use that, and so must hold the lock.
func (m *sharedMap) handsOutEntry(p place, d *ast.FuncDecl) bool {
	t, ok := typeUnder[*types.Map](m.root.Type())
	if !ok || d.Type.Results.NumFields() == 0 {
		return false
	}
	switch t.Elem().Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return types.Identical(p.info().TypeOf(d.Type.Results.List[0].Type), t.Elem())
	}
	return false
}

// isMethod reports whether a function is a method of the struct that holds the map.
func (m *sharedMap) isMethod(p place, fn ast.Node) bool {
	d, ok := fn.(*ast.FuncDecl)
	return ok && m.owner != nil && d.Recv != nil && named(p.info().TypeOf(d.Recv.List[0].Type)) == m.owner
}

func sortedFunctions(todo map[ast.Node][]mapAccess) []ast.Node {
	var list []ast.Node
	for fn := range todo {
		list = append(list, fn)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Pos() < list[j].Pos() })
	return list
}

// protect makes a function hold the lock for all its uses of the map.
func (m *sharedMap) protect(ch *change, fn ast.Node, list []mapAccess, locked map[ast.Node]bool) bool {
	mutex := m.mutexText(fn, list)
	if mutex == "" || fn == nil || bodyOf(fn) == nil {
		return false
	}
	if m.needsParameter(fn, list) && !m.passMutex(ch, fn, list) {
		return false
	}
	if m.wrongKind(ch, fn, list) {
		return true
	}
	r := &regions{sharedMap: m, ch: ch, fn: fn, list: list, locked: locked, p: list[0].place, lock: mutex + ".Lock()", unlock: mutex + ".Unlock()"}
	if m.by.rw && !writes(list) {
		r.lock, r.unlock = mutex+".RLock()", mutex+".RUnlock()"
	}
	for _, a := range list {
		if a.escapes {
			ch.insert(a.node().Pos(), pkgName(a.file, "maps")+".Clone(").insert(a.node().End(), ")").need(a.file, "maps")
		}
	}
	if m.allGuarded(list) {
		return true
	}
	held := len(inFunction(m.by.uses, fn)) > 0
	body := bodyOf(fn)
	_, isDecl := fn.(*ast.FuncDecl)
	isDecl = isDecl && !m.startedItself(list[0].of(fn)) // those hold the lock only as long as they must
	c := m.costOf(r.p, body, locked, 0)
	if isDecl && c == quick && !held && !m.startsGoroutines(fn) {
		ch.first(body, r.lock+"\ndefer "+r.unlock)
		return true
	}
	r.began = ch.mark()
	if r.block(body.List) {
		return true
	}
	ch.reset(r.began)
	if c != unsafe && !held && !m.startsGoroutines(fn) {
		ch.first(body, r.lock+"\ndefer "+r.unlock)
		return true
	}
	return false
}

func (m *sharedMap) allGuarded(list []mapAccess) bool {
	for _, a := range list {
		if !m.isGuarded(a) {
			return false
		}
	}
	return true
}

// startedItself reports whether a go statement calls a function directly.
func (m *sharedMap) startedItself(p place) bool {
	for _, c := range m.callsOfFunction(p, p.node()) {
		if _, ok := startedBy(c); ok {
			return true
		}
	}
	return false
}

// startsGoroutines reports whether a function starts goroutines and may wait for them.
func (m *sharedMap) startsGoroutines(fn ast.Node) bool {
	found := false
	ast.Inspect(bodyOf(fn), func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			found = true
		}
		return !found
	})
	return found
}

// needsParameter reports whether a function knows the map as a parameter only:
// the mutex of a local map must be passed to it.
func (m *sharedMap) needsParameter(fn ast.Node, list []mapAccess) bool {
	return m.owner == nil && !isGlobal(m.root) && !contains(m.home.declaration(), fn.Pos())
}

// passMutex gives a function a parameter for the mutex.
func (m *sharedMap) passMutex(ch *change, fn ast.Node, list []mapAccess) bool {
	d, ok := fn.(*ast.FuncDecl)
	if !ok || m.by.class != nil {
		return false
	}
	sync := pkgName(list[0].file, "sync")
	ch.need(list[0].file, "sync")
	params := d.Type.Params
	text := m.by.name + " *" + sync + ".Mutex"
	if n := params.NumFields(); n > 0 {
		if _, variadic := params.List[len(params.List)-1].Type.(*ast.Ellipsis); variadic {
			return false
		}
		text = ", " + text
	}
	ch.insert(params.Closing, text)
	for _, c := range m.callsOfFunction(list[0].of(d), d) {
		call := c.node().(*ast.CallExpr)
		arg := "&" + m.by.name
		if c.declaration() != m.home.declaration() {
			if c.declaration() != d {
				return false
			}
			arg = m.by.name
		}
		if len(call.Args) > 0 {
			arg = ", " + arg
		}
		ch.insert(call.Rparen, arg)
	}
	return true
}

// wrongKind makes a function take the write lock that only took the read lock.
func (m *sharedMap) wrongKind(ch *change, fn ast.Node, list []mapAccess) bool {
	own := inFunction(m.by.uses, fn)
	if len(own) == 0 {
		return false
	}
	for _, a := range list {
		l, ok := heldAt(own, fn, a.node())
		if !ok || l.method != "RLock" || a.escapes && !a.write {
			return false
		}
	}
	for _, u := range own {
		sel := ast.Unparen(u.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		if strings.HasPrefix(u.method, "R") {
			ch.replace(sel.Sel.Pos(), sel.Sel.End(), strings.TrimPrefix(u.method, "R"))
		}
	}
	return true
}

// regions takes the lock around parts of a function.
type regions struct {
	*sharedMap
	ch           *change
	p            place
	fn           ast.Node
	list         []mapAccess
	locked       map[ast.Node]bool
	lock, unlock string
	began        checkpoint // before the first region
}

// in lists the uses that stand in a node.
func (r *regions) in(n ast.Node) []mapAccess {
	var list []mapAccess
	for _, a := range r.list {
		if n != nil && contains(n, a.node().Pos()) {
			list = append(list, a)
		}
	}
	return list
}

// block locks around the statements of a list that use the map: one region for
// those that follow one another.
func (r *regions) block(list []ast.Stmt) bool {
	for i := 0; i < len(list); i++ {
		if len(r.in(list[i])) == 0 {
			continue
		}
		if !r.wrappable(list[i]) {
			if !r.inside(list[i], list[i+1:]) {
				return false
			}
			continue
		}
		last := i
		for j := i + 1; j < len(list) && j-last <= 3; j++ {
			if r.costOf(r.p, list[j], r.locked, 0) != quick || leaves(list[j:j+1]) || r.launches(list[j]) {
				break
			}
			if len(r.in(list[j])) > 0 {
				last = j
			}
		}
		r.ch.before(list[i], r.lock)
		r.ch.after(list[last], r.unlock)
		i = last
	}
	return true
}

// launches reports whether a statement starts goroutines.
func (r *regions) launches(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			found = true
		case *ast.CallExpr:
			found = found || goesBy(r.p, n)
		}
		return !found
	})
	return found
}

// wrappable reports whether a statement can run under the lock as a whole.
func (r *regions) wrappable(s ast.Stmt) bool {
	if leaves([]ast.Stmt{s}) || r.launches(s) {
		return false
	}
	c := r.costOf(r.p, s, r.locked, 0)
	switch s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return c == quick && r.loopOverMap(s)
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.BlockStmt:
		return c == quick
	}
	return c != unsafe && !r.expensive(s)
}

// expensive reports whether a simple statement calls what should not run under
// the lock; it then gets a name first.
func (r *regions) expensive(s ast.Stmt) bool {
	return r.costOf(r.p, s, r.locked, 0) == slow
}

// loopOverMap reports whether a loop goes over the map itself: then it is one use.
func (r *regions) loopOverMap(s ast.Stmt) bool {
	l, ok := s.(*ast.RangeStmt)
	if !ok {
		return false
	}
	for _, a := range r.list {
		if contains(l.X, a.node().Pos()) {
			return true
		}
	}
	return false
}

// inside locks within a statement that cannot be locked around.
func (r *regions) inside(s ast.Stmt, rest []ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return r.block(s.List)
	case *ast.LabeledStmt:
		return r.inside(s.Stmt, rest)
	case *ast.IfStmt:
		return r.ifStatement(s)
	case *ast.ForStmt:
		if len(r.inNode(s.Init)) > 0 || len(r.inNode(s.Post)) > 0 || len(r.inExpr(s.Cond)) > 0 {
			return false
		}
		return r.block(s.Body.List)
	case *ast.RangeStmt:
		return r.rangeStatement(s)
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return r.clauses(s)
	case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt, *ast.SendStmt, *ast.DeclStmt, *ast.IncDecStmt:
		return r.hoist(s)
	}
	return false
}

func (r *regions) inNode(s ast.Stmt) []mapAccess {
	if s == nil {
		return nil
	}
	return r.in(s)
}

func (r *regions) inExpr(e ast.Expr) []mapAccess {
	if e == nil {
		return nil
	}
	return r.in(e)
}

func (r *regions) clauses(s ast.Stmt) bool {
	body := bodyOfSwitch(s)
	count := 0
	for _, c := range body.List {
		var list []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			list = c.Body
		case *ast.CommClause:
			list = c.Body
		}
		for _, inner := range list {
			count += len(r.in(inner))
		}
		if !r.block(list) {
			return false
		}
	}
	return count == len(r.in(s))
}

// ifStatement: "if v, ok := m[k]; ok {…}" looks up under the lock, and goes on
// without it.
func (r *regions) ifStatement(s *ast.IfStmt) bool {
	header := append(r.inNode(s.Init), r.inExpr(s.Cond)...)
	if len(header) > 0 {
		if p := r.p.of(s); r.partOfElse(p) {
			return false
		}
		switch {
		case len(r.inNode(s.Init)) > 0 && len(r.inExpr(s.Cond)) == 0:
			if r.costOf(r.p, s.Init, r.locked, 0) != quick {
				return false
			}
			r.outOfHeader(s)
		case s.Init == nil:
			for _, a := range header {
				if !r.name(a, s) {
					return false
				}
			}
		default:
			return false
		}
	}
	if !r.block(s.Body.List) {
		return false
	}
	if s.Else != nil && len(r.in(s.Else)) > 0 {
		return r.inside(s.Else, nil)
	}
	return true
}

// outOfHeader moves the first part of an if before it. What that declares is
// then visible after the if as well, and gets another name where it clashes.
func (r *regions) outOfHeader(s *ast.IfStmt) {
	init := r.text(s.Init)
	as, ok := s.Init.(*ast.AssignStmt)
	if ok && as.Tok == token.DEFINE {
		names := make([]string, len(as.Lhs))
		for i, l := range as.Lhs {
			names[i] = r.text(l)
			id, isIdent := l.(*ast.Ident)
			obj := r.p.info().Defs[id]
			if !isIdent || obj == nil || !r.clashes(obj, s) {
				continue
			}
			names[i] = r.ch.fresh(r.p.of(s), "cached", "found", "present")
			ast.Inspect(s, func(n ast.Node) bool {
				if use, isUse := n.(*ast.Ident); isUse && r.p.info().Uses[use] == obj {
					r.ch.replace(use.Pos(), use.End(), names[i])
				}
				return true
			})
		}
		init = strings.Join(names, ", ") + " := " + r.text(as.Rhs[0])
	}
	r.ch.before(s, r.lock+"\n"+init+"\n"+r.unlock)
	r.ch.replace(s.Init.Pos(), s.Cond.Pos(), "")
}

// clashes reports whether the function declares another variable of a name
// outside of the if.
func (r *regions) clashes(obj types.Object, s *ast.IfStmt) bool {
	found := false
	ast.Inspect(r.fn, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && id.Name == obj.Name() && !contains(s, id.Pos()) && r.p.info().ObjectOf(id) != nil {
			found = true
		}
		return !found
	})
	return found
}

func (r *regions) partOfElse(p place) bool {
	outer, ok := p.path[1].(*ast.IfStmt)
	return ok && outer.Else == p.path[0]
}

// name gives the value of a lookup a name under the lock, before a statement.
func (r *regions) name(a mapAccess, s ast.Stmt) bool {
	if a.write || len(a.path) < 2 {
		return false
	}
	e, ok := a.path[1].(ast.Expr)
	if !ok || r.costOf(r.p, e, r.locked, 0) != quick || !hoistable(a.of(e), s) {
		return false
	}
	t := r.p.info().TypeOf(e)
	if _, tuple := t.(*types.Tuple); tuple || t == nil {
		return false
	}
	v := r.ch.fresh(r.p.of(s), valueName(e), "value", "found")
	r.ch.before(s, fmt.Sprintf("%s\n%s := %s\n%s", r.lock, v, r.text(e), r.unlock))
	r.ch.replace(e.Pos(), e.End(), v)
	return true
}

// valueName names the value of a lookup or a length.
func valueName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return singular(lastName(x.X))
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && id.Name == "len" {
			return "n"
		}
	}
	return "value"
}

// rangeStatement goes over a copy of the map, made under the lock.
func (r *regions) rangeStatement(s *ast.RangeStmt) bool {
	over := r.in(s.X)
	if len(over) > 0 {
		if !isMap(r.p.info().TypeOf(s.X)) || !isPathOrIndex(s.X) {
			return false
		}
		v := r.ch.fresh(r.p.of(s), "copied", "snapshot")
		r.ch.need(r.p.file, "maps")
		r.ch.before(s, fmt.Sprintf("%s\n%s := %s.Clone(%s)\n%s", r.lock, v, pkgName(r.p.file, "maps"), r.text(s.X), r.unlock))
		r.ch.replace(s.X.Pos(), s.X.End(), v)
	}
	return r.block(s.Body.List)
}

// hoist names what a simple statement reads, or writes, under the lock.
func (r *regions) hoist(s ast.Stmt) bool {
	if as, ok := s.(*ast.AssignStmt); ok && len(as.Lhs) == 1 && len(as.Rhs) == 1 && len(r.in(as.Lhs[0])) > 0 {
		// m[k] = compute(k): the value is computed before the lock is taken.
		if len(r.in(as.Rhs[0])) > 0 || as.Tok != token.ASSIGN || !isPathOrIndex(as.Lhs[0]) {
			return false
		}
		v := r.ch.fresh(r.p.of(s), "value", "computed")
		r.ch.before(s, fmt.Sprintf("%s := %s\n%s", v, r.text(as.Rhs[0]), r.lock))
		r.ch.replace(as.Rhs[0].Pos(), as.Rhs[0].End(), v)
		r.ch.after(s, r.unlock)
		return true
	}
	if ret, ok := s.(*ast.ReturnStmt); ok && r.costOf(r.p, s, r.locked, 0) == quick && ast.Node(bodyOf(r.fn)) == r.p.of(ret).anchorBlock() && len(inFunction(r.by.uses, r.fn)) == 0 && r.ch.mark().edits == r.began.edits {
		r.ch.before(ret, r.lock+"\ndefer "+r.unlock)
		return true
	}
	for _, a := range r.in(s) {
		if !r.name(a, s) {
			return false
		}
	}
	return true
}

// pointerReceivers makes methods whose receiver is a copy take a pointer: they
// would lock a mutex of their own.
func (m *sharedMap) pointerReceivers(ch *change) {
	if m.owner == nil {
		return
	}
	m.each(func(p place) {
		for _, d := range p.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			t := p.info().TypeOf(fn.Recv.List[0].Type)
			if n, isNamed := types.Unalias(t).(*types.Named); isNamed && n.Origin() == m.owner.Origin() {
				ch.insert(fn.Recv.List[0].Type.Pos(), "*")
			}
		}
	})
}

// privateLock: every use holds a lock, but each goroutine one of its own.
func (m *sharedMap) privateLock() {
	v := m.by.v
	if v == nil {
		return
	}
	if v.IsField() {
		ch := m.change()
		m.pointerReceivers(ch)
		m.offer(idea{title: fmt.Sprintf("give the methods of %s a pointer receiver", m.owner.Obj().Name()), weight: origin, change: ch,
			why: "A method with a value receiver locks the mutex of a copy; with a pointer all lock the same one."})
		return
	}
	defs := m.definitions(m.home, v)
	if len(defs) == 0 {
		return
	}
	at := defs[0].of2(defs[0].stmt)
	s, home := at.anchor(), m.home.anchor()
	if s == nil || home == nil || at.function() == m.home.function() && at.loop() == m.home.loop() {
		return
	}
	m.diagnosis.Sentence = fmt.Sprintf("%s is used by several goroutines at once: each locks a %s of its own (%s)", m.rootName(), v.Name(), m.where(s.Pos()))
	m.diagnosis.Origin = m.relWhere(s.Pos())
	ch := m.change().remove(s).after(home, m.text(s))
	m.offer(idea{title: fmt.Sprintf("share one %s", v.Name()), weight: origin, change: ch,
		why: fmt.Sprintf("The mutex is declared next to %s, so that all goroutines lock the same one.", m.rootName())})
}
