package fixer

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"sort"
	"strings"
)

// lockAll takes one lock around every use of the map.
func (m *sharedMap) lockAll() {
	todo := m.byFunction()
	if len(todo) == 0 {
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
	why := fmt.Sprintf("%s, a new mutex next to %s, is now held in %s.", m.by.name, m.rootName(), holders(todo))
	if m.by.class != nil {
		title = fmt.Sprintf("hold %s where %s is used", m.by.name, m.rootName())
		why = fmt.Sprintf("%s is what guards %s; it is now held in %s, too.", m.by.name, m.rootName(), holders(todo))
	}
	if onlyEscapes(todo) && m.by.class != nil {
		title = fmt.Sprintf("hand out a copy of %s", m.rootName())
		why = fmt.Sprintf("Callers go over a copy, made under %s, instead of the map that others go on to change.", m.by.name)
	}
	m.offer(idea{rule: "sharedmap/lock-all", title: title, weight: origin, change: ch, why: why})
}

// holders names the functions that take the lock with the change; other uses are left
// as they are, for they hold it already or run alone.
func holders(todo map[ast.Node][]mapAccess) string {
	var names []string
	for _, fn := range sortedFunctions(todo) {
		names = append(names, funcName(fn))
	}
	return strings.Join(unique(names), ", ")
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
// are in functions that will hold the lock.
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
	if !held && m.readByCallers(list) {
		return false // they would wait for themselves
	}
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

// readByCallers reports whether the callers of a function that takes no lock hold it,
// for reading only, where it writes.
func (m *sharedMap) readByCallers(list []mapAccess) bool {
	return slices.ContainsFunc(list, func(a mapAccess) bool {
		reading := a
		reading.write = false
		return !m.isGuarded(a) && m.isGuarded(reading)
	})
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
