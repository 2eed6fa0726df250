package pane

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// Brief is a value in a few characters, at most w cells.
func Brief(v debugger.Variable, w int) string { return cut(contents(v, w), w) }

// cut shortens a value to w cells. Where it ends in an ellipsis already, it gets no
// second one.
func cut(value string, w int) string { return strings.ReplaceAll(text.Cut(value, w), "……", "…") }

// contents is what a value holds, in about w cells.
func contents(v debugger.Variable, w int) string {
	inner := v.Deref()
	switch {
	case v.Unreadable != "" || v.Unset || v.Nil || inner.Unreadable != "" || corrupt(v) || corrupt(inner):
		return brief(v)
	case v.Kind == reflect.String || v.Kind == reflect.Func || v.Kind == reflect.Chan || v.Kind == reflect.Pointer && len(v.Children) == 0:
		return brief(v)
	case v.Kind == reflect.Struct || v.Kind == reflect.Pointer || v.Kind == reflect.Interface || v.Type == "int32" || collection(v.Kind):
		return text.Line(format.Glance(v, w))
	}
	return brief(v)
}

// brief is a value without what it holds: lengths of collections, names of types.
func brief(v debugger.Variable) string {
	switch {
	case v.Unset: // what was read, or could not be, means nothing
		return session.NotSet(v)
	case v.Unreadable != "":
		return text.Line(session.Unreadable(v.Unreadable))
	case corrupt(v):
		return fmt.Sprintf("corrupt: len %d cap %d", v.Len, v.Cap)
	case v.Nil:
		return nilOf(v.Kind)
	case v.Kind == reflect.String:
		s := strconv.Quote(printable.Cut(v.Value, 400))
		if int64(len(v.Value)) < v.Len {
			s += "… " + text.Count(v.Len) + " bytes"
		}
		return text.Line(s)
	}
	value := text.Line(printable.Cut(v.Value, 400))
	if v.Kind == reflect.Func {
		return text.Function(value)
	}
	if v.Kind == reflect.Pointer && len(v.Children) == 1 && v.Children[0].Unreadable != "" {
		value = strings.TrimPrefix(value, text.Line(v.Type)+" ") + ", " + strings.TrimPrefix(text.Line(session.Unreadable(v.Children[0].Unreadable)), "unreadable: it ")
	}
	for _, typ := range []string{v.Type, shortType(v.Type), lastElement(v.Type)} {
		if rest, ok := strings.CutPrefix(value, typ+" "); ok && typ != "" {
			value = rest
		}
	}
	for _, sign := range []string{"", "&", "*"} { // only the name of the type in front: the rest may be data
		if rest, ok := strings.CutPrefix(value, sign+"main."); ok {
			value = sign + rest
		}
	}
	if value == "" && len(v.Children) == 1 && v.Children[0].Name == "" {
		return pointed(v)
	}
	if value == "" {
		return shortType(v.Type)
	}
	return value
}

// most bounds the lengths that a collection can have in any memory.
const most = 1 << 40

// corrupt tells slices and strings whose lengths cannot be: what is there is
// no slice any more, or not yet.
func corrupt(v debugger.Variable) bool {
	return v.Len < 0 || v.Len > most || v.Kind == reflect.Slice && v.Cap > 0 && v.Len > v.Cap
}

// lastElement is a type as Delve shortens it: without the directories of its
// package's path.
func lastElement(t string) string {
	if i := strings.LastIndexByte(t, '/'); i >= 0 && !strings.ContainsAny(t, "[({") {
		stars := t[:len(t)-len(strings.TrimLeft(t, "*"))]
		return stars + t[i+1:]
	}
	return t
}

func pointed(v debugger.Variable) string {
	inner := brief(v.Children[0])
	if v.Kind == reflect.Pointer && !strings.HasPrefix(inner, "*") {
		return "&" + inner
	}
	return inner
}

func nilOf(k reflect.Kind) string {
	switch k {
	case reflect.Map:
		return "nil map"
	case reflect.Slice:
		return "nil slice"
	case reflect.Func:
		return "nil func"
	case reflect.Chan:
		return "nil chan"
	}
	return "nil"
}

// shortType is a type as the program's source writes it.
func shortType(t string) string { return text.Line(debugger.ShortType(t)) }

// fieldsOf follows a chain of fields that are loaded; an empty one leads to the
// value itself.
func fieldsOf(v debugger.Variable, chain string) (debugger.Variable, bool) {
	for chain != "" {
		var field string
		field, chain, _ = strings.Cut(chain, ".")
		child, ok := v.Deref().Child(field)
		if !ok {
			return debugger.Variable{}, false
		}
		v = child
	}
	return v, true
}
