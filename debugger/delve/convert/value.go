package convert

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// Bounds of a value in one line.
const (
	lineFields = 6  // fields of a struct that are written out
	lineText   = 48 // bytes of a string inside of something else
)

// Value writes a value in one line of Go-like text. depth counts what it is
// inside of: strings are quoted there, and structs shortened.
func Value(v *api.Variable, depth int) string {
	if v.Unreadable != "" {
		return "(unreadable)"
	}
	if IsNil(v) {
		return "nil"
	}
	typ := ShortType(v.Type)
	switch v.Kind {
	case reflect.String:
		return text(v, depth)
	case reflect.Struct:
		return structure(v, typ, depth)
	case reflect.Pointer:
		return pointer(v, typ, depth)
	case reflect.Interface:
		return dynamic(v, typ, depth)
	case reflect.Slice:
		return fmt.Sprintf("%s len %d cap %d", typ, v.Len, v.Cap)
	case reflect.Array:
		return fmt.Sprintf("%s len %d", typ, v.Len)
	case reflect.Map:
		return fmt.Sprintf("%s len %d", typ, v.Len)
	case reflect.Chan:
		length, capacity := channelSize(v)
		return fmt.Sprintf("%s len %d cap %d", typ, length, capacity)
	case reflect.UnsafePointer:
		if len(v.Children) > 0 {
			return fmt.Sprintf("unsafe.Pointer(%#x)", v.Children[0].Addr)
		}
	case reflect.Func:
		if v.Value == "" {
			return typ
		}
		return debugger.Unescaped(v.Value)
	case reflect.Float32, reflect.Float64:
		return ShortNumber(v.Value)
	}
	if v.Type == "time.Duration" && depth > 0 { // Delve names a constant of the same value, of any package
		if n, err := strconv.ParseInt(BareNumber(v.Value), 10, 64); err == nil {
			return time.Duration(n).String()
		}
	}
	return v.Value
}

// ShortType is a type with the last elements of its packages' paths only.
func ShortType(t string) string {
	return debugger.PackageNames(debugger.Unescaped(api.ShortenType(debugger.WithoutVersions(t))))
}

func text(v *api.Variable, depth int) string {
	if depth == 0 {
		return v.Value
	}
	short, cut := v.Value, int64(len(v.Value)) < v.Len
	if len(short) > lineText {
		short, cut = printable.Cut(short, lineText), true
	}
	if cut {
		return strconv.Quote(short) + "…"
	}
	return strconv.Quote(short)
}

// structure writes "main.Point{X: 1, Y: 2}", and "main.Point{…}" for what is
// not loaded or too deep.
func structure(v *api.Variable, typ string, depth int) string {
	if v.Value != "" { // a time.Time, which Delve has written out
		return v.Value
	}
	if strings.HasPrefix(typ, "struct {") {
		typ = "struct"
	}
	if v.Len == 0 {
		return typ + "{}"
	}
	if len(v.Children) == 0 || depth > 1 || depth > 0 && debugger.IsSync(v.Type) {
		return typ + "{…}"
	}
	var parts []string
	for i := range v.Children {
		if i == lineFields {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, v.Children[i].Name+": "+Value(&v.Children[i], depth+1))
	}
	return typ + "{" + strings.Join(parts, ", ") + "}"
}

func pointer(v *api.Variable, typ string, depth int) string {
	if len(v.Children) == 0 {
		return v.Value
	}
	target := &v.Children[0]
	if elementary(target.Kind) && !target.OnlyAddr && target.Unreadable == "" {
		return "&" + Value(target, depth+1)
	}
	if target.Kind == reflect.Pointer && depth == 0 {
		if inner := pointer(target, typ, 1); strings.HasPrefix(inner, "&") {
			return "&" + inner
		}
	}
	if target.OnlyAddr || depth > 0 || target.Kind != reflect.Struct || target.Unreadable != "" {
		return fmt.Sprintf("%s %#x", typ, target.Addr)
	}
	return "&" + Value(target, depth)
}

// elementary reports whether a value is a number, a truth value or a text.
func elementary(k reflect.Kind) bool {
	return k > reflect.Invalid && k < reflect.Array || k == reflect.String
}

// dynamic writes the dynamic value of an interface, with its type where the
// value does not show it.
func dynamic(v *api.Variable, typ string, depth int) string {
	if len(v.Children) == 0 {
		return typ
	}
	data := &v.Children[0]
	inner := ShortType(data.Type)
	if data.OnlyAddr {
		return inner + "(…)"
	}
	switch data.Kind {
	case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan, reflect.Pointer:
		if IsNil(data) {
			return typ + "(" + inner + ") nil"
		}
		return Value(data, depth)
	}
	return inner + "(" + Value(data, depth+1) + ")"
}

// longNumber is how many characters a number has at most that is not written with an exponent.
const longNumber = 24

// ShortNumber is a number that may have hundreds of zeros, in short.
func ShortNumber(text string) string {
	if len(text) <= longNumber {
		return text
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}
