package fixer

import (
	"github.com/pausetui/pausetui/fixer/syntax"
	"strconv"
	"strings"
)

// fresh is fixer.fresh, without the names that the change has given already.
func (ch *change) fresh(p syntax.Place, names ...string) string {
	var left []string
	for _, n := range names {
		if !ch.names[n] {
			left = append(left, n)
		}
	}
	for i := 2; i < 10; i++ {
		if n := names[0] + strconv.Itoa(i); !ch.names[n] {
			left = append(left, n)
		}
	}
	name := syntax.Fresh(p, left...)
	ch.names[name] = true
	return name
}

// flag returns a name for a comma-ok result: "ok", unless an ok is visible
// there already. To assign to that one, or to hide it from the statement
// that follows, would change what the code after it sees.
func (f channelRules) flag(p syntax.Place) string {
	pos := p.Node().Pos()
	if scope := p.Pkg.Types.Scope().Innermost(pos); scope != nil {
		if _, obj := scope.LookupParent("ok", pos); obj == nil {
			return "ok"
		}
	}
	return syntax.Fresh(p, "found", "present", "holds")
}

// replaceOnce puts where in place of the first %s.
func replaceOnce(text, where string) string { return strings.Replace(text, "%s", where, 1) }
