package prompts

import (
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Hide hides the values that Case hides in whatever a pointer leads to. It reports
// whether there were any.
func (s *Screen) Hide(in any) bool {
	return !s.redactor.HidesNothing() && s.hideIn(reflect.ValueOf(in))
}

var variableType = reflect.TypeFor[debugger.Variable]()

func (s *Screen) hideIn(v reflect.Value) (hidden bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && s.hideIn(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			hidden = s.hideIn(v.Index(i)) || hidden
		}
	case reflect.Struct:
		if v.Type() == variableType && v.CanSet() {
			old := v.Interface().(debugger.Variable)
			shown := s.variable(old, "")
			v.Set(reflect.ValueOf(shown))
			return !reflect.DeepEqual(old, shown)
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				hidden = s.hideIn(v.Field(i)) || hidden
			}
		}
	}
	return hidden
}

// Parts hides secrets among the values that an expression was evaluated to, or among
// the children of its value: all of them where it takes a part of a key, which part
// reports.
func (s *Screen) Parts(expr string, values ...debugger.Variable) (shown []debugger.Variable, part bool) {
	if !s.ofKey(expr) && !keyParts.MatchString(expr) {
		return s.variables(values, heldName(expr, expr[strings.LastIndexByte(expr, '.')+1:])), false
	}
	for _, v := range values {
		shown = append(shown, s.hide(v, ofSecret))
	}
	return shown, true
}

// HoldsKey reports whether a value that is written as Go source may hold a key: it names
// the type of one, or has large numbers or bytes that are no text, whose names are gone.
func (s *Screen) HoldsKey(source string) bool {
	if s.redactor.HidesNothing() {
		return false
	}
	return bigNumber.MatchString(source) || rawByte.MatchString(source) ||
		slices.ContainsFunc(typeWritten.FindAllString(source, -1), func(name string) bool {
			if name = strings.TrimRight(name, "({"); !strings.Contains(name, ".") {
				name = "main." + name
			}
			_, hidden := s.redactor.Hides("", name)
			return hidden
		})
}

var (
	rawByte     = lazyregexp.New(`\\x[0-9a-f]{2}`)
	typeWritten = lazyregexp.New(`\w+\.\w+|\w+[({]`)
)
