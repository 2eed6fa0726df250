package literal

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/regress/value"
)

const source = `package main

type node struct {
	name string
	next *node
	any  any
	byID map[int]node
}

type count int
`

type fixture struct {
	pkg     *types.Package
	imports *Imports
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("example.com/app", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{pkg, NewImports(pkg.Path(), nil, slices.Values(pkg.Scope().Names()))}
}

func (f fixture) typ(name string) types.Type { return f.pkg.Scope().Lookup(name).Type() }

// write writes a value as the variable x.
func (f fixture) write(v *value.Value) (string, error) {
	w := NewWriter(f.imports, "t")
	w.Count(v)
	name, err := w.Variable("x", v)
	return strings.Join(append(w.Lines(), name), "\n"), err
}

func number(text string) *value.Value {
	return &value.Value{Type: types.Typ[types.Int], Form: value.Literal, Text: text}
}

func list(t types.Type, elems ...*value.Value) *value.Value {
	return &value.Value{Type: types.NewSlice(t), Form: value.List, Elems: elems}
}

func TestWriter(t *testing.T) {
	f := newFixture(t)
	node, ints := f.typ("node"), types.Typ[types.Int]
	pointer := types.NewPointer(node)
	named := func(name string, fields ...value.Field) *value.Value {
		fields = append(fields, value.Field{Name: "name", Value: &value.Value{Type: types.Typ[types.String], Form: value.Literal, Text: `"` + name + `"`}})
		return &value.Value{Type: node, Form: value.Struct, Fields: fields}
	}
	to := func(v *value.Value) *value.Value { return &value.Value{Type: pointer, Form: value.Pointer, To: v} }
	shared, self := named("shared"), named("self")
	self.Fields = append(self.Fields, value.Field{Name: "next", Value: to(self)})
	var long []*value.Value
	for range 30 {
		long = append(long, number("1000000"))
	}
	zero := value.ZeroOf(ints)
	for _, c := range []struct {
		name string
		v    *value.Value
		want string
	}{
		{"number", number("5"), "x := 5\nx"},
		{"named number", &value.Value{Type: f.typ("count"), Form: value.Literal, Text: "5"}, "x := count(5)\nx"},
		{"zero", value.ZeroOf(node), "var x node\nx"},
		{"nil", value.ZeroOf(pointer), "var x *node\nx"},
		{"pointer", to(named("a")), "x := &node{name: \"a\"}\nx"},
		{"pointer to zero", to(value.ZeroOf(node)), "x := &node{}\nx"},
		{"pointer to number", &value.Value{Type: types.NewPointer(ints), Form: value.Pointer, To: number("5")}, "x := 5\n&x"},
		{"shared", list(pointer, to(shared), to(shared), to(named("own"))), "n := &node{name: \"shared\"}\nx := []*node{n, n, {name: \"own\"}}\nx"},
		{"circle", to(self), "x := &node{name: \"self\"}\nx.next = x\nx"},
		{"sparse", list(ints, slices.Concat([]*value.Value{number("1")}, slices.Repeat([]*value.Value{zero}, 20))...), "x := []int{0: 1, 20: 0}\nx"},
		{"all zero", list(ints, slices.Repeat([]*value.Value{zero}, 20)...), "x := make([]int, 20)\nx"},
		{"empty", list(ints), "x := []int{}\nx"},
		{"rows", list(ints, long...), "x := []int{\n" + strings.Repeat(strings.Repeat("1000000, ", 9)+"1000000,\n", 3) + "}\nx"},
		{"interface", &value.Value{Type: types.Universe.Lookup("any").Type(), Form: value.Interface, To: &value.Value{Type: types.Typ[types.Float64], Form: value.Literal, Text: "1"}}, "x := 1.0\nx"},
		{"channel", &value.Value{Type: types.NewChan(types.RecvOnly, ints), Form: value.Chan, Cap: 2, Elems: []*value.Value{number("1")}, Closed: true}, "x := make(chan int, 2)\nx <- 1\nclose(x)\nx"},
	} {
		got, err := f.write(c.v)
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, c.want)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	f := newFixture(t)
	node := f.typ("node")
	pointer := types.NewPointer(node)
	inMap := &value.Value{Type: node, Form: value.Struct}
	byID := node.Underlying().(*types.Struct).Field(3).Type()
	inMap.Fields = []value.Field{{Name: "byID", Value: &value.Value{Type: byID, Form: value.Map, Entries: []value.Entry{{Key: number("1"), Value: &value.Value{Type: node, Form: value.Struct, Fields: []value.Field{
		{Name: "next", Value: &value.Value{Type: pointer, Form: value.Pointer, To: inMap}}}}}}}}}
	if got, err := f.write(&value.Value{Type: pointer, Form: value.Pointer, To: inMap}); !errors.Is(err, ErrCycle) {
		t.Errorf("a circle through a map's value: %v\n%s", err, got)
	}
	long := &value.Value{Type: types.Typ[types.String], Form: value.Literal, Text: `"` + strings.Repeat("x", MaxText) + `"`}
	if _, err := f.write(long); !errors.Is(err, ErrTooLong) {
		t.Errorf("%v, want %v", err, ErrTooLong)
	}
}

func TestImports(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package p\nimport (\n\t\"fmt\"\n\tu \"net/url\"\n\t_ \"embed\"\n\t. \"math\"\n)\n", parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	i := NewImports("example.com/p", file.Imports, slices.Values([]string{"errors", "time2"}))
	for _, c := range [][3]string{{"fmt", "fmt", "fmt"}, {"net/url", "url", "u"}, {"errors", "errors", "errors2"}, {"math", "math", "math"},
		{"example.com/p", "p", ""}, {"time", "time", "time"}, {"example.com/time", "time", "time3"}, {"time", "time", "time"}} {
		if got := i.Use(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %q, want %q", c[0], got, c[2])
		}
	}
	want := []Import{{"errors2", "errors"}, {"", "math"}, {"", "time"}, {"time3", "example.com/time"}}
	if !slices.Equal(i.Added, want) {
		t.Errorf("%v, want %v", i.Added, want)
	}
}
