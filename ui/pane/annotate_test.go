package pane

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/ui/inspect"
)

const annotated = `package main

func sum(list []int, o *order) (total int) {
	scale := 2
	for i, scale := range list {
		use(func(total int) {
			total++
		})
		total += scale * i
		o.count = total
	}
	return total
}
`

// TestAnnotations writes each value where its name means it: not the inner
// variable next to the outer one, and nothing in function literals.
func TestAnnotations(t *testing.T) {
	number := func(name, value string, line int64, shadowed bool) debugger.Variable {
		return debugger.Variable{Name: name, Expr: name, Kind: reflect.Int, Type: "int", Value: value, DeclLine: line, Shadowed: shadowed}
	}
	frame := debugger.Frame{Function: "main.sum", Line: 10, Loaded: true, Args: []debugger.Variable{
		{Name: "list", Expr: "list", Kind: reflect.Slice, Type: "[]int", Value: "[]int len 3 cap 4", Len: 3, Cap: 4, DeclLine: 3},
		{Name: "o", Expr: "o", Kind: reflect.Pointer, Type: "*main.order", Value: "*main.order", DeclLine: 3, Children: []debugger.Variable{{Kind: reflect.Struct, Type: "main.order", Value: "main.order{}",
			Children: []debugger.Variable{{Name: "count", Expr: "o.count", Kind: reflect.Int, Value: "6"}}}}},
		number("total", "8", 3, false),
	}, Locals: []debugger.Variable{number("scale", "2", 4, true), number("i", "1", 5, false), number("scale", "7", 5, false)}}
	c := &Context{Store: inspect.NewStore()}
	a := newAnnotator(c, inspect.NewSource("sum.go", annotated), frame)
	var got []string
	for line, values := range a.above() {
		for _, v := range values {
			got = append(got, fmt.Sprint(line, " ", v.name, "=", v.text))
		}
	}
	for _, v := range a.current(nil) {
		got = append(got, "here "+v.name+"="+v.text)
	}
	slices.Sort(got)
	want := []string{"3 list=[…3]", "3 o=&order{count: 6}", "3 total=8", "4 scale=2", "5 i=1", "5 scale=7", "9 total=8", "here o.count=6", "here total=8"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	bad := &evidence.Diagnosis{Expr: "o.count", Value: "0"}
	if v := a.current(bad)[0]; v.text != "0" || !v.bad {
		t.Errorf("what was bad is %+v", v)
	}
	if c.Store.Changed(); a.current(bad)[0].text != "6" || a.current(bad)[0].bad {
		t.Errorf("after a value was set, what was bad is %+v", a.current(bad)[0])
	}
}
