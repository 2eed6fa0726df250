package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// sharedMap is a map that several goroutines use at once, with all the places
// that use it.
type sharedMap struct {
	*fixer
	root     *types.Var   // the field or variable that holds it
	owner    *types.Named // of a field: the struct; nil for variables
	home     place        // of the declaration of root
	classes  map[any]bool // of the map and of the maps in it
	accesses []mapAccess
	by       mapGuard
}

// mapAccess is one use of the map.
type mapAccess struct {
	place           // of the expression that is the map
	write      bool // an entry is written or deleted
	fn         ast.Node
	base       string // of a field: the value it is selected from; empty where that is not known
	escapes    bool   // the map itself is returned
	sequential bool   // nothing else runs then
	ofCall     bool   // it is the result of a function of the user's, which may return a copy
}

// concurrentMap: the runtime saw two goroutines use a map at once.
func (f *fixer) concurrentMap() {
	for i, s := range f.mapSuspects() {
		m, ok := f.sharedMapOf(s)
		if !ok {
			continue
		}
		if i == 0 || f.diagnosis.Sentence == "" {
			m.describe(s)
		}
		m.lockAll()
		if len(f.found) > 0 {
			return
		}
	}
}

// mapSuspects lists the maps used on the culprit's line, written ones first.
func (f *analysis) mapSuspects() []suspect {
	var written, read []suspect
	visit(f.home.path[0], func(n ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok || !isMap(f.home.info().TypeOf(e)) || !f.onLine(e) {
			return
		}
		if tv := f.home.info().Types[e]; tv.IsType() || isLiteral(e) {
			return
		}
		if sel, ok := f.home.of(e).path[1].(*ast.SelectorExpr); ok && sel.Sel == e {
			return
		}
		s := suspect{place: f.home.of(e), expr: e, bad: e, fact: unknown}
		if writesMap(s.place) {
			written = append(written, s)
		} else {
			read = append(read, s)
		}
	})
	return append(written, read...)
}

func isLiteral(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := x.Fun.(*ast.Ident)
		return ok && id.Name == "make"
	}
	return false
}

// onLine reports whether an expression stands on the culprit's line, or in a
// range over it there.
func (f *analysis) onLine(e ast.Expr) bool {
	return f.line(e.Pos()) <= f.frame.Line && f.frame.Line <= f.line(e.End())
}

// writesMap reports whether an entry of the map is written or deleted.
func writesMap(p place) bool {
	if len(p.path) < 3 {
		return false
	}
	switch outer := p.path[1].(type) {
	case *ast.IndexExpr:
		if outer.X != p.path[0] {
			return false
		}
		switch s := p.path[2].(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if l == ast.Expr(outer) {
					return true
				}
			}
		case *ast.IncDecStmt:
			return true
		case *ast.IndexExpr, *ast.SelectorExpr: // an entry of a map or struct in the map
			return false
		}
	case *ast.CallExpr:
		if name, _ := p.builtin(outer); name == "delete" || name == "clear" {
			return true
		}
		return mutates(p, outer)
	case *ast.AssignStmt:
		for _, l := range outer.Lhs {
			if l == p.path[0] {
				return true
			}
		}
	}
	return false
}

// mutates reports whether a library call writes to the map that is its first argument.
func mutates(p place, call *ast.CallExpr) bool {
	fn := p.callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "maps" && (fn.Name() == "Copy" || fn.Name() == "DeleteFunc" || fn.Name() == "Insert") &&
		len(call.Args) > 0 && call.Args[0] == p.path[0]
}

// sharedMapOf finds what holds the map, and all that uses it.
func (f *fixer) sharedMapOf(s suspect) (*sharedMap, bool) {
	root, at, ok := f.mapRoot(s.place, s.bad, 0)
	if !ok {
		return nil, false
	}
	m := &sharedMap{fixer: f, root: root, classes: map[any]bool{}}
	fl := f.flowOf()
	class := fl.find(originObject(root))
	for range 3 {
		m.classes[class] = true
		class = fl.elemOf(class)
	}
	if root.IsField() {
		decl, found := f.fieldDecl(root)
		if !found {
			return nil, false
		}
		m.home = decl
		m.owner = f.structWith(root)
		if m.owner == nil {
			return nil, false
		}
	} else {
		defs := f.definitions(at, root)
		if len(defs) == 0 || defs[0].stmt == nil {
			return nil, false
		}
		m.home = defs[0].of2(defs[0].stmt)
	}
	m.collect()
	m.by = m.chooseGuard()
	return m, len(m.accesses) > 0
}

