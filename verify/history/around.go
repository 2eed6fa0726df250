package history

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// mostAround bounds the variables around a stop that are noted.
const mostAround = 8

// plain is code that notes the plain variables that can be seen where a statement begins, to
// tell runs apart; empty without any.
func (m *marker) plain(f *file, stmt ast.Stmt) string {
	var list []string
	seen := map[string]bool{}
	for scope := f.pkg.Types.Scope().Innermost(stmt.Pos()); scope != nil && scope != f.pkg.Types.Scope(); scope = scope.Parent() {
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if !ok || v.Pos() >= stmt.Pos() || seen[name] || name == "_" {
				continue
			}
			seen[name] = true
			if b, ok := v.Type().Underlying().(*types.Basic); ok && b.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0 && len(list) < mostAround {
				list = append(list, strconv.Quote(name), name)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("pausetuiHistory.Plain(%d, func() []interface{} { return []interface{}{%s} }); ", m.site(f, plain, stmt, false), strings.Join(list, ", "))
}

// around are the plain variables at the stop, by name, as package record writes them.
func (h *History) around(all []Event) map[string]string {
	found := map[string]string{}
	for _, e := range all {
		if e.Site.Kind != plain || e.Goroutine != h.Stop.Goroutine || e.seq >= h.Stop.began {
			continue
		}
		clear(found)
		for line := range strings.Lines(e.Value) {
			if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
				found[name] = value
			}
		}
	}
	return found
}
