// Package suite has tests that panic.
package suite

import "testing"

func lookUp(list []string, i int) string { return list[i] }

func TestIndex(t *testing.T) {
	if lookUp(nil, 3) != "" {
		t.Error("found")
	}
}

func TestBelow(t *testing.T) {
	t.Run("sub", func(t *testing.T) { lookUp([]string{"a"}, 1) })
}
