package sharedmap

import (
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

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
		if a.fn == m.Proposal.Home.Function() && !m.isGuarded(a) {
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
