package history

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/astutil"
)

// useMarker marks what is done with values.
type useMarker struct{ *marker }

// uses marks what is done with all channels, maps, locks or groups of a type: which of them
// is meant is known when it runs. It is false for other types.
func (m useMarker) uses(t types.Type) bool {
	var mark func(*file, ast.Node)
	switch _, isChan := underlying[*types.Chan](t); {
	case isChan:
		mark = func(f *file, n ast.Node) { m.channel(f, n, t) }
	case lockName(t) != "":
		mark = func(f *file, n ast.Node) { m.lock(f, n, t) }
	default:
		if !isMap(t) {
			return false
		}
		mark = func(f *file, n ast.Node) { m.access(f, n, t) }
	}
	for _, pkg := range m.code.Packages {
		for _, syntax := range pkg.Syntax {
			m.usesIn(syntax, mark)
		}
	}
	return true
}

func (m useMarker) usesIn(syntax *ast.File, mark func(*file, ast.Node)) {
	var f *file
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.SendStmt, *ast.UnaryExpr, *ast.RangeStmt, *ast.CallExpr, *ast.IndexExpr:
			if f == nil {
				f, _ = m.at(syntax)
			}
			if f == nil || len(m.plan.Sites) >= maxSites {
				return false
			}
			mark(f, n)
		}
		return true
	})
}

func underlying[T types.Type](t types.Type) (T, bool) {
	var none T
	if t == nil {
		return none, false
	}
	u, ok := t.Underlying().(T)
	return u, ok
}

// lockName is the name of a type of package sync that is held or waited for; else empty.
func lockName(t types.Type) string {
	if t == nil {
		return ""
	}
	named, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return ""
	}
	switch name := named.Obj().Name(); name {
	case "Mutex", "RWMutex", "WaitGroup":
		return name
	}
	return ""
}

// alike reports whether two types may be one in a run: a parameter of a generic type has another
// type in each of its methods, and stands for any.
func alike(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	if types.Identical(a, b) {
		return true
	}
	switch a := a.(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		b, ok := b.(*types.Named)
		if !ok || a.Origin() != b.Origin() {
			break
		}
		for i := range a.TypeArgs().Len() {
			if !alike(a.TypeArgs().At(i), b.TypeArgs().At(i)) {
				return false
			}
		}
		return true
	case *types.Pointer:
		if b, ok := b.(*types.Pointer); ok {
			return alike(a.Elem(), b.Elem())
		}
	case *types.Slice:
		if b, ok := b.(*types.Slice); ok {
			return alike(a.Elem(), b.Elem())
		}
	case *types.Map:
		if b, ok := b.(*types.Map); ok {
			return alike(a.Key(), b.Key()) && alike(a.Elem(), b.Elem())
		}
	}
	_, parameter := b.(*types.TypeParam)
	return parameter
}

// sameChannel reports whether two types may be of one channel: what it carries is the same.
func sameChannel(a, b types.Type) bool {
	one, ok := underlying[*types.Chan](a)
	other, ok2 := underlying[*types.Chan](b)
	return ok && ok2 && alike(one.Elem(), other.Elem())
}

// channel marks what a node does with a channel.
func (m useMarker) channel(f *file, n ast.Node, t types.Type) {
	info := f.pkg.TypesInfo
	switch n := n.(type) {
	case *ast.SendStmt:
		if sameChannel(info.TypeOf(n.Chan), t) {
			m.use(f, n, n.Chan, Sent, false)
		}
	case *ast.UnaryExpr:
		if n.Op == token.ARROW && sameChannel(info.TypeOf(n.X), t) {
			m.use(f, n, n.X, Received, true)
		}
	case *ast.RangeStmt:
		if sameChannel(info.TypeOf(n.X), t) && pure(n.X) {
			f.text.Put(m.offset(n.Body.Lbrace)+1, " "+m.used(f, headOf(n), m.textOf(n.X), Received)+"; ")
		}
	case *ast.CallExpr:
		if id := ident(n.Fun); id != nil && id.Name == "close" && len(n.Args) == 1 && sameChannel(info.TypeOf(n.Args[0]), t) {
			m.use(f, n, n.Args[0], Closed, false)
		}
	}
}

// ofLock are the methods of locks and groups: what they do, and whether that is done when
// they have returned.
var ofLock = map[string]struct {
	Kind
	after bool
}{
	"Lock": {Locked, true}, "RLock": {Locked, true}, "Unlock": {Unlocked, false}, "RUnlock": {Unlocked, false},
	"Add": {Added, false}, "Go": {Added, false}, "Done": {Done, false}, "Wait": {Waited, true},
}

