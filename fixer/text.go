package fixer

import (
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

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
