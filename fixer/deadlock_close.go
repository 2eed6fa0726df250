package fixer

import (
	"go/ast"
	"go/types"
	"strings"
)

// unclosed: a loop ranges over a channel, or takes its close as the word to
// end, and nothing closes it.
func (d closeWaits) unclosed() {
	seen := map[any]bool{}
	for _, r := range d.receiversWaiting() {
		if r.class == nil || seen[r.class] || r.nilChan {
			continue
		}
		if !d.endsByClose(r) || d.senderWaits(r.class) {
			continue
		}
		seen[r.class] = true
	}
}

// senderWaits reports whether a goroutine waits to send on the same channel: then
// a missing close is not the cause.
func (d closeWaits) senderWaits(class any) bool {
	for _, s := range d.sendersWaiting() {
		if s.class == class {
			return true
		}
	}
	return false
}

// endsByClose reports whether the receiver would go on if the channel were
// closed: a range loop, a comma-ok receive, or a channel that carries nothing.
func (d closeWaits) endsByClose(r onChannel) bool {
	switch n := r.use.node().(type) {
	case *ast.RangeStmt:
		return true
	case *ast.UnaryExpr:
		if as, ok := r.use.path[1].(*ast.AssignStmt); ok && len(as.Lhs) == 2 {
			return true
		}
		c, ok := typeUnder[*types.Chan](r.use.info().TypeOf(n.X))
		if !ok {
			return false
		}
		st, isStruct := c.Elem().Underlying().(*types.Struct)
		return isStruct && st.NumFields() == 0 && len(d.usesOfClass(r.class).sends) == 0
	}
	return false
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
