package workspace

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"
)

func TestCallsThroughGenericInterfaces(t *testing.T) {
	code, x := loadText(t, `package main

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
`)
	var got []string
	ast.Inspect(code.Packages[0].Syntax[0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			for _, fn := range x.Callees(code.Packages[0].TypesInfo, call) {
				got = append(got, types.TypeString(fn.Object.Signature().Recv().Type(), func(*types.Package) string { return "" }))
			}
		}
		return true
	})
	if got, want := strings.Join(got, " "), "*cached[K, V] numbers"; got != want {
		t.Errorf("Find may be that of %s, want %s", got, want)
	}
}
