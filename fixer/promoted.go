package fixer

import (
	"go/ast"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// receiverText names what the method of a call is called on, with the embedded fields on the
// way to a promoted one: "item.RWMutex". It is empty where that is no call of a method.
func (f *deadlock) receiverText(p syntax.Place) string {
	call, ok := p.Node().(*ast.CallExpr)
	if !ok {
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	text := f.Text(sel.X)
	if s := p.Info().Selections[sel]; s != nil {
		for _, field := range syntax.EmbeddedFields(s.Recv(), s.Index()) {
			text += "." + field.Name()
		}
	}
	return text
}
