package refusals

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// innermostErrors names the errors at the bottom of a chain of wrapped ones: several,
// where some of it were joined.
func (f refusalRules) innermostErrors() []string {
	var list []string
	var walk func(debugger.Variable, int)
	walk = func(v debugger.Variable, depth int) {
		s := v.Deref()
		inner := f.wrapped(s)
		if depth > 0 && s.Type != "" && (len(inner) == 0 || depth == maxWrapped) && !slices.Contains(list, errorText(s)) {
			list = append(list, errorText(s))
		}
		for _, one := range inner {
			if depth < maxWrapped && len(list) < maxJoined {
				walk(one, depth+1)
			}
		}
	}
	walk(f.Panic.Value, 0)
	return list
}

const (
	maxWrapped = 10 // errors around one
	maxJoined  = 4  // innermost errors that are named
)

// wrapped are the errors that an error holds in its first field that holds any.
func (f refusalRules) wrapped(v debugger.Variable) []debugger.Variable {
	for _, field := range v.Children {
		fields := []debugger.Variable{field}
		if strings.HasPrefix(field.Type, "[]error") {
			fields = field.Children
		}
		var held []debugger.Variable
		for _, e := range fields[:min(len(fields), maxJoined)] {
			if inner, ok := f.held(e); ok {
				held = append(held, inner)
			}
		}
		if len(held) > 0 {
			return held
		}
	}
	return nil
}

// held is the value in a variable of type error.
func (f refusalRules) held(v debugger.Variable) (debugger.Variable, bool) {
	if v.Type != "error" || v.Nil {
		return debugger.Variable{}, false
	}
	if len(v.Children) == 0 && f.Case.Inspect != nil {
		at := debugger.FrameRef{Goroutine: f.Case.Stop.Goroutine, Frame: f.At}
		got, err := f.Case.Inspect.Evaluate(f.Ctx, at, v.Expr)
		if err != nil {
			return debugger.Variable{}, false
		}
		v = got
	}
	if len(v.Children) != 1 {
		return debugger.Variable{}, false
	}
	return v.Children[0], true
}

// errorText says what an error says: the text that it holds, or its fields.
func errorText(v debugger.Variable) string {
	name := v.Type
	for _, want := range []string{"s", "msg", "Msg", "Message", "message", "text", "reason"} {
		if c, ok := v.Child(want); ok && c.Value != "" && !strings.HasPrefix(c.Value, "0x") {
			if name == "errors.errorString" || name == "fmt.wrapError" {
				return fmt.Sprintf("%q", c.Value)
			}
			return fmt.Sprintf("%s %q", name, c.Value)
		}
	}
	var parts []string
	for _, c := range v.Children {
		if c.Type == "string" && c.Value != "" {
			parts = append(parts, c.Value)
		}
	}
	if len(parts) > 0 {
		return fmt.Sprintf("%s (%s)", name, strings.Join(parts, " "))
	}
	return name
}
