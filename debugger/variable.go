package debugger

import (
	"reflect"
	"strings"
)

// Variable is a value of the target, loaded to some depth.
//
// What was not loaded is never lost: Unloaded says how many elements remain and
// Expr how to ask for them.
type Variable struct {
	Name string `json:"name,omitempty"` // "x", "terms", "[3]", "[\"go\"]"; empty for the target of a pointer
	// Expr evaluates to this variable in the frame it was read from.
	Expr string       `json:"expr,omitempty"`
	Type string       `json:"type,omitempty"` // as declared: "*main.Index", "error"
	Kind reflect.Kind `json:"kind,omitempty"` // of the underlying type
	// Value is the value in one line of Go-like text. Composite values are
	// summarized ("[]int len 3 cap 4"), strings are unquoted and may be cut
	// (then Len exceeds len(Value)).
	Value string `json:"value,omitempty"`
	Addr  uint64 `json:"addr,omitempty"`
	Len   int64  `json:"len,omitempty"` // of strings, slices, arrays, maps, channels
	Cap   int64  `json:"cap,omitempty"` // of slices and channels
	Nil   bool   `json:"nil,omitempty"` // a nil pointer, map, slice, channel, function or interface
	// Children: fields, elements, the value pointed at (one), the dynamic
	// value of an interface (one); for maps one child an entry, whose Name is
	// the key. They may be fewer than there are.
	Children []Variable `json:"children,omitempty"`
	// Unloaded counts the children that exist and are not in Children.
	Unloaded int64 `json:"unloaded,omitempty"`
	// Shadowed variables cannot be named by their plain name in this frame.
	Shadowed   bool   `json:"shadowed,omitempty"`
	Unreadable string `json:"unreadable,omitempty"` // why the value could not be read; empty when it was
	DeclLine   int64  `json:"decl,omitempty"`       // line of the declaration; 0 when unknown
	// Unset variables hold nothing yet: their declaration has not ended, and
	// what was read is what the memory held before.
	Unset bool `json:"unset,omitempty"`
	// Captured: an Unset variable has a value, which the closure that has captured it
	// has not loaded yet.
	Captured bool `json:"captured,omitempty"`
	// FullType is Type with whole package paths: "*example.com/a/index.Index".
	// It is not recorded.
	FullType string `json:"-"`
	// Base is the address of what a map, channel, slice, string or function
	// refers to. It is not recorded.
	Base uint64 `json:"-"`
	// Key is the key of a map's entry. It is not recorded.
	Key *Variable `json:"-"`
}

// IsSync reports whether a type is one of package sync, whose fields say nothing about
// the program.
func IsSync(typ string) bool {
	return strings.HasPrefix(typ, "sync.") || strings.HasPrefix(typ, "internal/sync.")
}

// Expandable reports whether the variable has children, loaded or not.
func (v Variable) Expandable() bool { return len(v.Children) > 0 || v.Unloaded > 0 }

// Child returns the loaded child of that name.
func (v Variable) Child(name string) (Variable, bool) {
	for _, c := range v.Children {
		if c.Name == name {
			return c, true
		}
	}
	return Variable{}, false
}

// Deref follows pointers and interfaces whose target is loaded.
func (v Variable) Deref() Variable {
	for (v.Kind == reflect.Pointer || v.Kind == reflect.Interface) && len(v.Children) == 1 {
		v = v.Children[0]
	}
	return v
}

// TypedNil writes an interface that holds a nil of some type, which is not nil
// itself: "error(*fs.PathError) nil". Of other values ok is false.
func (v Variable) TypedNil() (text string, ok bool) {
	if v.Kind != reflect.Interface || v.Nil || len(v.Children) != 1 || !v.Children[0].Nil {
		return "", false
	}
	return v.Type + "(" + v.Children[0].Type + ") nil", true
}

// QualifiedType is the type with the paths of its packages, where that is known.
func (v Variable) QualifiedType() string {
	if v.FullType != "" {
		return v.FullType
	}
	return v.Type
}

// Number takes the number from "Name (1)", as constants and durations are
// written.
func Number(value string) string {
	if strings.HasSuffix(value, ")") {
		if open := strings.LastIndexByte(value, '('); open >= 0 {
			return value[open+1 : len(value)-1]
		}
	}
	return value
}

// InMemory tells addresses of the target from those that the debugger makes up
// for what is kept in registers.
func InMemory(addr uint64) bool { return addr != 0 && addr < 1<<63 }
