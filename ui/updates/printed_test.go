package updates

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger/output"
)

// TestPrintedIsAsTheBufferWas: the same rows as the buffer gave, and no later ones.
func TestPrintedIsAsTheBufferWas(t *testing.T) {
	b := output.New(0, nil)
	for i := range 3 * tailRows {
		fmt.Fprintln(b, "row", i)
	}
	fmt.Fprint(b, "half a row")
	p := ReadPrinted(b, nil)
	if ReadPrinted(b, p) != p {
		t.Error("it is read again though nothing was printed")
	}
	type window struct{ start, n int }
	windows := []window{{-1, 1}, {-1, 40}, {-1, 2 * tailRows}, {0, 10}, {3*tailRows - 5, 50}, {1 << 20, 5}, {2*tailRows + 1, 1}, {2*tailRows - 3, 9}}
	want := map[window]output.View{}
	for _, w := range windows {
		want[w] = b.View(w.start, w.n)
		if got := p.View(w.start, w.n); len(got.Rows)+len(want[w].Rows) > 0 && !reflect.DeepEqual(got, want[w]) {
			t.Errorf("%+v: %+v, want %+v", w, got, want[w])
		}
	}
	fmt.Fprintln(b, " and the rest")
	if got := p.View(-1, 40); !reflect.DeepEqual(got, want[window{-1, 40}]) || p.Version() == b.Version() {
		t.Errorf("later on: %+v", got)
	}
	if next := ReadPrinted(b, p); next == p || !strings.HasSuffix(next.View(-1, 1).Rows[0], "and the rest") {
		t.Error("what was printed since is not read")
	}
	if ReadPrinted(nil, p) != nil {
		t.Error("of no buffer")
	}
}
