package fixer

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/source/evidence"
)

// runtimeRefused fixes what the runtime refuses and no class of its own is
// for: keys that cannot be hashed, values that cannot be compared, an iterator
// that goes on after its loop has ended.
func (f refusalRules) runtimeRefused() bool {
	switch m := f.panic.Message; {
	case strings.Contains(m, "hash of unhashable type"):
	case strings.Contains(m, "comparing uncomparable type"):
	case strings.Contains(m, "range function continued iteration"):
	default:
		return false
	}
	return true
}

// fatalError: errors of the runtime without a class of their own.
func (f refusalRules) fatalError() {
	if !strings.Contains(f.panic.Message, "go of nil func value") {
		return
	}
	s, ok := f.choose(func(p place, n ast.Node) []suspect {
		g, isGo := n.(*ast.GoStmt)
		if !isGo || p.callee(g.Call) != nil {
			return nil
		}
		return []suspect{{expr: g.Call, bad: g.Call.Fun, fact: f.isNil(p, f.at, g.Call.Fun)}}
	})
	if !ok {
		return
	}
	text := f.text(s.bad)
	f.diagnosis = evidence.Diagnosis{Expr: text, Value: "nil", Sentence: fmt.Sprintf("%s is nil when a goroutine is started with it (%s)", text, f.where(s.expr.Pos()))}
	src := f.trace(s.place, f.at, s.bad)
	f.nilRules.nilOrigin(s, src)
	f.nilRules.refuseNil(s, src)
	f.nilRules.optionalCall(s)
	if f.diagnosis.Origin == "" {
		f.diagnosis.Origin = f.relWhere(s.expr.Pos())
	}
}