// structWith returns the named struct type that declares a field.
func (f *facts) structWith(field *types.Var) *types.Named {
	for _, pkg := range f.c.Code.Packages {
		if pkg.Types == nil || pkg.Types != field.Pkg() {
			continue
		}
		for _, obj := range pkg.TypesInfo.Defs {
			tn, ok := obj.(*types.TypeName)
			if !ok {
				continue
			}
			n, ok := tn.Type().(*types.Named)
			if !ok {
				continue
			}
			if st, isStruct := n.Underlying().(*types.Struct); isStruct {
				for i := range st.NumFields() {
					if st.Field(i) == field.Origin() || st.Field(i) == field {
						return n
					}
				}
			}
		}
	}
	return nil
}

// mapRoot follows a map to the field or variable that holds it, through
// lookups in other maps, parameters and calls that return it.
func (f *analysis) mapRoot(p place, e ast.Expr, depth int) (*types.Var, place, bool) {
	if depth > maxTrace {
		return nil, p, false
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return f.mapRoot(p, x.X, depth+1)
	case *ast.StarExpr:
		return f.mapRoot(p, x.X, depth+1)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.mapRoot(p, x.X, depth+1)
		}
	case *ast.TypeAssertExpr:
		return f.mapRoot(p, x.X, depth+1)
	case *ast.SelectorExpr:
		v, ok := p.info().ObjectOf(x.Sel).(*types.Var)
		return v, p, ok
	case *ast.CallExpr:
		if tv, ok := p.info().Types[x.Fun]; ok && tv.IsType() && len(x.Args) == 1 {
			return f.mapRoot(p, x.Args[0], depth+1)
		}
		decl, ok := f.declarationOf(p.callee(x))
		if !ok {
			return nil, p, false
		}
		for _, r := range returnsOf(decl.node()) {
			if len(r.Results) > 0 && isMap(decl.info().TypeOf(r.Results[0])) {
				if v, at, found := f.mapRoot(decl.of(r), r.Results[0], depth+1); found {
					return v, at, true
				}
			}
		}
	case *ast.Ident:
		v, ok := p.info().ObjectOf(x).(*types.Var)
		if !ok {
			return nil, p, false
		}
		return f.variableRoot(p, v, x, depth)
	}
	return nil, p, false
}

func (f *analysis) variableRoot(p place, v *types.Var, id *ast.Ident, depth int) (*types.Var, place, bool) {
	if isGlobal(v) || v.IsField() {
		return v, p, true
	}
	if fn, call, index := f.paramOf(p, v); fn != nil {
		for _, c := range call {
			args := c.node().(*ast.CallExpr).Args
			if index < 0 { // a receiver
				if sel, ok := ast.Unparen(c.node().(*ast.CallExpr).Fun).(*ast.SelectorExpr); ok {
					return f.mapRoot(c, sel.X, depth+1)
				}
			} else if index < len(args) {
				return f.mapRoot(c, args[index], depth+1)
			}
		}
		return nil, p, false
	}
	for _, d := range f.definitions(p.of(id), v) {
		if d.expr == nil || !isMap(v.Type()) || d.of == fromRange {
			continue
		}
		switch x := ast.Unparen(d.expr).(type) {
		case *ast.IndexExpr, *ast.SelectorExpr, *ast.Ident:
			return f.mapRoot(d.place, x, depth+1)
		case *ast.CallExpr:
			if fn := d.callee(x); fn != nil && f.ownsPackage(fn.Pkg()) {
				if root, at, found := f.mapRoot(d.place, x, depth+1); found && (root.IsField() || isGlobal(root)) {
					return root, at, true
				}
			}
		}
	}
	return v, p, true
}

// paramOf tells of which function a variable is a parameter or receiver, with
// the calls of that; index is -1 for a receiver.
func (f *analysis) paramOf(p place, v *types.Var) (fn ast.Node, calls []place, index int) {
	for _, n := range p.path {
		ft := typeOfFunc(n)
		if ft == nil {
			continue
		}
		d, _ := n.(*ast.FuncDecl)
		i, receiver, found := paramIndex(p, ft, d, v)
		if !found {
			continue
		}
		if receiver {
			i = -1
		}
		return n, f.callsOfFunction(p, n), i
	}
	return nil, nil, 0
}

