package console

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

const (
	showDepth = 3    // levels of a value that are written out
	showLines = 120  // lines of one value
	showText  = 2048 // characters of a value in a line
)

// tree adds a value and its children, as deep as wanted; number is that of the
// value that all of its lines stand for.
func (o *Output) tree(v debugger.Variable, indent string, depth, number int) {
	budget := showLines
	if depth > 0 && v.Kind == reflect.Pointer && !v.Nil && len(v.Children) == 1 && v.Children[0].Addr != 0 && strings.HasPrefix(v.Value, "&") {
		v.Value += fmt.Sprintf("  at %#x", v.Children[0].Addr) // which of several it is
	}
	o.branch(v, indent, depth, number, &budget)
	if budget < 0 {
		o.Line(session.Line{Text: indent + "  … (enter opens it)", Style: session.StyleDim, Value: number})
	}
}

func (o *Output) branch(v debugger.Variable, indent string, depth, number int, budget *int) {
	*budget--
	if *budget < 0 {
		return
	}
	o.Line(session.Line{Text: indent + Brief(v), Value: number})
	if depth <= 0 {
		return
	}
	children := v.Children
	missing := v.Unloaded
	for len(children) == 1 && children[0].Name == "" { // what a pointer or an interface holds
		missing = children[0].Unloaded
		children = children[0].Children
	}
	for _, child := range children {
		o.branch(child, indent+"  ", depth-1, number, budget)
	}
	if missing > 0 && len(children) > 0 {
		o.Line(session.Line{Text: fmt.Sprintf("%s  … %d more (enter opens it)", indent, missing), Style: session.StyleDim, Value: number})
	}
}

// Brief is a variable in a line: "name = value", with the type where the value
// does not show it.
func Brief(v debugger.Variable) string {
	text := session.Short(v, showText)
	if v.Nil || v.Value == "" && v.Unreadable == "" && v.Kind != reflect.String {
		text = v.Type + " " + text
	}
	if v.Name == "" {
		return text
	}
	return v.Name + " = " + text
}
