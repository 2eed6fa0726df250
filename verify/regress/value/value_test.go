package value

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

const source = `package main

type level int

const (
	low level = iota
	high
)

type point struct {
	x, y int
	_    int
}

type list struct {
	next *list
	held any
}

type stack[T any] struct{ items []T }

func f() { type local struct{ a int } }
`

// check type-checks a package without imports.
func check(t *testing.T, path, text string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// target answers from maps.
type target struct {
	debugger.Inspector
	values   map[string]debugger.Variable   // by expression
	children map[string][]debugger.Variable // by expression, where they are not loaded
	err      error
}

func (g target) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	v, ok := g.values[expr]
	if g.err == nil && !ok {
		return v, fmt.Errorf("could not find symbol value for %s", expr)
	}
	return v, g.err
}

func (g target) Children(_ context.Context, _ debugger.FrameRef, v debugger.Variable, p debugger.Page) ([]debugger.Variable, error) {
	all := g.children[v.Expr]
	return all[min(p.Start, len(all)):min(p.Start+p.Count, len(all))], g.err
}

func reader(t *testing.T, g target) *Reader {
	pkg := check(t, "example.com/app", source)
	known := NewTypes(pkg, nil)
	known.add(check(t, "example.com/app/other", "package other\n\ntype T struct{ A int; b int }\n\ntype hidden int\n"))
	return &Reader{Inspect: g, Types: known, From: pkg}
}

func (r *Reader) mustResolve(t *testing.T, name string) types.Type {
	t.Helper()
	typ, err := r.Types.Resolve(name)
	if err != nil {
		t.Fatal(err)
	}
	return typ
}

func integer(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Expr: name, Type: "int", FullType: "int", Kind: reflect.Int, Value: value}
}

func structOf(typ string, fields ...debugger.Variable) debugger.Variable {
	return debugger.Variable{Name: "v", Expr: "v", Type: typ, FullType: typ, Kind: reflect.Struct, Children: fields}
}

