package pause

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
)

// sizer says about how much a value takes, before any of it is encoded, and
// refuses what encoding would lose.
type sizer struct {
	left  int
	depth int
}

// maxDepth bounds how deeply values may be nested.
const maxDepth = 1000

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func (s *sizer) value(v reflect.Value) error {
	s.depth++
	defer func() { s.depth-- }()
	s.left--
	if s.left < 0 {
		return fmt.Errorf("it takes more than %d MB", maxResult>>20)
	}
	if s.depth > maxDepth {
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	if v.Type().Implements(marshaler) || v.Type().Implements(textMarshaler) {
		return nil
	}
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return fmt.Errorf("it holds a %s", v.Type())
	case reflect.String:
		s.left -= v.Len()
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return s.value(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		return s.list(v)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if err := s.value(it.Key()); err != nil {
				return err
			}
			if err := s.value(it.Value()); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return s.fields(v)
	}
	return nil
}

func (s *sizer) list(v reflect.Value) error {
	switch v.Type().Elem().Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8, reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		s.left -= v.Len()
		return nil
	}
	for i := range v.Len() {
		if err := s.value(v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *sizer) fields(v reflect.Value) error {
	for i := range v.NumField() {
		if f := v.Type().Field(i); !f.IsExported() && !f.Anonymous {
			return fmt.Errorf("the field %s of %s is not exported", f.Name, v.Type())
		}
		if err := s.value(v.Field(i)); err != nil {
			return err
		}
	}
	return nil
}
