package console

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

const (
	showLines = 120  // lines of what a value means
	showText  = 2048 // characters of a value in a line

	glanceText = 80 // characters of a collection's elements in its first line
)

// tree adds a value and its children, as far as wanted; number is that of the
// value that all of its lines stand for.
func (o *Output) tree(v debugger.Variable, indent string, e Extent, number int) {
	budget := e.lines()
	depth := e.Depth
	if v.Unset { // what the memory held before means nothing
		v.Value, v.Children, v.Unloaded = "", nil, 0
	}
	if depth > 0 && v.Kind == reflect.Pointer && !v.Nil && len(v.Children) == 1 && v.Children[0].Addr != 0 && strings.HasPrefix(v.Value, "&") {
		v.Value += fmt.Sprintf("  at %#x", v.Children[0].Addr) // which of several it is
	}
	if k := v.Kind; (k == reflect.Slice || k == reflect.Array || k == reflect.Map) && len(v.Children) > 0 {
		v.Value += "  " + format.Glance(v, glanceText) // all at a glance, before the elements
	}
	o.branch(v, indent, depth, number, e.Text, &budget)
	if budget < 0 {
		o.Line(session.Line{Text: indent + "  … (enter opens it)", Style: session.StyleDim, Value: number})
	}
}

func (o *Output) branch(v debugger.Variable, indent string, depth, number, text int, budget *int) {
	*budget--
	if *budget < 0 {
		return
	}
	o.Line(session.Line{Text: indent + brief(v, text), Value: number})
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
		o.branch(child, indent+"  ", depth-1, number, text, budget)
	}
	if missing > 0 && len(children) > 0 {
		o.Line(session.Line{Text: fmt.Sprintf("%s  … %d more (enter opens it)", indent, missing), Style: session.StyleDim, Value: number})
	}
}

// meant writes what a value means beyond its fields.
func (o *Output) meant(v debugger.Variable, means format.Value, e Extent) {
	if means.Chain { // it begins with the error's text
		most := showLines
		o.chain(means.Rows, "  ", &most)
		return
	}
	if means.Text != "" && !strings.HasSuffix(v.Value, means.Text) {
		o.Line(session.Line{Text: "  is " + means.Text})
	}
	for i, row := range means.Rows {
		if i == showLines {
			o.Line(session.Line{Text: fmt.Sprintf("  … %d more", len(means.Rows)-i), Style: session.StyleDim})
			break
		}
		o.tree(row, "  ", e, 0)
	}
}

// chain writes what an error is and what it wraps, as sentences: "wraps file does not exist".
func (o *Output) chain(rows []debugger.Variable, indent string, most *int) {
	for _, r := range rows {
		if *most--; *most < 0 {
			return
		}
		if *most == 0 {
			o.Line(session.Line{Text: indent + "… more", Style: session.StyleDim})
			return
		}
		o.Line(session.Line{Text: indent + r.Name + " " + strings.ReplaceAll(r.Value, "\n", "⏎")})
		o.chain(r.Children, indent+"  ", most)
	}
}

// Brief is a variable in a line: "name = value", with the type where the value
// does not show it.
func Brief(v debugger.Variable) string { return brief(v, showText) }

func brief(v debugger.Variable, most int) string {
	more := ""
	if v.Kind == reflect.String && v.Unreadable == "" && !v.Unset {
		v.Value = printable.Cut(v.Value, most)
		if missing := v.Len - int64(len(v.Value)); missing > 0 { // it may not have been read whole
			more = fmt.Sprintf("… %d more", missing)
		}
	}
	text := session.Short(v, most+showText) + more
	if v.Nil || v.Value == "" && v.Unreadable == "" && v.Kind != reflect.String {
		text = strings.TrimLeft(v.Type+" "+text, " ") // nil alone has no type
	}
	if v.Name == "" {
		return text
	}
	return v.Name + " = " + text
}
