package fixer

import (
	"go/ast"
	"go/types"
	"strings"
)

// endsByClose reports whether the receiver would go on if the channel were
// closed: a range loop, a comma-ok receive, or a channel that carries nothing.
func (d receiveWaits) endsByClose(r onChannel) bool {
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
