// Package suite has tests that panic.
package suite

import (
	"fmt"
	"testing"
)

type record struct {
	Name string
	ids  map[part]int
}

type part struct{ A, B int }

func (r record) Error() string { return fmt.Sprintf("record %s with %d", r.Name, len(r.ids)) }

func lookUp(list []string, i int) string { return list[i] }

func TestIndex(t *testing.T) {
	if lookUp(nil, 3) != "" {
		t.Error("found")
	}
}

func TestBelow(t *testing.T) {
	t.Run("sub", func(t *testing.T) { lookUp([]string{"a"}, 1) })
}

func TestValue(t *testing.T) {
	err := record{Name: "first", ids: map[part]int{{1, 2}: 3}}
	panic(err)
}

func TestStruct(t *testing.T) {
	panic(part{1, 2})
}
