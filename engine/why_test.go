package engine

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

// What a failing test compares is asked for in the frame that compares it.
func TestBadValue(t *testing.T) {
	t.Parallel()
	compared := func(names ...string) (list []debugger.Variable) {
		for _, name := range names {
			list = append(list, debugger.Variable{Name: name})
		}
		return list
	}
	state := append(compared("StateClosed"), debugger.Variable{Name: "cb.state", Addr: 0xc000})
	for name, c := range map[string]struct {
		diagnosis *evidence.Diagnosis
		test      *debugger.FailingTest
		frame     int
		expr      string
	}{
		"a panic's":               {&evidence.Diagnosis{Expr: "p.next"}, nil, 5, "p.next"},
		"nothing known":           {nil, nil, 5, ""},
		"the test's own":          {nil, &debugger.FailingTest{Compared: compared("len(got)", "got.n", "want"), Frames: []int{5, 5, 5}}, 5, "got.n"},
		"only its helper's":       {nil, &debugger.FailingTest{Compared: compared("a", "b"), Frames: []int{3, 3}}, 3, "a"},
		"its own, not a helper's": {nil, &debugger.FailingTest{Compared: compared("a", "b", "got"), Frames: []int{3, 3, 5}}, 5, "got"},
		"an element":              {nil, &debugger.FailingTest{Compared: compared("len(got)", "got[i]", "want[i]"), Frames: []int{5, 5, 5}}, 5, "got[i]"},
		"no constant":             {nil, &debugger.FailingTest{Compared: state, Frames: []int{5, 5}}, 5, "cb.state"},
		"a log of before":         {nil, &debugger.FailingTest{Compared: compared("a")}, 5, "a"},
	} {
		rec := session.StopRecord{Stop: debugger.Stop{Panic: &debugger.Panic{Culprit: 5}, Test: c.test}, Diagnosis: c.diagnosis}
		if frame, expr := badValue(rec); frame != c.frame || expr != c.expr {
			t.Errorf("%s: %q in frame %d", name, expr, frame)
		}
	}
}
