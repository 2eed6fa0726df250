package format

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// glanceDepth bounds how far values are written within values.
const glanceDepth = 3

// Glance writes what is loaded of a value in one line of about w characters, as Go
// would: `["alpha" "beta" …3]`, `map["a":1 …]`, `&7`. An ellipsis before a number
// says how many elements are left out. It is for values that are neither nil nor
// unreadable; parts of them may be.
func Glance(v debugger.Variable, w int) string {
	g := glance{left: max(w, 8)}
	g.value(v, 0)
	return g.b.String()
}

// glance writes a value until there is no room left.
type glance struct {
	b    strings.Builder
	left int
	bare bool // the type of the next struct is known from what holds it
}

func (g *glance) write(s string) {
	g.b.WriteString(s)
	g.left -= utf8.RuneCountInString(s)
}

func (g *glance) value(v debugger.Variable, depth int) {
	if text, ok := v.TypedNil(); ok {
		g.write(debugger.ShortType(text))
		return
	}
	switch {
	case v.Unreadable != "":
		g.write("(unreadable)")
	case v.Nil:
		g.write("nil")
	case v.Kind == reflect.String:
		g.text(v.Value, v.Len)
	case v.Kind == reflect.Slice || v.Kind == reflect.Array || v.Kind == reflect.Map:
		g.collection(v, depth)
	case v.Kind == reflect.Struct:
		g.structure(v, depth)
	case v.Kind == reflect.Pointer:
		g.pointer(v, depth)
	case v.Kind == reflect.Interface && len(v.Children) == 1:
		g.dynamic(v.Children[0], depth)
	case v.Type == "int32" && depth == 0: // among others, two words would be two values
		g.write(character(v.Value))
	default:
		g.write(strings.TrimPrefix(v.Value, "main."))
	}
}

// character adds to a number the rune that it may be: the debug information calls
// runes int32.
func character(number string) string {
	n, err := strconv.ParseInt(number, 10, 32)
	if r := rune(n); err == nil && r > ' ' && unicode.IsPrint(r) {
		return strconv.QuoteRune(r) + " " + number
	}
	return number
}

// text writes a string, cut where there is no room.
func (g *glance) text(s string, length int64) {
	most, end := max(g.left-2, 6), `"`
	if int64(len(s)) < length || len(s) > most {
		s, end = printable.Cut(s, most), `…"`
	}
	q := strconv.Quote(s)
	g.write(q[:len(q)-1] + end)
}

// collection writes as many elements as there is room for, and how many more
// there are.
func (g *glance) collection(v debugger.Variable, depth int) {
	open := "["
	if v.Kind == reflect.Map {
		open = "map["
	}
	if s, ok := textOf(v); ok {
		g.text(s, v.Len)
		return
	}
	g.write(open)
	shown := int64(0)
	for _, c := range v.Children {
		if depth >= glanceDepth || g.left < 6 {
			break
		}
		if shown > 0 {
			g.write(" ")
		}
		if v.Kind == reflect.Map {
			g.write(strings.TrimSuffix(strings.TrimPrefix(c.Name, "["), "]") + ":")
		}
		g.bare = c.Kind == reflect.Struct || c.Kind == reflect.Pointer
		g.value(c, depth+1)
		g.bare = false
		shown++
	}
	switch rest := v.Len - shown; {
	case rest > 0 && shown > 0:
		g.write(fmt.Sprintf(" …%d", rest))
	case rest > 0:
		g.write(fmt.Sprintf("…%d", rest))
	}
	g.write("]")
}

// fewBroken is how many bytes of a text there are for each that is part of no
// character, at least: with more of those it is no text.
const fewBroken = 8

// textOf is what is loaded of bytes that are text; false for others.
func textOf(v debugger.Variable) (string, bool) {
	if v.Kind == reflect.Map || len(v.Children) == 0 {
		return "", false
	}
	data := make([]byte, 0, len(v.Children))
	for _, c := range v.Children {
		n, err := strconv.ParseUint(decimal(c.Value), 10, 8)
		if c.Kind != reflect.Uint8 || err != nil {
			return "", false
		}
		data = append(data, byte(n))
	}
	broken, whole := 0, int64(len(data)) >= v.Len // else the last character may be loaded in part
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && size == 1:
			if whole || utf8.FullRune(rest) {
				broken++
			}
		case r != 0 && !unicode.IsPrint(r) && !unicode.IsSpace(r):
			return "", false
		}
		rest = rest[size:]
	}
	return string(data), broken*fewBroken <= len(data)
}

// decimal is the number that a value begins with.
func decimal(value string) string {
	s, _, _ := strings.Cut(value, " ")
	return s
}

func (g *glance) structure(v debugger.Variable, depth int) {
	name := v.Type
	switch {
	case g.bare:
		name = ""
	case strings.HasPrefix(name, "struct {"):
		name = "struct"
	}
	g.bare = false
	if len(v.Children) == 0 && v.Len == 0 && v.Value != "" && name != "" { // written out, or without fields
		g.write(strings.TrimPrefix(v.Value, "main."))
		return
	}
	g.write(debugger.ShortType(name) + "{")
	for i, c := range v.Children {
		if i > 0 {
			g.write(", ")
		}
		if depth >= glanceDepth || g.left < 6 {
			g.write("…")
			break
		}
		g.write(c.Name + ": ")
		if debugger.IsSync(c.Type) && len(v.Children) > 1 {
			g.write("…") // its fields say nothing, and leave no room for those that do
			continue
		}
		g.value(c, depth+1)
	}
	if len(v.Children) == 0 {
		g.write("…")
	}
	g.write("}")
}

func (g *glance) pointer(v debugger.Variable, depth int) {
	if len(v.Children) != 1 || v.Children[0].Unreadable != "" {
		g.write(strings.TrimPrefix(v.Value, "main."))
		return
	}
	switch to := v.Children[0]; {
	case to.Kind == reflect.Pointer || len(to.Children) == 0 && to.Value == "":
		g.write(strings.TrimPrefix(v.Value, "main."))
	case depth >= glanceDepth:
		g.write("&…")
	default:
		g.write("&")
		g.value(to, depth)
	}
}

// dynamic writes what an interface holds, with its type where the value does not
// show it.
func (g *glance) dynamic(v debugger.Variable, depth int) {
	switch v.Kind {
	case reflect.Struct, reflect.Pointer, reflect.Map, reflect.Func:
		g.value(v, depth)
	case reflect.String, reflect.Int, reflect.Bool, reflect.Float64:
		if v.Type == v.Kind.String() {
			g.value(v, depth)
			return
		}
		fallthrough
	default:
		g.write(debugger.ShortType(v.Type) + "(")
		g.value(v, depth+1)
		g.write(")")
	}
}
