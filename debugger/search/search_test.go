package search

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func number(value string) debugger.Variable {
	return debugger.Variable{Kind: reflect.Int, Value: value}
}

func text(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Kind: reflect.String, Value: value, Len: int64(len(value))}
}

func TestMatch(t *testing.T) {
	inner := debugger.Variable{Name: "Base", Type: "main.Base", Kind: reflect.Struct, Children: []debugger.Variable{{Name: "ID", Kind: reflect.Int, Value: "7"}}}
	user := debugger.Variable{Kind: reflect.Struct, Children: []debugger.Variable{
		text("Name", "Ada"), inner, {Name: "Age", Kind: reflect.Float64, Value: "36.5"}, {Name: "Next", Kind: reflect.Pointer, Nil: true, Value: "nil"},
		{Name: "Wait", Type: "time.Duration", Kind: reflect.Int64, Value: "1500000000"},
	}}
	pointer := debugger.Variable{Kind: reflect.Pointer, Children: []debugger.Variable{user}}
	key := text("", "apple")
	entry := number("5")
	entry.Key = &key
	enum := number("green (1)")
	for _, c := range []struct {
		query string
		v     debugger.Variable
		want  bool
	}{
		{"", number("1"), true},
		{"23", number("1234"), true},
		{"23", number("1324"), false},
		{"> 100", number("101"), true},
		{">100", number("100"), false},
		{">= 0x10", number("16"), true},
		{"== 18446744073709551615", debugger.Variable{Kind: reflect.Uint64, Value: "18446744073709551615"}, true},
		{"< 1.5", debugger.Variable{Kind: reflect.Float64, Value: "1.25"}, true},
		{"< 1.5", debugger.Variable{Kind: reflect.Float64, Value: "NaN"}, false},
		{"!= 3", number("4"), true},
		{"== 1", enum, true},
		{"green", enum, true},
		{"ADA", user, true},
		{"ada", pointer, true},
		{`.Name == "Ada"`, pointer, true},
		{`.Name == Ada`, user, true},
		{`.Name > "B"`, user, false},
		{".Base.ID == 7", user, true},
		{".ID >= 7", user, true},
		{".Age > 36", user, true},
		{".Next == nil", user, true},
		{".Next != nil", user, false},
		{".Wait > 1s", user, true},
		{".Wait > 2s", user, false},
		{".None == 1", user, false},
		{"app", entry, true},
		{"key == apple", entry, true},
		{"key > b", entry, false},
		{"== 5", entry, true},
		{"key == 5", number("5"), false},
		{"== 'a'", debugger.Variable{Kind: reflect.Int32, Value: "97"}, true},
		{"a == b", text("", "if a == b {"), true}, // no comparison: a text
	} {
		if got := Parse(c.query).Match(&c.v); got != c.want {
			t.Errorf("%q on %s: %v", c.query, c.v.Value, got)
		}
	}
}
