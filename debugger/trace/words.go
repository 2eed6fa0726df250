package trace

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/maruel/panicparse/v2/stack"

	"github.com/pausetui/pausetui/debugger"
)

// notHeld is why most of a value cannot be shown.
const notHeld = "not in the trace"

// words are what a trace says of the arguments: machine words, one variable an
// argument. The first is the receiver of a method with a pointer for one.
func words(function string, args *stack.Args) []debugger.Variable {
	list := make([]debugger.Variable, 0, len(args.Values))
	for i := range args.Values {
		v := word(&args.Values[i])
		v.Name = fmt.Sprintf("argument %d", i+1)
		list = append(list, v)
	}
	if open := strings.Index(function, "(*"); open >= 0 && len(list) > 0 {
		list[0].Name, list[0].Kind = "receiver", reflect.Pointer
		list[0].Type = "*" + strings.TrimSuffix(strings.SplitN(function[open+2:], ")", 2)[0], "[...]")
		list[0].Nil = list[0].Value == "0x0"
	}
	return list
}

// word is one argument; its parts are its children.
func word(a *stack.Arg) debugger.Variable {
	if !a.IsAggregate {
		v := debugger.Variable{Type: "uintptr", Kind: reflect.Uintptr, Value: fmt.Sprintf("%#x", a.Value)}
		switch {
		case a.IsOffsetTooLarge:
			v.Value, v.Unreadable = "", notHeld
		case a.IsInaccurate:
			v.Unreadable = v.Value + " was passed, or something else: the trace is not sure"
		}
		return v
	}
	v := debugger.Variable{Type: "words", Kind: reflect.Struct}
	var parts []string
	for i := range a.Fields.Values {
		c := word(&a.Fields.Values[i])
		c.Name = fmt.Sprintf("word %d", i+1)
		v.Children = append(v.Children, c)
		if c.Unreadable != "" {
			v.Unreadable = c.Unreadable
		}
		parts = append(parts, c.Value)
	}
	if a.Fields.Elided {
		parts = append(parts, "…")
	}
	v.Value = "{" + strings.Join(parts, ", ") + "}"
	return v
}
