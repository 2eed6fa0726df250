package sharedmap

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

func isInterfaceCall(p syntax.Place, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	t := p.Info().TypeOf(sel.X)
	return t != nil && types.IsInterface(t)
}

// locksClass reports whether a function, or what it calls, takes a lock of a class.
func (m *sharedMap) locksClass(p syntax.Place, fn ast.Node, uses []syntax.LockUse) bool {
	return m.Transitive(p, fn, func(q syntax.Place, n ast.Node) bool {
		for _, u := range uses {
			if u.Takes() && u.Node() == n {
				return true
			}
		}
		return false
	})
}

// blocks reports whether a node may wait for another goroutine: a channel
// operation, a select, or a wait of package sync.
func blocks(p syntax.Place, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SendStmt:
		return p.Of(n).Comm() == nil
	case *ast.UnaryExpr:
		return n.Op.String() == "<-" && p.Of(n).Comm() == nil
	case *ast.RangeStmt:
		return syntax.IsChan(p.Info().TypeOf(n.X))
	case *ast.SelectStmt:
		for _, c := range n.Body.List {
			if c.(*ast.CommClause).Comm == nil {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		fn := p.Callee(n)
		return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && fn.Name() == "Wait" && syntax.RecvName(fn) == "WaitGroup"
	}
	return false
}

// mapGuard is the mutex that guards a shared map.
type mapGuard struct {
	class    any    // nil when it is yet to be declared
	name     string // of the field or variable
	embedded bool   // it is embedded: its methods are called on the struct
	rw       bool   // a sync.RWMutex
	taken    bool   // it is held at some accesses, perhaps for reading; else it is only the one at hand
	uses     []syntax.LockUse
	v        *types.Var
}

// chooseGuard finds the mutex that others take for the map, else the only one
// that is at hand, else a name for a new one.
func (m *sharedMap) chooseGuard() mapGuard {
	all := m.LockUses()
	var best mapGuard
	most := 0
	candidates := m.mutexes()
	for _, v := range candidates {
		g := mapGuard{class: m.FlowOf().Find(syntax.OriginOf(v)), name: v.Name(), embedded: v.IsField() && v.Embedded(), v: v,
			rw: strings.HasSuffix(types.TypeString(v.Type(), nil), "sync.RWMutex")}
		g.uses = syntax.OfClass(all, g.class)
		guarded := 0
		for _, a := range m.accesses {
			if m.heldFor(a, g) {
				guarded++
			}
		}
		if guarded > most {
			best, most = g, guarded
		}
		if m.owner != nil && len(candidates) == 1 && most == 0 {
			best = g
		}
	}
	if best.class != nil {
		best.taken = slices.ContainsFunc(m.accesses, func(a mapAccess) bool { return m.heldFor(a.reading(), best) })
		return best
	}
	return mapGuard{name: m.newName()}
}

// mutexes lists the mutexes next to the map: fields of the same struct, or
// variables that are visible where it is declared.
func (m *sharedMap) mutexes() []*types.Var {
	var list []*types.Var
	if m.owner != nil {
		st, _ := syntax.UnderStruct(m.owner)
		for i := range st.NumFields() {
			if isMutex(st.Field(i).Type()) {
				list = append(list, st.Field(i))
			}
		}
		return list
	}
	add := func(obj types.Object) {
		if v, ok := obj.(*types.Var); ok && !v.IsField() && isMutex(v.Type()) {
			list = append(list, v)
		}
	}
	scope := m.home.Pkg.Types.Scope()
	for _, name := range scope.Names() {
		add(scope.Lookup(name))
	}
	return list
}

func isMutex(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "sync.Mutex", "sync.RWMutex", "*sync.Mutex", "*sync.RWMutex":
		return true
	}
	return false
}

// newName is a free name for a mutex next to the map.
func (m *sharedMap) newName() string {
	if m.owner != nil {
		return syntax.FreeFieldName(m.owner, "mu", m.root.Name()+"Mu", "lock")
	}
	return syntax.Fresh(m.home.Of(m.home.File), m.root.Name()+"Mu", "mu")
}

// reading is the access as one that writes nothing.
func (a mapAccess) reading() mapAccess {
	a.write = false
	return a
}

// heldFor reports whether a guard is held at an access, for writing if it writes.
func (m *sharedMap) heldFor(a mapAccess, g mapGuard) bool {
	if g.class == nil {
		return false
	}
	uses := m.locksOf(a, g)
	if l, ok := syntax.HeldAt(uses, a.fn, a.Node()); ok {
		return l.Method == "Lock" || !a.write
	}
	if inner := a.Function(); inner != a.fn { // a literal that locks itself
		if l, ok := syntax.HeldAt(uses, inner, a.Node()); ok {
			return l.Method == "Lock" || !a.write
		}
	}
	at := a.Place
	at.Path = a.Of(a.fn).Path
	d, ok := a.fn.(*ast.FuncDecl)
	if !ok || d.Name.IsExported() {
		return false
	}
	obj, ok := a.Info().Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	calls, plain := m.CallsOf(obj)
	for _, c := range calls {
		if !m.UnderLock(c, g.uses, a.write, 0) {
			return false
		}
	}
	return plain && len(calls) > 0
}

