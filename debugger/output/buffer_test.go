package output

import (
	"fmt"
	"strings"
	"testing"
)

func TestLinesEndLikeThoseOfARawTerminal(t *testing.T) {
	b := New(0, nil)
	if _, err := b.Write([]byte("Caught panic:\r\r\n10 %\r20 %\r\n")); err != nil {
		t.Fatal(err)
	}
	if rows := b.View(0, 5).Rows; len(rows) != 2 || rows[0] != "Caught panic:" || rows[1] != "20 %" {
		t.Errorf("the rows are %q", rows)
	}
}

func TestBufferKeepsHeadAndTail(t *testing.T) {
	b := New(256<<10, nil)
	const lines = 200_000
	for i := range lines {
		fmt.Fprintf(b, "line %d\n", i)
	}
	v := b.View(0, 2)
	if v.Rows[0] != "line 0" || v.Rows[1] != "line 1" {
		t.Errorf("head = %q", v.Rows)
	}
	end := b.View(-1, 3)
	if got := end.Rows[2]; got != fmt.Sprintf("line %d", lines-1) {
		t.Errorf("last row = %q", got)
	}
	if end.Dropped == 0 || end.Dropped+int64(end.Total) != lines {
		t.Errorf("dropped %d + kept %d, want %d together", end.Dropped, end.Total, lines)
	}
	after := b.View(end.Gap, 1).Rows[0]
	if want := fmt.Sprintf("line %d", int64(end.Gap)+end.Dropped); after != want {
		t.Errorf("first row after the gap = %q, want %q", after, want)
	}
	if b.size > b.limit+2*chunkBytes {
		t.Errorf("tail holds %d bytes, limit %d", b.size, b.limit)
	}
}

func TestBufferOpenRowAndCarriageReturns(t *testing.T) {
	b := New(0, nil)
	b.Write([]byte("one\r\n10%\r20%\r30%\nprompt> "))
	got := b.View(0, 10).Rows
	want := []string{"one", "30%", "prompt> "}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("rows = %q, want %q", got, want)
	}
}

func TestBufferCutsEndlessLines(t *testing.T) {
	b := New(0, nil)
	b.Write([]byte(strings.Repeat("x", 3*maxLineBytes+5)))
	v := b.View(0, 10)
	if v.Total != 4 || len(v.Rows[3]) != 5 {
		t.Errorf("total %d, last %d bytes; want 4 rows, the last of 5 bytes", v.Total, len(v.Rows[len(v.Rows)-1]))
	}
}
