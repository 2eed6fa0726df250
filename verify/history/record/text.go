//go:build go1.21

package record

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text is a value in a few words. It reads no more than a few parts of it: another goroutine
// may be writing them.
func Text(v reflect.Value) string {
	return start(text(v, 1), maxText)
}

// start is the start of a text, at most so many bytes and no part of a character.
func start(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := most; i > most-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:most]
}

// shown is how much of a text or of a list is written.
const shown = 60

func text(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return "nil"
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, 128)
	case reflect.String:
		s := v.String()
		if len(s) > shown {
			return strconv.Quote(start(s, shown)) + "…"
		}
		return strconv.Quote(s)
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if k := v.Elem().Kind(); k == reflect.Pointer || k == reflect.Map || k == reflect.Func || k == reflect.Chan {
			if t := text(v.Elem(), depth); t != "nil" {
				return t
			}
		}
		return v.Elem().Type().String() + " " + text(v.Elem(), depth)
	case reflect.Pointer, reflect.UnsafePointer, reflect.Func:
		if v.IsNil() {
			return "nil"
		}
		return "a " + v.Type().String()
	case reflect.Map, reflect.Chan:
		if v.IsNil() {
			return "nil"
		}
		return v.Type().String() + " of " + strconv.Itoa(v.Len())
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		return v.Type().String() + " of " + strconv.Itoa(v.Len()) + listed(v, depth)
	case reflect.Array:
		return v.Type().String() + listed(v, depth)
	}
	return v.Type().String() + fields(v, depth)
}

// listed writes the first elements of a list of plain values.
func listed(v reflect.Value, depth int) string {
	if depth == 0 || v.Len() == 0 || !plain(v.Type().Elem().Kind()) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < v.Len(); i++ {
		if b.Len() > shown {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(text(v.Index(i), 0))
	}
	return " [" + b.String() + "]"
}

// mostFields is how many fields of a struct are written.
const mostFields = 8

// fields writes the first fields of a struct: of those that are structs or arrays themselves
// only the type.
func fields(v reflect.Value, depth int) string {
	if depth == 0 || v.Kind() != reflect.Struct || v.Type().PkgPath() == "sync" {
		return ""
	}
	var parts []string
	for i := 0; i < v.NumField(); i++ {
		if i == mostFields {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, v.Type().Field(i).Name+": "+text(v.Field(i), 0))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func plain(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}
