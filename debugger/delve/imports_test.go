package delve

import (
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"testing"

	"github.com/go-delve/delve/service/api"
)

// Only names of packages' variables get paths: Delve takes no type by one.
func TestQualifiers(t *testing.T) {
	for expr, want := range map[string][]string{
		"io.EOF == err":                      {"io"},
		"r.(*strings.Reader).s":              nil,
		"*(*strings.Reader)(r.(data))":       nil,
		"http.Header(v.(data))":              nil,
		"[]http.Header(x)[i.n]":              {"i"},
		"map[io.Reader]http.Header(x)":       nil,
		"os.Stdout.Write(config.Text)":       {"config", "os"},
		"x.(interface{ Code() int }).Code()": nil,
		"template.HTMLEscape(flag.Args)":     {"flag"},
	} {
		parsed, err := parser.ParseExpr(expr)
		if err != nil {
			t.Fatal(err)
		}
		found, _ := qualifiersOf(parsed)
		var names []string
		for _, id := range found {
			names = append(names, id.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", expr, names, want)
		}
	}
	if _, types := qualifiersOf(&ast.Ident{Name: "x"}); types {
		t.Error("a name alone names no type")
	}
}

// What a conversion makes has no address, and is not nil.
func TestConvertedSliceIsNotNil(t *testing.T) {
	v := &api.Variable{Kind: reflect.Slice, Type: "[]uint8", Len: 3, Cap: 3, Children: []api.Variable{{Kind: reflect.Uint8, Value: "97"}, {Kind: reflect.Uint8, Value: "98"}, {Kind: reflect.Uint8, Value: "99"}}}
	if got := convert(v, "", "[]byte(s)"); got.Nil || len(got.Children) != 3 {
		t.Errorf("%+v", got)
	}
	if !isNil(&api.Variable{Kind: reflect.Slice}) {
		t.Error("a slice without anything is nil")
	}
}
