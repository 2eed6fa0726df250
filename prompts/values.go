package prompts

import (
	"context"
	"fmt"
	"go/ast"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/printable"
)

const (
	valueDepth    = 3   // how deep values are shown
	callerDepth   = 2   // … those of callers
	valueChildren = 8   // how many children of a value are shown
	valueText     = 160 // bytes of one string or scalar
)

// shower writes values; its zero value reads nothing and knows no packages.
type shower struct {
	ctx context.Context
	r   format.Reader // reads on what is not loaded; may be nil
	// foreign tells the import path of a package that is not the user's; nil
	// knows the names of some of the standard library's.
	foreign func(pkg string) bool
	// written are long values that were written before, with the name of the
	// variable; nil forgets them.
	written map[string]string
}

func (s shower) value(v debugger.Variable, depth int) string {
	switch {
	case v.Captured:
		return "not loaded yet by the closure that has captured it"
	case v.Unset:
		return "not set yet"
	case v.Unreadable != "":
		return "(unreadable: " + oneLine(v.Unreadable) + ")"
	case v.Nil:
		return strings.TrimSpace("nil " + typeName(v.Type))
	case v.Kind == reflect.String:
		return showString(v)
	}
	if text, ok := v.TypedNil(); ok {
		return typeName(oneLine(text))
	}
	if text, ok := s.meaning(v); ok {
		return text
	}
	switch {
	case v.Kind == reflect.Interface && len(v.Children) == 1:
		return s.held(v.Children[0], depth)
	case v.Kind == reflect.Pointer && len(v.Children) == 1:
		return "&" + s.value(v.Children[0], depth)
	case v.Kind == reflect.Pointer || v.Kind == reflect.Interface:
		return oneLine(v.Value)
	}
	if text, ok := showBytes(v); ok {
		return text
	}
	if s.opaque(v) {
		return typeName(v.Type) + "{…}"
	}
	if len(v.Children) == 0 || depth <= 0 {
		return plainValue(v)
	}
	return s.children(v, depth)
}

// held writes what an interface holds, with its type where the value does not
// show it.
func (s shower) held(v debugger.Variable, depth int) string {
	text := s.value(v, depth)
	if name := typeName(v.Type); name != "" && name != "string" && name != "bool" && !strings.HasPrefix(strings.TrimLeft(text, "&"), strings.TrimLeft(name, "*")) {
		return name + "(" + text + ")"
	}
	return text
}

// meaning is what a value of a library's type means; false for those that mean
// what they show.
func (s shower) meaning(v debugger.Variable) (string, bool) {
	ctx := s.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	meant, err := format.Describe(ctx, s.r, v)
	if err != nil || meant.Text == "" {
		return "", false
	}
	text := oneLine(meant.Text)
	if v.Kind == reflect.Interface && len(v.Children) == 1 {
		return typeName(v.Children[0].Type) + "(" + text + ")", true
	}
	return text, true
}

// opaque reports whether a struct is another package's whose inner fields say nothing of
// the user's program.
func (s shower) opaque(v debugger.Variable) bool {
	if v.Kind != reflect.Struct || !hasInner(v) {
		return false
	}
	pkg := packageOf(v.QualifiedType())
	if s.foreign != nil {
		return pkg != "" && s.foreign(pkg)
	}
	return slices.Contains(opaquePackages, path.Base(pkg))
}

// opaquePackages are packages whose structs are shown by their name alone, where
// nothing is known of the user's packages.
var opaquePackages = []string{"os", "bufio", "http", "testing", "time", "net", "tls", "exec", "template", "reflect", "sync", "runtime", "poll"}

// hasInner reports whether a struct has fields that only its package sees.
func hasInner(v debugger.Variable) bool {
	return slices.ContainsFunc(v.Children, func(c debugger.Variable) bool { return !ast.IsExported(c.Name) })
}

// packageOf is the path of the package of a named type.
func packageOf(typ string) string {
	typ, _, _ = strings.Cut(strings.TrimLeft(typ, "*"), "[") // type arguments
	dot := strings.LastIndexByte(typ, '.')
	if dot < 0 || strings.ContainsAny(typ, " {(") {
		return ""
	}
	return typ[:dot]
}

func plainValue(v debugger.Variable) string {
	if v.Value != "" {
		return oneLine(v.Value)
	}
	switch v.Kind {
	case reflect.Slice, reflect.Map, reflect.Chan, reflect.Array:
		return fmt.Sprintf("%s len %d", typeName(v.Type), v.Len)
	}
	return typeName(v.Type) + "{…}"
}

// showString quotes a string, so that its white space shows.
func showString(v debugger.Variable) string {
	text := printable.Cut(v.Value, valueText)
	if v.Len > int64(len(text)) {
		return fmt.Sprintf("%q… (%d bytes)", text, v.Len)
	}
	return fmt.Sprintf("%q", text)
}

