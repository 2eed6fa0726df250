package workspace

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

const indexed = `package main

type conn interface{ Close() }

type store struct {
	names map[string]int
	link  conn
}

func open() *store { return &store{names: map[string]int{}} } // made

func empty() *store { return new(store) }

func (s *store) Close() {
	s.names = nil // dropped
}

func (s *store) put(k string) {
	s.names[k]++ // element
	local := s.names
	local[k] = 2
	_ = local
}

type noop struct{}

func (noop) Close() {}

var shared = store{nil, noop{}} // positional

func shut(c conn) { c.Close() } // through

func main() {
	s := open()
	s.put("a")
	shut(s)
	empty().Close()
	delete(shared.names, "x")
}
`

func loadIndexed(t *testing.T) (*Code, *Index) { return loadText(t, indexed) }

// loadText loads a program of one file.
func loadText(t *testing.T, text string) (*Code, *Index) {
	dir := t.TempDir()
	testsupport.Files(t, dir, map[string]string{"go.mod": "module indexed\n\ngo 1.24\n", "main.go": text})
	w, err := Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.Load(t.Context(), LoadSpec{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	return code, code.Index()
}

// lines are the numbers of the lines that uses are on, with their kinds.
func lines(x *Index, list []Use) string {
	var out []string
	for _, u := range list {
		_, line := x.At(u)
		out = append(out, fmt.Sprintf("%d:%d", line, u.Kind))
	}
	return strings.Join(out, " ")
}

func lineOfMark(mark string) int {
	return 1 + strings.Count(indexed[:strings.Index(indexed, mark)], "\n")
}

func TestIndexKnowsWhoWritesAField(t *testing.T) {
	code, x := loadIndexed(t)
	scope := code.Packages[0].Types.Scope()
	names := scope.Lookup("store").Type().Underlying().(*types.Struct).Field(0)
	want := fmt.Sprintf("%d:%d %d:%d %d:%d", lineOfMark("// made"), Write, lineOfMark("// dropped"), Write, lineOfMark("// positional"), Write)
	if got := lines(x, x.Writes(names)); got != want {
		t.Errorf("writers of names: %s, want %s", got, want)
	}
	elements := slices.DeleteFunc(slices.Clone(x.Uses(names)), func(u Use) bool { return u.Kind != Element })
	want = fmt.Sprintf("%d:%d %d:%d", lineOfMark("// element"), Element, lineOfMark("delete("), Element)
	if got := lines(x, elements); got != want {
		t.Errorf("what changes elements of names: %s, want %s", got, want)
	}
	if got := len(x.Makes(scope.Lookup("store").(*types.TypeName))); got != 3 {
		t.Errorf("%d places make a store, want 3", got)
	}
}

func TestIndexKnowsUsesOfALocalVariable(t *testing.T) {
	code, x := loadIndexed(t)
	put, _ := code.FuncAt(code.Packages[0].GoFiles[0], lineOfMark("// element"))
	var local types.Object
	for id, o := range put.Package.TypesInfo.Defs {
		if id.Name == "local" {
			local = o
		}
	}
	at := lineOfMark("local := ")
	want := fmt.Sprintf("%d:%d %d:%d %d:%d", at, Write, at+1, Element, at+2, Read)
	if got := lines(x, x.Uses(local)); got != want {
		t.Errorf("uses of local: %s, want %s", got, want)
	}
}

func TestIndexResolvesCallsThroughInterfaces(t *testing.T) {
	code, x := loadIndexed(t)
	scope := code.Packages[0].Types.Scope()
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(scope.Lookup("store").Type()), true, code.Packages[0].Types, "Close")
	calls := x.Calls(method.(*types.Func))
	want := fmt.Sprintf("%d:%d %d:%d", lineOfMark("empty().Close"), Call, lineOfMark("// through"), Call)
	if got := lines(x, calls); got != want {
		t.Errorf("calls of Close: %s, want %s", got, want)
	}
	shut, _ := code.FuncAt(code.Packages[0].GoFiles[0], lineOfMark("// through"))
	for _, u := range x.Uses(shut.Object) {
		if got := x.Callees(u.In.Package.TypesInfo, u.Node.(*ast.CallExpr)); len(got) != 1 || got[0].Object != shut.Object {
			t.Errorf("shut resolves to %v", got)
		}
	}
	for _, u := range calls[1:] {
		if got := x.Callees(u.In.Package.TypesInfo, u.Node.(*ast.CallExpr)); len(got) != 2 {
			t.Errorf("c.Close() may lead to %d functions, want those of store and noop", len(got))
		}
	}
}