// callsOfFunction lists the calls of a declared function, or of a literal that
// is called where it stands or held by a variable; also those of go statements.
func (f *analysis) callsOfFunction(p place, fn ast.Node) []place {
	if d, ok := fn.(*ast.FuncDecl); ok {
		if obj, isFunc := p.info().Defs[d.Name].(*types.Func); isFunc {
			calls, _ := f.callsOf(obj)
			return calls
		}
		return nil
	}
	at := p.of(fn)
	if call, ok := at.path[1].(*ast.CallExpr); ok && ast.Unparen(call.Fun) == fn {
		return []place{p.of(call)}
	}
	var list []place
	for obj, lits := range f.flowOf().lits {
		for _, l := range lits {
			if ast.Node(l) != fn {
				continue
			}
			ast.Inspect(p.file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && p.object(call.Fun) == obj {
					list = append(list, p.of(call))
				}
				return true
			})
		}
	}
	return list
}

// collect lists all uses of the map.
func (m *sharedMap) collect() {
	fl := m.flowOf()
	m.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if !isMap(p.info().TypeOf(e)) || isLiteral(e) {
				return true
			}
			if tv := p.info().Types[e]; tv.IsType() {
				return false
			}
			class := fl.class(p, e)
			if class == nil || !m.classes[class] {
				return true
			}
			m.add(p.of(e))
			return true
		})
	})
}

// add notes an access, unless it is none: a name in a declaration, the key of
// a literal, an argument that is only passed on.
func (m *sharedMap) add(p place) {
	if len(p.path) < 2 {
		return
	}
	a := mapAccess{place: p, write: writesMap(p)}
	switch outer := p.path[1].(type) {
	case *ast.KeyValueExpr, *ast.Field, *ast.ValueSpec, *ast.SelectorExpr, *ast.UnaryExpr, *ast.ParenExpr:
		if sel, ok := outer.(*ast.SelectorExpr); ok && sel.X == p.path[0] && p.info().Selections[sel] != nil {
			break // a method of a map type: its body has the accesses
		}
		return
	case *ast.CallExpr:
		if fn := p.callee(outer); fn != nil && m.ownsPackage(fn.Pkg()) {
			return
		}
		if tv, ok := p.info().Types[outer.Fun]; ok && tv.IsType() || ast.Unparen(outer.Fun) == p.path[0] {
			return
		}
		if lit, ok := ast.Unparen(outer.Fun).(*ast.FuncLit); ok && lit != nil {
			return
		}
	case *ast.AssignStmt:
		for _, l := range outer.Lhs {
			if l == p.path[0] && (outer.Tok == token.DEFINE || m.isAlias(p, l)) {
				return
			}
		}
		if !a.write {
			return // the map itself gets another name
		}
	case *ast.ReturnStmt:
		a.escapes = true
	}
	if p.function() == nil {
		return
	}
	a.fn = m.ownerFunction(p)
	a.base = m.baseOf(p, p.node().(ast.Expr), 0)
	if m.isConstruction(a) {
		return
	}
	a.sequential = m.alone(a)
	a.ofCall = !a.write && m.fromCall(p, p.node().(ast.Expr), 0)
	m.accesses = append(m.accesses, a)
}

// isAlias reports whether an assigned name is only another name for an inner map.
func (m *sharedMap) isAlias(p place, l ast.Expr) bool {
	id, ok := l.(*ast.Ident)
	if !ok {
		return false
	}
	v, isVar := p.info().ObjectOf(id).(*types.Var)
	return isVar && v != m.root && !isGlobal(v)
}

// ownerFunction is the function under whose lock an access stands: that of a
// literal which is only run within it is the one around.
func (m *sharedMap) ownerFunction(p place) ast.Node {
	fn := p.function()
	for {
		lit, ok := fn.(*ast.FuncLit)
		if !ok {
			return fn
		}
		at := p.of(lit)
		call, isCall := at.path[1].(*ast.CallExpr)
		if !isCall || !runsWithin(p, call, lit) {
			return fn
		}
		if len(at.path) > 2 {
			if _, isGo := at.path[2].(*ast.GoStmt); isGo {
				return fn
			}
		}
		fn = at.outside().function()
	}
}

// runsWithin reports whether a call runs a literal before it returns.
func runsWithin(p place, call *ast.CallExpr, lit *ast.FuncLit) bool {
	if ast.Unparen(call.Fun) == ast.Expr(lit) {
		return true
	}
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sort", "slices", "strings", "bytes", "maps":
		return true
	}
	return fn.FullName() == "(*sync.Once).Do"
}

