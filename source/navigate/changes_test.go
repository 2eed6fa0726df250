package navigate

import (
	"reflect"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          map[int]Mark
	}{
		{"a\nb\nc\n", "a\nb\nc\n", map[int]Mark{}},
		{"a\nb\nc\n", "a\nx\nb\nc\n", map[int]Mark{2: Added}},
		{"a\nb\nc\n", "a\nx\nc\n", map[int]Mark{2: Changed}},
		{"a\nb\nc\n", "a\nx\ny\nc\n", map[int]Mark{2: Changed, 3: Added}},
		{"a\nb\nc\n", "a\nc\n", map[int]Mark{2: Removed}},
		{"a\nb\nc\n", "a\nb\n", map[int]Mark{2: Removed}},
		{"a\nb\nc\n", "b\nc\n", map[int]Mark{1: Removed}},
		{"a\nb\nc\nd\n", "a\nx\nd\n", map[int]Mark{2: Changed}},
		{"", "a\nb\n", map[int]Mark{1: Added, 2: Added}},
		{"a\r\nb\r\n", "a\r\nb\r\nc\r\n", map[int]Mark{3: Added}},
	} {
		if got := Changes(c.before, c.after); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q → %q: %v, want %v", c.before, c.after, got, c.want)
		}
	}
}

func TestOrigins(t *testing.T) {
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"
	after := "1\n2\nx\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n16\n17\ny\n19\n20\n"
	want := []int{0, 1, 2, 0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 0, 19, 20}
	if got := origins(before, after); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := origins("", ""); !slices.Equal(got, []int{0}) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestWritten(t *testing.T) {
	e := patch.Edit{Before: "a\nb\nc\n", After: "a\nnew\nb\nother\n"}
	if got := Written(e, "first\na\nnew\nb\nother\nlast\n"); !slices.Equal(got, []int{3, 5}) {
		t.Errorf("got %v", got)
	}
	if got := Written(e, "a\nb\nc\n"); len(got) > 0 {
		t.Errorf("after an undo: %v", got)
	}
}
