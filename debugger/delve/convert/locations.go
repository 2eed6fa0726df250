package convert

import (
	"github.com/go-delve/delve/service/api"

	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// Instruction converts one of Delve's.
func Instruction(i api.AsmInstruction) debugger.Instruction {
	out := debugger.Instruction{Location: Location(i.Loc), Bytes: i.Bytes, Text: printable.Name(i.Text), Breakpoint: i.Breakpoint, Current: i.AtPC}
	if i.DestLoc != nil {
		to := Location(*i.DestLoc)
		out.To = &to
	}
	return out
}

// Location converts one of Delve's.
func Location(l api.Location) debugger.Location {
	out := debugger.Location{File: l.File, Line: l.Line, PC: l.PC, PCs: l.PCs}
	if l.Function != nil {
		out.Function = debugger.Unescaped(l.Function.Name())
	}
	return out
}

// Variables converts the variables of a frame; unnamed results hold nothing yet, and
// the compiler's own (".autotmp_3") mean nothing.
func Variables(list []api.Variable) []debugger.Variable {
	vars := make([]debugger.Variable, 0, len(list))
	for i := range list {
		v := &list[i]
		if strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, ".") || v.Name == "_" {
			continue
		}
		expr := v.Name
		shadowed := v.Flags&api.VariableShadowed != 0
		if shadowed {
			expr = ByAddress(v)
		}
		converted := Variable(v, v.Name, expr)
		converted.Shadowed, converted.DeclLine = shadowed, v.DeclLine
		vars = append(vars, converted)
	}
	return vars
}