// baseOf writes the value that holds the map's field, as the function of an
// access names it; empty where it cannot.
func (m *sharedMap) baseOf(p place, e ast.Expr, depth int) string {
	if depth > maxTrace || m.owner == nil {
		return ""
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if m.same(originObject(p.info().ObjectOf(x.Sel)), originObject(m.root)) && isPathOrIndex(x.X) {
			return m.text(x.X)
		}
	case *ast.IndexExpr:
		return m.baseOf(p, x.X, depth+1)
	case *ast.Ident:
		v, ok := p.info().ObjectOf(x).(*types.Var)
		if !ok {
			return ""
		}
		for _, d := range m.definitions(p.of(x), v) {
			if d.expr == nil || d.declaration() != p.declaration() || isGlobal(v) {
				continue
			}
			if base := m.baseOf(d.place, d.expr, depth+1); base != "" {
				return base
			}
		}
	}
	return ""
}

// fromCall reports whether a map is what a function of the user's returned.
func (m *sharedMap) fromCall(p place, e ast.Expr, depth int) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		fn := p.callee(x)
		return fn != nil && m.ownsPackage(fn.Pkg())
	case *ast.IndexExpr:
		return depth < maxTrace && m.fromCall(p, x.X, depth+1)
	case *ast.Ident:
		v, ok := p.info().ObjectOf(x).(*types.Var)
		if !ok || depth > maxTrace || v == m.root {
			return false
		}
		if d, found := m.definition(p.of(x), v, x.Pos()); found && d.expr != nil {
			return m.fromCall(d.place, d.expr, depth+1)
		}
	}
	return false
}

// usedOutside reports whether callers use the map that a function returns.
func (m *sharedMap) usedOutside() bool {
	for _, a := range m.accesses {
		if a.ofCall && !a.sequential {
			return true
		}
	}
	return false
}

// isConstruction reports whether an access belongs to the making of the value
// that holds the map: no other goroutine knows it yet.
func (m *sharedMap) isConstruction(a mapAccess) bool {
	if m.owner == nil {
		return false
	}
	d, ok := a.fn.(*ast.FuncDecl)
	if !ok || d.Name.Name == "main" || d.Recv != nil && named(a.info().TypeOf(d.Recv.List[0].Type)) == m.owner {
		return false
	}
	sel, ok := ast.Unparen(a.node().(ast.Expr)).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	src := m.trace(a.place, -1, sel.X)
	if src.expr == nil || src.declaration() != d {
		return src.of == fromNothing && src.declaration() == d
	}
	e := ast.Unparen(src.expr)
	if u, isAddr := e.(*ast.UnaryExpr); isAddr {
		e = u.X
	}
	if name, _ := src.builtin(e); name == "new" {
		return true
	}
	_, isLit := e.(*ast.CompositeLit)
	return isLit
}

// alone reports whether no goroutine can be at work when an access runs: it
// stands before the first go statement of its function, or after the wait for
// all of them.
func (m *sharedMap) alone(a mapAccess) bool {
	if started, _ := m.runsIn(a.place, a.fn); len(started) > 0 {
		return false
	}
	d, ok := a.fn.(*ast.FuncDecl)
	switch {
	case !ok:
		return false
	case d == m.localTo(), d.Name.Name == "main" && d.Recv == nil:
		return aloneAt(a.place, d, a.node())
	case d.Recv != nil || d.Name.IsExported():
		return false
	}
	return m.calledAlone(a.of(d), d)
}

// localTo is the function that declares the map as a variable; nil for others.
func (m *sharedMap) localTo() *ast.FuncDecl {
	if m.owner != nil || isGlobal(m.root) {
		return nil
	}
	return m.home.declaration()
}

// aloneAt reports whether no goroutine that a function starts runs at a node of it.
func aloneAt(p place, d *ast.FuncDecl, at ast.Node) bool {
	firstGo, lastGo, lastWait := token.Pos(0), token.Pos(0), token.Pos(0)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.GoStmt:
			if !firstGo.IsValid() {
				firstGo = p.outermostLoop(n).Pos()
			}
			lastGo = n.End()
			return false
		case *ast.CallExpr:
			if wg, _ := waitGroupCall(p, n, "Wait"); wg != nil && !p.of(n).deferred() && n.Pos() < at.Pos() {
				lastWait = n.End()
			}
			if goesBy(p, n) {
				if !firstGo.IsValid() {
					firstGo = p.outermostLoop(n).Pos()
				}
				lastGo = n.End()
			}
		}
		return true
	})
	return firstGo.IsValid() && (at.Pos() < firstGo || lastWait > lastGo && lastWait.IsValid())
}

