package fixer

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// lockRules: a mutex is unlocked that is not locked.
type lockRules struct{ *proposal.Proposal }

// unlockUnlocked: a mutex was unlocked that is not held.
func unlockUnlocked(p *proposal.Proposal) {
	f := lockRules{p}
	all := syntax.Locks(f.Home)
	var bad syntax.LockCall
	found := false
	for pass := range 2 {
		for _, l := range all {
			onLine := f.LineOf(l.Node()) == f.Frame.Line
			if !found && strings.HasSuffix(l.Method, "Unlock") && (onLine || pass == 1) {
				bad, found = l, true
			}
		}
	}
	if !found {
		return
	}
	text := f.Text(bad.Mutex)
	f.Diagnosis = evidence.Diagnosis{Expr: text, Value: "unlocked", Origin: f.RelWhere(bad.Node().Pos()),
		Sentence: fmt.Sprintf("%s is not locked when %s calls %s (%s)", text, syntax.FuncName(bad.Function()), bad.Method, f.Where(bad.Node().Pos()))}
	var same []syntax.LockCall
	for _, l := range all {
		if f.Text(l.Mutex) == text && l.Function() == bad.Function() {
			same = append(same, l)
		}
	}

	f.lockReplaced(bad, same)
}

func lockFor(method string) string { return strings.Replace(method, "Unlock", "Lock", 1) }
