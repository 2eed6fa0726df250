// Package sharedmap has the rule for a map that several goroutines use at once: it finds all
// uses, and puts them under a lock.
package sharedmap

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// sharedMap is a map that several goroutines use at once, with all the places
// that use it.
type sharedMap struct {
	*proposal.Proposal
	root     *types.Var   // the field or variable that holds it
	owner    *types.Named // of a field: the struct; nil for variables
	home     syntax.Place // of the declaration of root
	classes  map[any]bool // of the map and of the maps in it
	accesses []mapAccess
	by       mapGuard
}

// Propose explains a map that the runtime saw two goroutines use at once, and offers to
// guard it.
func Propose(f *proposal.Proposal) {
	for i, s := range mapSuspects(f.Analysis) {
		m, ok := sharedMapOf(f, s)
		if !ok {
			continue
		}
		if i == 0 || f.Diagnosis.Sentence == "" {
			m.describe(s)
		}
		m.lockAll()
		if f.Offered() {
			return
		}
	}
}

// mapSuspects lists the maps used on the culprit's line, written ones first.
func mapSuspects(f *analysis.Analysis) []analysis.Suspect {
	var written, read []analysis.Suspect
	syntax.Visit(f.Home.Path[0], func(n ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok || !syntax.IsMap(f.Home.Info().TypeOf(e)) || !onLine(f, e) {
			return
		}
		if tv := f.Home.Info().Types[e]; tv.IsType() || isLiteral(e) {
			return
		}
		if sel, ok := f.Home.Of(e).Path[1].(*ast.SelectorExpr); ok && sel.Sel == e {
			return
		}
		s := analysis.Suspect{Place: f.Home.Of(e), Expr: e, Bad: e, Fact: analysis.Unknown}
		if writesMap(s.Place) {
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

// onLine reports whether an expression is on the culprit's line, or in a
// range over it there.
func onLine(f *analysis.Analysis, e ast.Expr) bool {
	return f.Line(e.Pos()) <= f.Frame.Line && f.Frame.Line <= f.Line(e.End())
}

// writesMap reports whether an entry of the map is written or deleted.
func writesMap(p syntax.Place) bool {
	if len(p.Path) < 3 {
		return false
	}
	switch outer := p.Path[1].(type) {
	case *ast.IndexExpr:
		if outer.X != p.Path[0] {
			return false
		}
		switch s := p.Path[2].(type) {
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
		if name, _ := p.Builtin(outer); name == "delete" || name == "clear" {
			return true
		}
		return mutates(p, outer)
	case *ast.AssignStmt:
		for _, l := range outer.Lhs {
			if l == p.Path[0] {
				return true
			}
		}
	}
	return false
}

// mutates reports whether a library call writes to the map that is its first argument.
func mutates(p syntax.Place, call *ast.CallExpr) bool {
	fn := p.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "maps" && (fn.Name() == "Copy" || fn.Name() == "DeleteFunc" || fn.Name() == "Insert") &&
		len(call.Args) > 0 && call.Args[0] == p.Path[0]
}

// sharedMapOf finds what holds the map, and all that uses it.
func sharedMapOf(f *proposal.Proposal, s analysis.Suspect) (*sharedMap, bool) {
	root, at, ok := f.MapRoot(s.Place, s.Bad, 0)
	if !ok {
		return nil, false
	}
	m := &sharedMap{Proposal: f, root: root, classes: map[any]bool{}}
	fl := f.FlowOf()
	class := fl.Find(syntax.OriginOf(root))
	for range 3 {
		m.classes[class] = true
		class = fl.ElemOf(class)
	}
	if root.IsField() {
		decl, found := f.FieldDecl(root)
		if !found {
			return nil, false
		}
		m.home = decl
		m.owner = m.structWith(root)
		if m.owner == nil {
			return nil, false
		}
	} else {
		defs := f.Definitions(at, root)
		if !syntax.IsGlobal(root) || len(defs) == 0 || defs[0].Stmt == nil {
			return nil, false
		}
		m.home = defs[0].Of(defs[0].Stmt)
	}
	m.collect()
	m.by = m.chooseGuard()
	return m, len(m.accesses) > 0
}

// structWith returns the named struct type that declares a field.
func (m *sharedMap) structWith(field *types.Var) *types.Named {
	for _, pkg := range m.Case.Code.Packages {
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

// describe says which map is used at once, and where.
func (m *sharedMap) describe(s analysis.Suspect) {
	text := m.Text(s.Bad)
	bad := mapAccess{Place: s.Place, write: writesMap(s.Place), fn: s.Function(), base: m.baseOf(s.Place, s.Bad, 0)}
	if a, ok := m.unguarded(); ok {
		bad = a
	}
	at := bad.Node().Pos()
	verb := "reads"
	if bad.write {
		verb = "writes"
	}
	d := evidence.Diagnosis{Expr: text, Value: "used by two goroutines at once", Origin: m.RelWhere(at)}
	d.Sentence = fmt.Sprintf("%s is used by several goroutines at once: %s (%s) %s it%s", text, syntax.FuncName(bad.fn), m.Where(at), verb, m.without(bad))
	if fr, ok := m.otherUser(); ok && (fr.File != m.Frame.File || fr.Line != m.Frame.Line) {
		d.Sentence += fmt.Sprintf(", while another goroutine is in %s (%s:%d)", m.ShortFunction(fr), filepath.Base(fr.File), fr.Line)
	}
	m.Diagnosis = d
}

// without says what lock an access lacks; nothing where it holds one.
func (m *sharedMap) without(a mapAccess) string {
	switch _, held := syntax.HeldAt(m.LockUses(), a.fn, a.Node()); {
	case m.isGuarded(a) || !m.by.taken && held:
		return ""
	case !m.by.taken:
		return " without a lock"
	case m.isGuarded(a.reading()):
		return " while it holds " + m.by.name + " only for reading"
	}
	return " without " + m.by.name + ", which others take for it"
}

// unguarded returns the first access without the lock, where the culprit's
// function has it.
func (m *sharedMap) unguarded() (mapAccess, bool) {
	if m.by.class == nil {
		return mapAccess{}, false
	}
	for _, a := range m.accesses {
		if a.fn == m.Home.Function() && !m.isGuarded(a) {
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
	if m.Case.Inspect == nil {
		return debugger.Frame{}, false
	}
	list, _, err := m.Case.Inspect.Goroutines(m.Ctx, debugger.Page{Count: 64})
	if err != nil {
		return debugger.Frame{}, false
	}
	for _, g := range list {
		if g.ID == m.Case.Stop.Goroutine || g.System || !g.User.User {
			continue
		}
		for _, a := range m.accesses {
			pos := m.Case.Code.Fset.Position(a.Node().Pos())
			if pos.Filename == g.User.File && pos.Line == g.User.Line {
				return g.User, true
			}
		}
	}
	return debugger.Frame{}, false
}