// lock marks a call of a method of a lock, which a struct may have embedded.
func (m useMarker) lock(f *file, n ast.Node, t types.Type) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	s, what := f.pkg.TypesInfo.Selections[sel], ofLock[sel.Sel.Name]
	if s == nil || s.Kind() != types.MethodVal || what.Kind == "" {
		return
	}
	text, of := m.textOf(sel.X), s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		st, ok := deref(of).Underlying().(*types.Struct)
		if !ok {
			return
		}
		text, of = text+"."+st.Field(i).Name(), st.Field(i).Type()
	}
	if lockName(of) == "" || lockName(of) != lockName(t) || !pure(sel.X) {
		return
	}
	if _, pointer := of.Underlying().(*types.Pointer); !pointer {
		text = "&" + text
	}
	m.around(f, call, text, what.Kind, what.after)
}

// access marks that a map is read or written.
func (m useMarker) access(f *file, n ast.Node, t types.Type) {
	info := f.pkg.TypesInfo
	of := func(e ast.Expr) bool { return info.TypeOf(e) != nil && alike(info.TypeOf(e), t) }
	switch n := n.(type) {
	case *ast.IndexExpr:
		if of(n.X) {
			kind := Accessed
			if isWritten(f, n) {
				kind = Written
			}
			m.use(f, n, n.X, kind, false)
		}
	case *ast.RangeStmt:
		if of(n.X) && m.isSeen(n.X) {
			f.text.Put(m.offset(n.Body.Lbrace)+1, " "+m.used(f, headOf(n), m.textOf(n.X), Accessed)+"; ")
		}
	case *ast.CallExpr:
		if id := ident(n.Fun); id != nil && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 && of(n.Args[0]) {
			m.use(f, n, n.Args[0], Written, false)
		}
	}
}

// isWritten reports whether an entry gets a value.
func isWritten(f *file, entry ast.Expr) bool {
	path, _ := astutil.PathEnclosingInterval(f.syntax, entry.Pos(), entry.End())
	for _, n := range path {
		switch n := n.(type) {
		case ast.Expr:
			continue
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == entry })
		case *ast.IncDecStmt:
			return ast.Unparen(n.X) == entry
		}
		break
	}
	return false
}

// use marks that a node uses what an expression names.
func (m useMarker) use(f *file, n ast.Node, of ast.Expr, kind Kind, after bool) {
	if m.isSeen(of) {
		m.around(f, n, m.textOf(of), kind, after)
	}
}

// isSeen reports whether a use of an expression can be marked. Which uses are not is said of a
// map that several goroutines have used: one of them may be the other.
func (m useMarker) isSeen(of ast.Expr) bool {
	if pure(of) {
		return true
	}
	if m.plan.query.Shared && !m.plan.unseen {
		m.plan.unseen = true
		m.gap(fmt.Sprintf("what is done with a map that a call gives, such as %s (%s), is not recorded", m.textOf(of), where(m.code, of)))
	}
	return false
}

// around puts the mark of a use before or after it, where there can be one.
func (m useMarker) around(f *file, n ast.Node, text string, kind Kind, after bool) {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.End())
	for i, outer := range path {
		switch outer := outer.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			return
		case *ast.DeferStmt:
			if i <= 1 { // runs before what was deferred earlier
				f.text.Put(m.offset(outer.End()), "; defer "+m.used(f, outer, text, kind))
			}
			return
		case *ast.GoStmt:
			after = false
		case *ast.CommClause:
			f.text.Put(m.offset(outer.Colon)+1, " "+m.used(f, n, text, kind)+"; ")
			return
		case ast.Stmt:
			if i+1 >= len(path) {
				return
			}
			if clause, ok := path[i+1].(*ast.CommClause); ok && clause.Comm == outer {
				continue
			}
			if !m.isListed(f, outer) {
				continue
			}
			if _, simple := outer.(*ast.ExprStmt); !simple {
				_, simple = outer.(*ast.AssignStmt)
				after = after && simple
			}
			if after {
				f.text.Put(m.offset(outer.End()), "; "+m.used(f, n, text, kind))
				return
			}
			f.text.Put(m.offset(outer.Pos()), m.used(f, n, text, kind)+"; ")
			if outer == n && kind == Sent {
				m.plan.Sites[len(m.plan.Sites)-1].waits = true
				f.text.Put(m.offset(outer.End()), "; "+m.used(f, n, text, through))
			}
			return
		}
	}
}

// used is the call that records a use.
func (m useMarker) used(f *file, n ast.Node, text string, kind Kind) string {
	return fmt.Sprintf("pausetuiHistory.Used(%d, func() interface{} { return %s })", m.site(f, kind, n, false), text)
}
