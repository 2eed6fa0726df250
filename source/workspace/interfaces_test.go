package workspace

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestCallsThroughGenericInterfaces(t *testing.T) {
	dir := t.TempDir()
	testsupport.Files(t, dir, map[string]string{"go.mod": "module generic\n\ngo 1.24\n", "main.go": `package main

type finder[K comparable, V any] interface {
	Find(k K) (V, error)
	All() map[K][]V
}

type cached[K comparable, V any] struct{ m map[K]V }

func (c *cached[K, V]) Find(k K) (V, error) { return c.m[k], nil }
func (c *cached[K, V]) All() map[K][]V { return nil }

type numbers struct{}

func (numbers) Find(k string) (*int, error) { return nil, nil }
func (numbers) All() map[string][]*int { return nil }

type half struct{}

func (half) Find(k string) (*int, error) { return nil, nil }

type other struct{}

func (other) Find(k string) *int { return nil }
func (other) All() map[string][]*int { return nil }

func main() {
	var f finder[string, *int] = numbers{}
	f.Find("")
	_, _, _ = cached[int, int]{}, half{}, other{}
}
`})
	w, err := Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := w.Load(t.Context(), LoadSpec{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	ast.Inspect(code.Packages[0].Syntax[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, fn := range code.Index().Callees(code.Packages[0].TypesInfo, call) {
				got = append(got, types.TypeString(fn.Object.Signature().Recv().Type(), func(*types.Package) string { return "" }))
			}
		}
		return true
	})
	if got, want := strings.Join(got, " "), "*cached[K, V] numbers"; got != want {
		t.Errorf("Find may be that of %s, want %s", got, want)
	}
}
