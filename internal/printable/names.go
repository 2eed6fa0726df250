package printable

import (
	"bytes"
	"reflect"
	"strings"
	"unicode"
)

// Name returns a name of a file, a function, a type or a label in one line. Compilers write no
// control characters into names, but a binary, a core dump or a journal may hold any. Only a name
// with one is Folded: a file has to be found by its name.
func Name(s string) string {
	if strings.IndexFunc(s, breaks) < 0 {
		return s
	}
	return Folded(s)
}

func breaks(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }

// Names are labels, each key and value a Name.
func Names(labels map[string]string) map[string]string {
	fits := true
	for k, v := range labels {
		fits = fits && strings.IndexFunc(k, breaks) < 0 && strings.IndexFunc(v, breaks) < 0
	}
	if fits {
		return labels
	}
	folded := make(map[string]string, len(labels))
	for k, v := range labels {
		folded[Name(k)] = Name(v)
	}
	return folded
}

// nameFields are the fields of structs that hold names or places.
var nameFields = map[string]bool{
	"DirectoryPath": true, "Dir": true, "File": true, "Files": true, "FnName": true, "FullType": true, "Funcs": true, "Function": true, "FunctionName": true,
	"ImportPath": true, "Labels": true, "Module": true, "Modules": true, "Name": true, "Name_": true, "Package": true, "Packages": true, "Path": true,
	"Place": true, "RealType": true, "SiteFile": true, "Sources": true, "Test": true, "Tests": true, "Type": true, "Types": true,
}

// FoldNames applies Name to the names in a debugger's answer or a journal's event. from is the JSON
// it was decoded from: without an escape or a byte above ASCII, no name needs it.
func FoldNames(in any, from []byte) {
	if bytes.IndexByte(from, '\\') < 0 && bytes.IndexFunc(from, func(r rune) bool { return r >= 0x7f }) < 0 {
		return
	}
	foldNames(reflect.ValueOf(in), false)
}

func foldNames(v reflect.Value, name bool) {
	switch v.Kind() {
	case reflect.String:
		if name && v.CanSet() {
			v.SetString(Name(v.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			foldNames(v.Elem(), name)
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k <= reflect.Complex128 { // bytes, numbers
			return
		}
		for i := range v.Len() {
			foldNames(v.Index(i), name)
		}
	case reflect.Map:
		if labels, ok := v.Interface().(map[string]string); ok && name && v.CanSet() {
			v.Set(reflect.ValueOf(Names(labels)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				foldNames(v.Field(i), nameFields[f.Name])
			}
		}
	}
}
