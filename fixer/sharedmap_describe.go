package fixer

import (
	"fmt"
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

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