func TestResolve(t *testing.T) {
	r := reader(t, target{})
	for name, want := range map[string]string{
		"int": "int", "error": "error", "*main.point": "*example.com/app.point", "[]*main.point": "[]*example.com/app.point",
		"[3]uint8": "[3]uint8", "map[string][]main.level": "map[string][]example.com/app.level", "interface {}": "any",
		"chan<- int": "chan<- int", "<-chan main.point": "<-chan example.com/app.point", "struct {}": "struct{}",
		"func(int, ...string) (main.level, error)": "func(int, ...string) (example.com/app.level, error)", "func()": "func()", "func() bool": "func() bool",
		"main.stack[main.stack[example.com/app/other.T]]": "example.com/app.stack[example.com/app.stack[example.com/app/other.T]]",
	} {
		got, err := r.Types.Resolve(name)
		if err != nil || got.String() != want {
			t.Errorf("%s: %v, %v; want %s", name, got, err, want)
		}
	}
	for _, name := range []string{"", "main.missing", "example.com/no.T", "map[int", "*", "main.local·1", "struct { main.x int }", "int]"} {
		if got, err := r.Types.Resolve(name); err == nil {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestRead(t *testing.T) {
	r := reader(t, target{})
	for _, c := range []struct {
		v    debugger.Variable
		typ  string
		form Form
		text string
	}{
		{integer("n", "0"), "int", Zero, ""},
		{integer("n", "-5"), "int", Literal, "-5"},
		{integer("n", "high (1)"), "main.level", Made, ""},
		{integer("n", "low (0)"), "main.level", Zero, ""},
		{integer("n", "7"), "main.level", Literal, "7"},
		{debugger.Variable{Kind: reflect.Bool, Value: "true"}, "bool", Literal, "true"},
		{debugger.Variable{Kind: reflect.String, Value: "a\"b", Len: 3}, "string", Literal, `"a\"b"`},
		{debugger.Variable{Kind: reflect.Float64, Value: "+Inf"}, "float64", Made, ""},
		{debugger.Variable{Kind: reflect.Complex128, Value: "(1 + -2i)"}, "complex128", Literal, "1-2i"},
		{debugger.Variable{Kind: reflect.Slice, Nil: true}, "[]int", Zero, ""},
		{debugger.Variable{Kind: reflect.Slice, Type: "[]int"}, "[]int", List, ""},
		{debugger.Variable{Kind: reflect.Map, Nil: true}, "map[int]int", Zero, ""},
		{debugger.Variable{Kind: reflect.Map}, "map[int]int", Map, ""},
		{structOf("main.point", integer("x", "0"), integer("y", "0"), integer("_", "9")), "main.point", Zero, ""},
		{structOf("main.point", integer("x", "0"), integer("y", "2"), integer("_", "0")), "main.point", Struct, ""},
		{structOf("example.com/app/other.T", integer("A", "1"), integer("b", "0")), "example.com/app/other.T", Struct, ""},
	} {
		got, err := r.Read(t.Context(), "v", c.v, r.mustResolve(t, c.typ))
		if err != nil || got.Form != c.form || got.Text != c.text {
			t.Errorf("%s %q: %+v, %v; want form %v, %q", c.typ, c.v.Value, got, err, c.form, c.text)
		}
	}
}

func TestRefusals(t *testing.T) {
	deep := debugger.Variable{Nil: true, Kind: reflect.Pointer}
	for i := range 60 {
		held := debugger.Variable{Kind: reflect.Interface, Nil: true}
		deep = debugger.Variable{Kind: reflect.Pointer, Type: "*main.list", Children: []debugger.Variable{{Kind: reflect.Struct, FullType: "main.list", Addr: uint64(8 * (i + 1)), Children: []debugger.Variable{deep, held}}}}
	}
	pointer := func(typ string) debugger.Variable {
		return debugger.Variable{Kind: reflect.Interface, Children: []debugger.Variable{{Kind: reflect.Int, Type: typ[strings.LastIndex(typ, "/")+1:], FullType: typ, Value: "1"}}}
	}
	many := make([]debugger.Variable, maxValues+1)
	for i := range many {
		many[i] = integer("n", "1")
	}
	for _, c := range []struct {
		name, typ, want string
		v               debugger.Variable
	}{
		{"unreadable", "int", "v cannot be read: optimized away", debugger.Variable{Unreadable: "optimized away"}},
		{"foreign", "example.com/app/other.T", "v is a example.com/app/other.T: cannot be rebuilt", structOf("example.com/app/other.T", integer("A", "1"), integer("b", "2"))},
		{"hidden type", "interface {}", "v is a other.hidden, which is not exported: cannot be rebuilt", pointer("example.com/app/other.hidden")},
		{"local type", "interface {}", "v is a main.local·1: cannot be rebuilt", pointer("main.local·1")},
		{"unknown package", "interface {}", "v is a db.Conn: cannot be rebuilt", pointer("example.com/db.Conn")},
		{"deep", "*main.list", "nested more than 40 deep", deep},
		{"many", "[]int", "has more than 20000 values", debugger.Variable{Kind: reflect.Slice, Children: many, Len: int64(len(many))}},
		{"long text", "string", "hold more than 64 kB of text", debugger.Variable{Kind: reflect.String, Len: 1 << 20, Value: "a", Expr: "v"}},
		{"unsafe", "*main.list", "v points at what cannot be read", debugger.Variable{Kind: reflect.Pointer}},
		{"other fields", "main.point", "fields are not as its source says", structOf("main.point", integer("x", "1"))},
		{"no number", "int", `cannot be read as a number: "?"`, integer("n", "?")},
		{"literal", "func()", "v is the function main.f.func1: cannot be rebuilt", debugger.Variable{Kind: reflect.Func, Value: "main.f.func1"}},
		{"gone", "func()", "v is the function example.com/gone.F: cannot be rebuilt", debugger.Variable{Kind: reflect.Func, Value: "example.com/gone.F"}},
	} {
		r := reader(t, target{})
		_, err := r.Read(t.Context(), "v", c.v, r.mustResolve(t, c.typ))
		var refused *Refusal
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
}

// What was refused once is refused again where another pointer comes to it: it is no
// value that was read.
func TestARefusedObjectIsNotShared(t *testing.T) {
	r := reader(t, target{})
	held := debugger.Variable{Kind: reflect.Interface, Nil: true}
	unread := debugger.Variable{Kind: reflect.Pointer, Type: "*main.list", Children: []debugger.Variable{
		{Kind: reflect.Struct, FullType: "main.list", Addr: 8, Children: []debugger.Variable{{Unreadable: "gone"}, held}}}}
	for range 2 {
		if v, err := r.Read(t.Context(), "v", unread, r.mustResolve(t, "*main.list")); err == nil {
			t.Fatalf("read as %+v, which points at %+v", v, v.To)
		}
	}
}

func TestATargetThatIsGoneIsNoRefusal(t *testing.T) {
	for _, gone := range []error{debugger.ErrGone, debugger.ErrRunning} {
		r := reader(t, target{err: fmt.Errorf("read: %w", gone)})
		v := debugger.Variable{Kind: reflect.Slice, Len: 3, Unloaded: 3, Expr: "v"}
		if _, err := r.Read(t.Context(), "v", v, r.mustResolve(t, "[]int")); !errors.Is(err, gone) {
			t.Errorf("%v; want %v", err, gone)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := reader(t, target{})
	if _, err := r.Read(ctx, "v", integer("n", "1"), types.Typ[types.Int]); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPagesAndBytes(t *testing.T) {
	var elems []debugger.Variable
	for i := range 3000 {
		elems = append(elems, integer(fmt.Sprintf("[%d]", i), fmt.Sprint(i)))
	}
	g := target{children: map[string][]debugger.Variable{"v": elems}, values: map[string]debugger.Variable{
		"(s)[0:6]": {Value: "a\ufffdb\ufffd"}, "(s)[1]": {Value: "255"}, "(s)[3]": {Value: "239"}, "(s)[4]": {Value: "191"}, "(s)[5]": {Value: "189"},
	}}
	r := reader(t, g)
	got, err := r.Read(t.Context(), "v", debugger.Variable{Kind: reflect.Slice, Expr: "v", Len: 3000, Unloaded: 3000 - 64, Children: elems[:64]}, r.mustResolve(t, "[]int"))
	if err != nil || len(got.Elems) != 3000 || got.Elems[2999].Text != "2999" {
		t.Error(len(got.Elems), err)
	}
	text, err := r.Read(t.Context(), "s", debugger.Variable{Kind: reflect.String, Expr: "s", Len: 6, Value: "a\ufffdb\ufffd"}, types.Typ[types.String])
	if err != nil || text.Text != "\"a\\xffb\ufffd\"" {
		t.Errorf("%+v %v", text, err)
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"plain": `"plain"`, "one\n": `"one\n"`, "a\nb\n": "`a\nb\n`", `C:\dir\x`: "`C:\\dir\\x`", "a`b\nc": "\"a`b\\nc\"", "a \nb": `"a \nb"`, "\xff\n\n": `"\xff\n\n"`, "\t": `"\t"`,
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
