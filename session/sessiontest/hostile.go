// Package sessiontest makes hostile events, as a target, a model or a journal could have
// them, for tests of what is printed. It knows no frontend.
package sessiontest

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

// mark is in the attack's style sequence, which none of ours is like.
const mark = "8;35;66"

// Attack is what no terminal shall see: styles, titles, links, the clipboard,
// both forms of C1, overrides, zero-width, tags, and what makes a line of its own.
const Attack = "\x1b[" + mark + "mred\x1b[2J\x1b[1;1H\x1b]0;title\a\x1b]8;;http://evil.example/\x1b\\link\x1b]8;;\a\x1b]52;c;aGk=\a" +
	"\x1bPq#0\x1b\\\u009b31m\u009d0;c1\u009c\x9b31m\x8d\u202e\u2066rtl\u2069\u200b\u200d\ufeff\u00ad\U000e0041\U000e0100\u2028\u0085\x00\b\r\x7f" +
	"\nPRETEND: a line of ours\n\x1b]0;open"

// Hostile returns an event of every kind, each string of which is an Attack.
func Hostile() []session.Body { return HostileWith(Attack) }

// HostileWith returns an event of every kind, each string of which is a text.
func HostileWith(text string) []session.Body {
	bodies := session.Blanks()
	for _, b := range bodies {
		FillWith(b, text)
	}
	return bodies
}

// Fill makes every string below a pointer an Attack.
func Fill(p any) { FillWith(p, Attack) }

// FillWith makes every string below a pointer a text.
func FillWith(p any, text string) { fill(reflect.ValueOf(p).Elem(), text, 6) }

// Taint appends an Attack to every string of the body, those of named types, which
// steer what is shown, only if all is said.
func Taint(b session.Body, all bool) { taint(reflect.ValueOf(b), all) }

// Escaped says what of a text must not have got out: anything but printable
// text, newlines, tabs and styles of our own. It is empty where all is well.
func Escaped(text string) string {
	if i := strings.Index(text, "\x1b["+mark); i >= 0 {
		return fmt.Sprintf("the attack's own style in %q", text[max(0, i-80):min(len(text), i+20)])
	}
	rest := styles.ReplaceAllString(text, "")
	for i, r := range rest {
		if r != '\n' && r != '\t' && printable.Hidden(r) {
			return fmt.Sprintf("%q in %q", r, rest[max(0, i-40):min(len(rest), i+40)])
		}
	}
	return ""
}

// Pretends reports whether a line begins with what the attack has put at the
// beginning of one.
func Pretends(text string) bool {
	return strings.HasPrefix(text, "PRETEND") || strings.Contains(text, "\nPRETEND")
}

var styles = lazyregexp.New("\x1b\\[[0-9;:]*m")

// fill sets every string below v, and gives lists and maps an element.
func fill(v reflect.Value, text string, depth int) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), text, depth)
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if depth > 0 {
			fillBelow(v, text, depth-1)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	default: // nothing else is printed as text
	}
}

func fillBelow(v reflect.Value, text string, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text, depth)
	default:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text, depth)
		fill(value, text, depth)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	}
}

func taint(v reflect.Value, all bool) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() && (all || v.Type().Name() == "string") {
			v.SetString(v.String() + Attack)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			taint(v.Field(i), all)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			taint(v.Elem(), all)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			taint(v.Index(i), all)
		}
	default: // maps are small, and have their turn in Hostile
	}
}
