package output

import (
	"fmt"
	"slices"
	"testing"
)

func TestFindLooksThroughAllThatIsKept(t *testing.T) {
	b := New(1<<20, nil)
	for i := range 100_000 {
		fmt.Fprintf(b, "Line %d of the output\n", i)
	}
	kept := b.View(0, 1<<20).Rows
	if len(kept) >= 100_000 {
		t.Fatal("nothing was lost")
	}
	rows, next := b.Find("line 99", 0, 10)
	if next != 100_000 || len(rows) != 10 || rows[9] != "Line 99999 of the output" {
		t.Errorf("%d, %q", next, rows)
	}
	for _, row := range []string{kept[0], kept[3000], kept[len(kept)/2]} {
		if rows, _ := b.Find(row, 0, 10); !slices.Contains(rows, row) {
			t.Errorf("%q is not found", row)
		}
	}
	fmt.Fprint(b, "line 99 again\nunfinished line 99")
	if rows, _ := b.Find("line 99", next, 10); len(rows) != 1 || rows[0] != "line 99 again" {
		t.Errorf("what is new: %q", rows)
	}
}

func BenchmarkFind(b *testing.B) {
	buffer := New(0, nil)
	for i := range 400_000 {
		fmt.Fprintf(buffer, "line %d of the output\n", i)
	}
	for b.Loop() {
		buffer.Find("nowhere", 0, 2000)
	}
}
