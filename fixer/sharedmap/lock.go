package sharedmap

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/exits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// lockAll takes one lock around every use of the map.
func (m *sharedMap) lockAll() {
	todo := m.byFunction()
	if len(todo) == 0 {
		return
	}
	ch := m.Change()
	if m.by.class == nil && !m.declare(ch) {
		return
	}
	locked := map[ast.Node]bool{}
	for fn := range todo {
		locked[fn] = true
	}
	for _, fn := range sortedFunctions(todo) {
		if m.handsOutEntry(todo[fn][0].Place, fn) || !m.protect(ch, fn, todo[fn], locked) {
			return
		}
	}
	m.pointerReceivers(ch)
	title := fmt.Sprintf("guard %s with a mutex", m.rootName())
	why := fmt.Sprintf("%s, a new mutex next to %s, is now held in %s.", m.by.name, m.rootName(), holders(todo))
	if m.by.class != nil {
		title = fmt.Sprintf("hold %s where %s is used", m.by.name, m.rootName())
		why = fmt.Sprintf("%s, the mutex next to %s, is now held in %s.", m.by.name, m.rootName(), holders(todo))
	}
	if m.by.taken {
		why = fmt.Sprintf("%s is what guards %s; it is now held in %s, too.", m.by.name, m.rootName(), holders(todo))
	}
	m.Offer(proposal.Idea{Rule: "sharedmap/lock-all", Title: title, Weight: exits.Origin, Change: ch, Why: why})
}

// holders names the functions that take the lock with the change; other uses are left
// as they are, for they hold it already or run alone.
func holders(todo map[ast.Node][]mapAccess) string {
	var names []string
	for _, fn := range sortedFunctions(todo) {
		names = append(names, syntax.FuncName(fn))
	}
	return strings.Join(syntax.Unique(names), ", ")
}

// rootName names the map for people.
func (m *sharedMap) rootName() string {
	if m.owner != nil {
		return m.owner.Obj().Name() + "." + m.root.Name()
	}
	return m.root.Name()
}

// byFunction groups the uses that need the lock by the function that is to
// take it.
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

func sortedFunctions(todo map[ast.Node][]mapAccess) []ast.Node {
	var list []ast.Node
	for fn := range todo {
		list = append(list, fn)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Pos() < list[j].Pos() })
	return list
}

// protect makes a function hold the lock for all its uses of the map.
func (m *sharedMap) protect(ch *code.Change, fn ast.Node, list []mapAccess, locked map[ast.Node]bool) bool {
	mutex := m.mutexText(fn, list)
	if mutex == "" || fn == nil || syntax.BodyOf(fn) == nil {
		return false
	}
	r := &regions{sharedMap: m, ch: ch, list: list, locked: locked, p: list[0].Place, lock: mutex + ".Lock()", unlock: mutex + ".Unlock()"}
	if m.by.rw && !writes(list) {
		r.lock, r.unlock = mutex+".RLock()", mutex+".RUnlock()"
	}
	for _, a := range list {
		if a.escapes {
			ch.Insert(a.Node().Pos(), syntax.PkgName(a.File, "maps")+".Clone(").Insert(a.Node().End(), ")").Need(a.File, "maps")
		}
	}
	if m.allGuarded(list) {
		return true
	}
	held := len(syntax.InFunction(m.by.uses, fn)) > 0
	if m.readByCallers(list) {
		return false // they would wait for themselves
	}
	body := syntax.BodyOf(fn)
	_, isDecl := fn.(*ast.FuncDecl)
	isDecl = isDecl && !m.startedItself(list[0].Of(fn)) // those hold the lock only as long as they must
	c := m.costOf(r.p, body, locked, 0)
	if isDecl && c == quick && !held && !m.startsGoroutines(fn) {
		ch.First(body, r.lock+"\ndefer "+r.unlock)
		return true
	}
	return r.block(body.List)
}

func (m *sharedMap) allGuarded(list []mapAccess) bool {
	for _, a := range list {
		if !m.isGuarded(a) {
			return false
		}
	}
	return true
}

// readByCallers reports whether a function, or those who call it, hold the lock for reading
// only, where it writes.
func (m *sharedMap) readByCallers(list []mapAccess) bool {
	return slices.ContainsFunc(list, func(a mapAccess) bool {
		return !m.isGuarded(a) && m.isGuarded(a.reading())
	})
}

// startedItself reports whether a go statement calls a function directly.
func (m *sharedMap) startedItself(p syntax.Place) bool {
	for _, c := range m.CallsOfFunction(p, p.Node()) {
		if _, ok := startedBy(c); ok {
			return true
		}
	}
	return false
}

// startsGoroutines reports whether a function starts goroutines and may wait for them.
func (m *sharedMap) startsGoroutines(fn ast.Node) bool {
	found := false
	ast.Inspect(syntax.BodyOf(fn), func(n ast.Node) bool {
		if _, ok := n.(*ast.GoStmt); ok {
			found = true
		}
		return !found
	})
	return found
}

// handsOutEntry reports whether an unexported function returns what an entry points to: who
// called it goes on to use that, and so must hold the lock.
func (m *sharedMap) handsOutEntry(p syntax.Place, fn ast.Node) bool {
	d, isDecl := fn.(*ast.FuncDecl)
	t, ok := syntax.TypeUnder[*types.Map](m.root.Type())
	if !ok || !isDecl || d.Name.IsExported() || d.Type.Results.NumFields() == 0 {
		return false
	}
	switch t.Elem().Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return types.Identical(p.Info().TypeOf(d.Type.Results.List[0].Type), t.Elem())
	}
	return false
}

// pointerReceivers makes methods whose receiver is a copy take a pointer: they
// would lock a mutex of their own.
func (m *sharedMap) pointerReceivers(ch *code.Change) {
	if m.owner == nil {
		return
	}
	m.Each(func(p syntax.Place) {
		for _, d := range p.File.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			t := p.Info().TypeOf(fn.Recv.List[0].Type)
			if n, isNamed := types.Unalias(t).(*types.Named); isNamed && n.Origin() == m.owner.Origin() {
				ch.Insert(fn.Recv.List[0].Type.Pos(), "*")
			}
		}
	})
}
