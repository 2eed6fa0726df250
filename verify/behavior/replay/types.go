//go:build go1.21

package replay

import (
	"bytes"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// TypeName names a type with the import paths of its packages: reflect's String has
// the packages' names only.
func TypeName(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + TypeName(t.Elem())
	case reflect.Slice:
		return "[]" + TypeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + TypeName(t.Elem())
	case reflect.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	}
	return t.String()
}

// types finds types by their names.
type types map[string]reflect.Type

func newTypes() types {
	t := types{}
	for _, v := range []any{false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
		float32(0), float64(0), complex64(0), complex128(0), "", []any(nil), map[string]any(nil)} {
		t.add(reflect.TypeOf(v), 0)
	}
	for _, v := range []any{(*os.File)(nil), time.Time{}, (*bytes.Buffer)(nil), (*bytes.Reader)(nil), (*strings.Reader)(nil), (*strings.Builder)(nil)} {
		t.add(reflect.TypeOf(v), 0)
	}
	return t
}

// maxTypeDepth is how far the types that a type refers to are followed.
const maxTypeDepth = 8

// add adds a type and those that it refers to.
func (ts types) add(t reflect.Type, depth int) {
	name := TypeName(t)
	if _, known := ts[name]; known || depth > maxTypeDepth {
		return
	}
	ts[name] = t
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		ts.add(t.Elem(), depth+1)
	case reflect.Map:
		ts.add(t.Key(), depth+1)
		ts.add(t.Elem(), depth+1)
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			ts.add(t.Field(i).Type, depth+1)
		}
	case reflect.Func:
		for i := 0; i < t.NumIn(); i++ {
			ts.add(t.In(i), depth+1)
		}
		for i := 0; i < t.NumOut(); i++ {
			ts.add(t.Out(i), depth+1)
		}
	}
}

// find returns the type of a name; nil where it is not known.
func (ts types) find(name string) reflect.Type {
	if t, ok := ts[name]; ok {
		return t
	}
	var t reflect.Type
	switch {
	case strings.HasPrefix(name, "*"):
		if elem := ts.find(name[1:]); elem != nil {
			t = reflect.PointerTo(elem)
		}
	case strings.HasPrefix(name, "[]"):
		if elem := ts.find(name[2:]); elem != nil {
			t = reflect.SliceOf(elem)
		}
	case strings.HasPrefix(name, "map["):
		if key, elem, ok := cutBracket(name[4:]); ok {
			if k, e := ts.find(key), ts.find(elem); k != nil && e != nil && k.Comparable() {
				t = reflect.MapOf(k, e)
			}
		}
	case strings.HasPrefix(name, "["):
		if length, elem, ok := cutBracket(name[1:]); ok {
			if n, err := strconv.Atoi(length); err == nil && n >= 0 && n <= maxNodes {
				if e := ts.find(elem); e != nil {
					t = reflect.ArrayOf(n, e)
				}
			}
		}
	}
	if t != nil {
		ts[name] = t
	}
	return t
}

// cutBracket cuts a text at the bracket that closes one before it.
func cutBracket(s string) (inside, rest string, ok bool) {
	open := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			open++
		case ']':
			if open--; open == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}
