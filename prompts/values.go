package prompts

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
)

const (
	valueDepth    = 3   // how deep values are shown
	callerDepth   = 2   // … those of callers
	valueChildren = 8   // how many children of a value are shown
	valueText     = 160 // bytes of one string or scalar
)

// showValue writes a value in one line of Go-like text.
func showValue(v debugger.Variable, depth int) string {
	switch {
	case v.Unreadable != "":
		return "(unreadable: " + oneLine(v.Unreadable) + ")"
	case v.Nil:
		return strings.TrimSpace("nil " + typeName(v.Type))
	case v.Kind == reflect.String:
		return showString(v)
	}
	if v.Kind == reflect.Pointer || v.Kind == reflect.Interface {
		if len(v.Children) == 1 {
			prefix := ""
			if v.Kind == reflect.Pointer {
				prefix = "&"
			}
			return prefix + showValue(v.Children[0], depth)
		}
		return oneLine(v.Value)
	}
	if text, ok := showBytes(v); ok {
		return text
	}
	if len(v.Children) == 0 || depth <= 0 {
		return plainValue(v)
	}
	return showChildren(v, depth)
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
	text := v.Value
	if len(text) > valueText {
		text = strings.ToValidUTF8(text[:valueText], "")
	}
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

func showChildren(v debugger.Variable, depth int) string {
	var parts []string
	for i, c := range v.Children {
		if i == valueChildren {
			break
		}
		text := showValue(c, depth-1)
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
// characters out of it.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(s, "\uFFFD"))), " ")
	if len(s) > valueText {
		s = strings.ToValidUTF8(s[:valueText], "")
	}
	return s
}

// manyLines strips control characters but keeps lines.
func manyLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func printable(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return ' '
	case r < ' ', r >= 0x7f && r < 0xa0, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return -1
	}
	return r
}

// showVariables lists variables, one a line.
func showVariables(vars []debugger.Variable) string { return showDeep(vars, valueDepth) }

// showDeep lists variables so deep, one a line.
func showDeep(vars []debugger.Variable, depth int) string {
	var b strings.Builder
	for _, v := range vars {
		if v.Name == "" || strings.HasPrefix(v.Name, "~") || strings.HasPrefix(v.Name, ".") {
			continue
		}
		fmt.Fprintf(&b, "%s %s = %s\n", v.Name, typeName(v.Type), showValue(v, depth))
	}
	return b.String()
}
