package paths

import (
	"reflect"
	"sync"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// Outward replaces the paths of this machine in what is asked of the server.
func (p Map) Outward(in any) any {
	if !p.any() {
		return in
	}
	switch in := in.(type) {
	case rpc2.CreateBreakpointIn:
		in.Breakpoint.File = p.theirs(in.Breakpoint.File)
		in.SubstitutePathRules = p.substitutions()
		return in
	case rpc2.AmendBreakpointIn:
		in.Breakpoint.File = p.theirs(in.Breakpoint.File)
		return in
	case rpc2.FindLocationIn:
		in.SubstitutePathRules = p.substitutions()
		return in
	}
	return in
}

// Inward replaces the target's paths in what the server has answered.
func (p Map) Inward(out any) {
	if p.any() {
		p.replace(reflect.ValueOf(out))
	}
}

// replace goes through a value to all paths in it.
func (p Map) replace(v reflect.Value) {
	if !holdsPaths(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			p.replace(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			p.replace(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Field(i)
			switch declared := v.Type().Field(i); {
			case !declared.IsExported():
			case !isPath(declared.Name):
				p.replace(field)
			case field.Kind() == reflect.String:
				field.SetString(p.ours(field.String()))
			case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.String:
				for i := range field.Len() {
					field.Index(i).SetString(p.ours(field.Index(i).String()))
				}
			}
		}
	}
}

// isPath tells the fields of Delve's answers that hold source paths.
func isPath(field string) bool {
	return field == "File" || field == "Files" || field == "Sources" || field == "DirectoryPath"
}

// pathTypes remembers which types hold paths: going through every value of a
// long listing costs.
var pathTypes sync.Map

func holdsPaths(t reflect.Type) bool {
	if known, ok := pathTypes.Load(t); ok {
		return known.(bool)
	}
	holds := findPaths(t, map[reflect.Type]bool{})
	pathTypes.Store(t, holds)
	return holds
}

func findPaths(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || t == reflect.TypeFor[api.Variable]() {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return findPaths(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.IsExported() && (isPath(f.Name) || findPaths(f.Type, seen)) {
				return true
			}
		}
	}
	return false
}
