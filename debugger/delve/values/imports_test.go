package values

import (
	"go/ast"
	"go/parser"
	"slices"
	"testing"
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