// showBytes shows the bytes of a text as such.
func showBytes(v debugger.Variable) (string, bool) {
	if v.Kind != reflect.Slice || strings.TrimPrefix(v.Type, "[]") != "uint8" || len(v.Children) == 0 {
		return "", false
	}
	var text []byte
	for _, c := range v.Children {
		b, err := strconv.ParseUint(c.Value, 10, 8)
		if err != nil || b < ' ' && b != '\n' && b != '\t' && b != '\r' {
			return "", false
		}
		text = append(text, byte(b))
	}
	if len(text) > valueText {
		text = text[:valueText]
	}
	for cut := 0; !utf8.Valid(text); cut++ {
		if cut == utf8.UTFMax {
			return "", false
		}
		text = text[:max(len(text)-1, 0)]
	}
	if v.Len > int64(len(text)) {
		return fmt.Sprintf("[]byte(%q…) (len %d)", text, v.Len), true
	}
	return fmt.Sprintf("[]byte(%q)", text), true
}

func (s shower) children(v debugger.Variable, depth int) string {
	s.r = nil // for what lies deeper, what is loaded has to do
	var parts []string
	for i, c := range v.Children {
		if c.Unreadable != "" && v.Kind == reflect.Struct {
			continue
		}
		if i == valueChildren {
			break
		}
		text := s.value(c, depth-1)
		if v.Kind == reflect.Struct || v.Kind == reflect.Map {
			text = oneLine(strings.Trim(c.Name, "[]")) + ": " + text
		}
		parts = append(parts, text)
	}
	more := max(0, len(v.Children)-valueChildren) + int(v.Unloaded)
	if more > 0 {
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	size := ""
	switch v.Kind {
	case reflect.Slice:
		size = fmt.Sprintf(" (len %d, cap %d)", v.Len, v.Cap)
	case reflect.Map:
		size = fmt.Sprintf(" (len %d)", v.Len)
	}
	return typeName(v.Type) + "{" + strings.Join(parts, ", ") + "}" + size
}

// typeName shortens import paths to package names.
func typeName(t string) string {
	slash := strings.LastIndex(t, "/")
	if slash < 0 {
		return t
	}
	start := strings.LastIndexAny(t[:slash], "*[]( ,{")
	return typeName(t[:start+1]) + t[slash+1:]
}

// oneLine bounds text of the program and takes line breaks and control
// sequences out of it.
func oneLine(s string) string { return printable.Cut(printable.Line(s), valueText) }

// manyLines strips control sequences but keeps lines.
func manyLines(s string) string { return printable.Text(s) }

// showVariables lists variables, one a line.
func showVariables(vars []debugger.Variable) string { return showDeep(vars, valueDepth) }

// showDeep lists variables so deep, one a line.
func showDeep(vars []debugger.Variable, depth int) string { return shower{}.list(vars, depth) }

// list writes variables, one a line. Those without a value yet and those that
// cannot be read are left out.
func (s shower) list(vars []debugger.Variable, depth int) string {
	var b strings.Builder
	for _, v := range vars {
		if v.Name == "" || strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, ".") || v.Unset || v.Unreadable != "" {
			continue
		}
		fmt.Fprintf(&b, "%s %s = %s\n", v.Name, typeName(v.Type), s.once(v, depth))
	}
	return b.String()
}

// longValue is how long a value is that is written only once, in bytes.
const longValue = 80

// once writes a value, or where it was written before: callers hold what they
// pass on.
func (s shower) once(v debugger.Variable, depth int) string {
	text := s.value(v, depth)
	if s.written == nil || len(text) < longValue {
		return text
	}
	whole := s.value(v, valueDepth) // callers' values are shortened
	if name, ok := s.written[whole]; ok {
		return "the same as " + name + " above"
	}
	s.written[whole] = v.Name
	return text
}

// shower writes the values of a frame with what the target and the code say.
func (g *gathering) shower(frame int) shower {
	if g.written == nil {
		g.written = map[string]string{}
	}
	s := shower{ctx: g.reading, written: g.written}
	if _, hides := g.c.Inspect.(screened); g.c.Inspect != nil && !hides { // what is hidden must not be read on the way
		s.r = format.NewReader(g.c.Inspect, debugger.FrameRef{Goroutine: g.c.Stop.Goroutine, Frame: frame})
	}
	if g.c.Code != nil && len(g.c.Code.Packages) > 0 {
		own := map[string]bool{"main": true}
		for _, p := range g.c.Code.Packages {
			own[p.PkgPath], own[p.Name], own[path.Base(p.PkgPath)] = true, true, true
		}
		s.foreign = func(pkg string) bool { return !own[pkg] }
	}
	return s
}
