package effect_test

import (
	"go/format"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

func TestMarksKeepLinesAndParse(t *testing.T) {
	after := changed(t, file, "\t\tm[k] = x.v\n", "\t\tif m != nil {\n\t\t\tm[k] = x.v\n\t\t}\n", "\ttotal := 0\n", "\tif x == nil {\n\t\treturn 0, nil\n\t}\n\ttotal := 0\n")
	changes := []effect.Change{{Change: syntax.Change{File: "p.go", Before: file, After: after}, Line: faulting}}
	m := effect.Mark(changes, effect.Compare(changes), func(string) string { return "/src/p.go" })
	text := m.Overlay["/src/p.go"]
	for _, want := range []string{"pausetuiMark(2, false); ", "pausetuiMark(0, false); return 0, nil", "} else { pausetuiMark(1, false) }"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != strings.Count(after, "\n") {
		t.Errorf("lines moved:\n%s", text)
	}
	for path, text := range m.Overlay {
		if _, err := format.Source([]byte(text)); err != nil {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
	}
}

func TestAlways(t *testing.T) {
	m := effect.Marked{Points: []effect.Point{{Function: "f", Exit: true}, {Function: "g", Exit: true}}, Functions: []string{"f", "g"}}
	counts := map[int]uint64{instrument.Last: 1, 0: 3, 1: 1, 2: 3, 3: 2}
	r := m.Read(func(point int) uint64 { return counts[point] })
	if m.Always(r) != "f" || r.Last != 0 {
		t.Errorf("%+v: %q", r, m.Always(r))
	}
}