// locksOf narrows the uses of a guard to those of the value that has the map, where
// the function of an access names them by it: others lock another value.
func (m *sharedMap) locksOf(a mapAccess, g mapGuard) []syntax.LockUse {
	mutex := a.base
	if !g.embedded {
		mutex += "." + g.name
	}
	own := slices.DeleteFunc(slices.Clone(g.uses), func(l syntax.LockUse) bool {
		return m.Text(l.Mutex) != mutex || l.Declaration() != a.Declaration()
	})
	if a.base == "" || len(own) == 0 {
		return g.uses
	}
	return own
}

func (m *sharedMap) isGuarded(a mapAccess) bool { return m.heldFor(a, m.by) }

// declare writes the declaration of a new mutex next to the map.
func (m *sharedMap) declare(ch *code.Change) bool {
	sync := syntax.PkgName(m.home.File, "sync")
	ch.Need(m.home.File, "sync")
	typ := sync + ".Mutex"
	switch {
	case m.owner != nil:
		ch.Before(m.home.Node(), m.by.name+" "+typ)
	default:
		g, ok := m.home.Path[1].(*ast.GenDecl)
		if !ok {
			return false
		}
		if g.Lparen.IsValid() {
			ch.After(m.home.Node(), m.by.name+" "+typ)
		} else {
			ch.After(g, "\nvar "+m.by.name+" "+typ)
		}
	}
	return true
}

// mutexText writes the mutex as a function names it; empty where it cannot.
func (m *sharedMap) mutexText(fn ast.Node, list []mapAccess) string {
	if m.owner == nil {
		return m.by.name
	}
	base := ""
	for _, a := range list {
		switch {
		case a.base == "":
		case base == "":
			base = a.base
		case base != a.base:
			return ""
		}
	}
	if base == "" {
		d, ok := fn.(*ast.FuncDecl)
		if !ok || d.Recv == nil || len(d.Recv.List[0].Names) == 0 || syntax.Named(list[0].Info().TypeOf(d.Recv.List[0].Type)) != m.owner {
			return ""
		}
		base = d.Recv.List[0].Names[0].Name
	}
	if m.by.embedded {
		return base
	}
	return base + "." + m.by.name
}

// cost says whether code can run under the lock.
type cost int

const (
	quick  cost = iota // nothing in it takes long
	slow               // it may take long, but waits for nothing
	unsafe             // it may wait for a goroutine that needs the lock
)

// knownQuick are packages whose functions wait for nothing and do not take long.
var knownQuick = map[string]bool{
	"fmt": true, "strings": true, "strconv": true, "errors": true, "sort": true, "slices": true, "maps": true, "bytes": true, "math": true,
	"unicode": true, "unicode/utf8": true, "path": true, "path/filepath": true, "log": true, "cmp": true, "math/rand": true, "math/rand/v2": true,
	"hash/fnv": true, "sync/atomic": true, "time": true, "container/list": true, "container/heap": true, "encoding/json": true, "log/slog": true,
	"reflect": true, "regexp": true, "text/template": true, "encoding/hex": true, "crypto/sha256": true, "crypto/md5": true,
}

// costOf weighs statements; locked are the functions that take the lock themselves.
func (m *sharedMap) costOf(p syntax.Place, root ast.Node, locked map[ast.Node]bool, depth int) cost {
	worst := quick
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || worst == unsafe {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.FuncLit:
			if n != root && !m.calledHere(p, n) {
				return false
			}
		case *ast.CallExpr:
			worst = max(worst, m.costOfCall(p, n, locked, depth))
		}
		if blocks(p, n) {
			worst = unsafe
		}
		return worst != unsafe
	})
	return worst
}

// calledHere reports whether a literal is run where it is.
func (m *sharedMap) calledHere(p syntax.Place, lit *ast.FuncLit) bool {
	at := p.Of(lit)
	call, ok := at.Path[1].(*ast.CallExpr)
	return ok && runsWithin(p, call, lit)
}

func (m *sharedMap) costOfCall(p syntax.Place, call *ast.CallExpr, locked map[ast.Node]bool, depth int) cost {
	if tv, ok := p.Info().Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return quick
	}
	if _, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return quick // its body is looked at where it is
	}
	fn := p.Callee(call)
	if fn == nil { // a function value: it may do anything
		for _, lit := range m.FlowOf().Callees(p, call) {
			if l, ok := lit.(*ast.FuncLit); ok && depth < 4 && !locked[l] {
				return m.costOf(p, l.Body, locked, depth+1)
			}
		}
		return unsafe
	}
	if isInterfaceCall(p, call) && m.OwnsPackage(fn.Pkg()) {
		return unsafe
	}
	if d, ok := m.DeclarationOf(fn); ok {
		if locked[d.Node()] || m.by.class != nil && m.locksClass(d, d.Node(), m.by.uses) {
			return unsafe
		}
		if depth > 4 || syntax.BodyOf(d.Node()) == nil {
			return slow
		}
		return m.costOf(d, syntax.BodyOf(d.Node()), locked, depth+1)
	}
	if fn.Pkg() == nil {
		return quick
	}
	switch path := fn.Pkg().Path(); {
	case path == "time" && fn.Name() == "Sleep":
		return slow
	case path == "sync":
		if fn.Name() == "Wait" {
			return unsafe
		}
		return quick
	case knownQuick[path]:
		return quick
	}
	return slow
}
