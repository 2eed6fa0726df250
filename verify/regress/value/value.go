package value

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
)

// Form says which fields of a Value count.
type Form int

// The forms.
const (
	// Zero is the zero value of Type: 0, "", nil, T{}; Code may name it.
	Zero Form = iota
	// Literal is a constant of a basic type: Text.
	Literal
	// Struct has Fields.
	Struct
	// List is an array or a slice: Elems.
	List
	// Map has Entries.
	Map
	// Pointer points at To, which other pointers may share.
	Pointer
	// Interface holds To.
	Interface
	// Chan is a channel of capacity Cap that holds Elems.
	Chan
	// Made is whatever Code evaluates to.
	Made
	// Declared needs a variable of its own, which the statements of Code declare.
	Declared
)

// Value is a value of the target. Values that are referred to more than once
// (by pointers, or as maps and channels) are the same Value.
type Value struct {
	Type    types.Type // static; nil where only Code needs to know
	Form    Form
	Text    string // of a Literal, without conversion to Type
	Fields  []Field
	Zeros   []Field // the other fields, which pointers may point at
	Elems   []*Value
	Entries []Entry
	To      *Value
	Cap     int64
	Closed  bool // of a Chan
	Code    Code
	// ByPointer: Code evaluates to a pointer to the value. A Made or Declared
	// value may have Fields, which are then assigned.
	ByPointer bool
	// After are statements that have to follow once the value is in a
	// variable, with Self for where it is: "Self.Add(2)".
	After []Code

	says string // of an error, what it says; empty when that is not known
}

// Field is a field of a struct that is not zero.
type Field struct {
	Name  string // or a path, "stats.hits", where it is assigned
	Value *Value
}

// Entry is an entry of a map.
type Entry struct{ Key, Value *Value }

// Code is Go source with holes: its parts are strings (taken as they are),
// Ref, Self, Local, Variable, types.Type, *Value, Code and what Import knows.
type Code []any

// Ref names an object at the top level of a package.
type Ref struct{ Path, Package, Name string }

// Self stands for the variable, or the path to the field, that holds the value.
type Self struct{}

// Local stands for another variable that the code declares; equal ones are the
// same within a Code.
type Local struct{ Name string }

func zero(t types.Type) *Value { return &Value{Type: t} }

func made(t types.Type, parts ...any) *Value { return &Value{Type: t, Form: Made, Code: parts} }

func (v *Value) isZero() bool { return v.Form == Zero && len(v.After) == 0 }

// std refers to an object of the standard library, whose packages are called as
// the last part of their path says.
func std(path, name string) Ref { return Ref{Path: path, Package: lastOf(path), Name: name} }

func sortCode(list []Code) {
	slices.SortFunc(list, func(a, b Code) int { return cmp.Compare(fmt.Sprint(a...), fmt.Sprint(b...)) })
}

// ZeroOf is the zero value of a type.
func ZeroOf(t types.Type) *Value { return zero(t) }