// outermostLoop is the outermost loop around a node, or the node.
func (p place) outermostLoop(n ast.Node) ast.Node {
	loops := p.of(n).loops()
	if len(loops) == 0 {
		return n
	}
	return loops[len(loops)-1]
}

// calledAlone reports whether all calls of a function come when no goroutine runs.
func (m *sharedMap) calledAlone(p place, d *ast.FuncDecl) bool {
	calls := m.callsOfFunction(p, d)
	for _, c := range calls {
		outer := c.declaration()
		if outer == nil || outer.Name.Name != "main" && outer != m.localTo() || c.function() != ast.Node(outer) || !aloneAt(c, outer, c.node()) {
			return false
		}
	}
	return len(calls) > 0
}

// describe says which map is used at once, and where.
func (m *sharedMap) describe(s suspect) {
	text := m.text(s.bad)
	verb := "reads"
	if writesMap(s.place) {
		verb = "writes"
	}
	without := "without a lock"
	if m.by.class != nil {
		without = "without " + m.by.name + ", which others take for it"
	}
	at, fn := s.bad.Pos(), s.function()
	if a, ok := m.unguarded(); ok {
		at, fn, verb = a.node().Pos(), a.fn, "reads"
		if a.write {
			verb = "writes"
		}
	}
	if a, ok := m.handedOut(s); ok {
		m.diagnosis = evidence.Diagnosis{Expr: text, Value: "used by two goroutines at once", Origin: m.relWhere(a.node().Pos()),
			Sentence: fmt.Sprintf("%s is used by several goroutines at once: %s (%s) hands out the map itself, which %s (%s) uses without %s",
				text, funcName(a.fn), m.where(a.node().Pos()), funcName(s.function()), m.where(s.bad.Pos()), m.by.name)}
		return
	}
	d := evidence.Diagnosis{Expr: text, Value: "used by two goroutines at once", Origin: m.relWhere(at)}
	d.Sentence = fmt.Sprintf("%s is used by several goroutines at once: %s (%s) %s it %s", text, funcName(fn), m.where(at), verb, without)
	if fr, ok := m.otherUser(); ok && (fr.File != m.frame.File || fr.Line != m.frame.Line) {
		d.Sentence += fmt.Sprintf(", while another goroutine is in %s (%s:%d)", m.shortFunction(fr), filepath.Base(fr.File), fr.Line)
	}
	m.diagnosis = d
}

// handedOut finds the return that gives the map to those who use it without
// the lock.
func (m *sharedMap) handedOut(s suspect) (mapAccess, bool) {
	if m.by.class == nil || !m.fromCall(s.place, s.bad, 0) {
		return mapAccess{}, false
	}
	for _, a := range m.accesses {
		if a.escapes {
			return a, true
		}
	}
	return mapAccess{}, false
}

// unguarded returns the first access without the lock, where the culprit's
// function has it.
func (m *sharedMap) unguarded() (mapAccess, bool) {
	if m.by.class == nil {
		return mapAccess{}, false
	}
	for _, a := range m.accesses {
		if a.fn == m.fixer.home.function() && !m.isGuarded(a) {
			return mapAccess{}, false
		}
	}
	for _, a := range m.accesses {
		if !m.isGuarded(a) && !a.sequential {
			return a, true
		}
	}
	return mapAccess{}, false
}

// otherUser finds another goroutine that is at one of the accesses.
func (m *sharedMap) otherUser() (debugger.Frame, bool) {
	if m.c.Inspect == nil {
		return debugger.Frame{}, false
	}
	list, _, err := m.c.Inspect.Goroutines(m.ctx, debugger.Page{Count: 64})
	if err != nil {
		return debugger.Frame{}, false
	}
	for _, g := range list {
		if g.ID == m.c.Stop.Goroutine || g.System || !g.User.User {
			continue
		}
		for _, a := range m.accesses {
			pos := m.c.Code.Fset.Position(a.node().Pos())
			if pos.Filename == g.User.File && pos.Line == g.User.Line {
				return g.User, true
			}
		}
	}
	return debugger.Frame{}, false
}
