package quits

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// moving are the methods of a file by which what is left in it, or goes to it, is no more
// what others of its users expect: the input has ended, or the output goes nowhere.
var moving = []string{"Close", "Seek", "Truncate", "SetDeadline", "SetReadDeadline", "SetWriteDeadline", "SyscallConn", "Chmod", "Chown"}

// moves names the standard file that a call moves in, or closes; empty for other calls.
func (s scope) moves(call *ast.CallExpr) string {
	fn, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(moving, fn.Sel.Name) {
		return ""
	}
	if name := s.of(fn.X); name != "" && name != arguments {
		return name + "." + syntax.Called(call)
	}
	return ""
}
