package debugger

import (
	"strings"
	"testing"
)

// stack makes frames of function names; those of package main are the user's.
func stack(names string) []Frame {
	var frames []Frame
	for i, name := range strings.Fields(names) {
		frames = append(frames, Frame{Index: i, Function: name, User: strings.HasPrefix(name, "main."),
			Runtime: strings.HasPrefix(name, "runtime.") || name == "panic"})
	}
	return frames
}

func TestCulprit(t *testing.T) {
	index := Panic{Class: IndexOutOfRange, Message: "runtime error: index out of range [1] with length 0"}
	recovered := index
	recovered.Recovered = true
	nilMap := Panic{Class: NilMapWrite, Message: "assignment to entry in nil map"}
	overflow := Panic{Class: StackOverflow, Message: "stack overflow"}
	wrap := Panic{Class: CustomError, Message: "load: failed"}
	for name, test := range map[string]struct {
		frames string
		panics []Panic
		want   string
	}{
		"plain":                     {"runtime.fatalpanic runtime.gopanic runtime.panicIndex main.f main.main", []Panic{index}, "main.f"},
		"printed":                   {"main.f main.main", []Panic{index}, "main.f"},
		"in a library":              {"runtime.fatalpanic runtime.gopanic strings.Repeat main.f main.main", []Panic{wrap}, "main.f"},
		"go test":                   {"runtime.fatalpanic runtime.gopanic testing.tRunner.func1.2 testing.tRunner.func1 runtime.gopanic runtime.panicIndex main.f main.TestF testing.tRunner", []Panic{recovered}, "main.f"},
		"go test, printed":          {"testing.tRunner.func1.2 testing.tRunner.func1 panic main.f main.TestF testing.tRunner", []Panic{recovered}, "main.f"},
		"same value again":          {"runtime.fatalpanic runtime.gopanic main.g.func1 runtime.gopanic main.f main.main", []Panic{recovered}, "main.f"},
		"wrapped after recover":     {"runtime.fatalpanic runtime.gopanic main.g.func1 runtime.gopanic runtime.panicIndex main.f main.main", []Panic{recovered, wrap}, "main.f"},
		"wrapped, printed":          {"main.g.func1 panic main.f main.main", []Panic{recovered, wrap}, "main.f"},
		"another in a defer":        {"runtime.fatalpanic runtime.gopanic main.g.func1 runtime.gopanic main.f main.main", []Panic{index, nilMap}, "main.g.func1"},
		"another, printed":          {"main.g.func1 panic main.f main.main", []Panic{index, nilMap}, "main.g.func1"},
		"another after recover":     {"runtime.fatalpanic runtime.gopanic main.g.func1 runtime.gopanic main.f main.main", []Panic{recovered, nilMap}, "main.g.func1"},
		"no user's":                 {"runtime.fatalpanic runtime.gopanic lib.f runtime.main", []Panic{index}, ""},
		"overflow in a helper":      {"runtime.throw runtime.newstack runtime.morestack main.key lib.f main.walk lib.each main.walk lib.each main.walk main.main", []Panic{overflow}, "main.walk"},
		"overflow, two of them":     {"runtime.morestack main.indent main.indent main.b main.a main.a main.b main.a main.a main.b main.a main.a main.main", []Panic{overflow}, "main.b"},
		"overflow in the recursion": {"runtime.morestack main.walk main.walk main.main", []Panic{overflow}, "main.walk"},
		"overflow, a literal":       {"runtime.morestack strings.Repeat main.walk.func1 main.walk main.walk.func1 main.walk main.main", []Panic{overflow}, "main.walk.func1"},
		"overflow, once":            {"runtime.morestack lib.f lib.f main.f main.main", []Panic{overflow}, "main.f"},
		"fatal, no gopanic":         {"runtime.fatal runtime.mapassign main.f main.main", []Panic{index}, "main.f"},
		"test, wrapped, then again": {"runtime.fatalpanic runtime.gopanic testing.tRunner.func1 runtime.gopanic main.g.func1 runtime.gopanic main.f main.TestF", []Panic{recovered, wrap}, "main.f"},
	} {
		frames := stack(test.frames)
		last := len(test.panics) - 1
		newest := test.panics[last]
		newest.Chain, newest.Culprit = test.panics[:last], Culprit(frames, test.panics, func(f Frame) bool { return f.User })
		blamed := newest.Message
		if last > 0 && strings.Contains(name, "wrapped") {
			blamed = index.Message
		}
		if p := Blamed(frames, newest); p.Message != blamed || p.Culprit != newest.Culprit {
			t.Errorf("%s: %q is blamed, want %q", name, p.Message, blamed)
		}
		got := ""
		if i := Culprit(frames, test.panics, func(f Frame) bool { return f.User }); i >= 0 {
			got = frames[i].Function
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestARecursionIsItsFunctions(t *testing.T) {
	stack := func(names ...string) (frames []Frame) {
		for range 4 {
			for _, n := range names {
				frames = append(frames, Frame{Function: n, User: true})
			}
		}
		return append(frames, Frame{Function: "main.main", User: true})
	}
	own := func(f Frame) bool { return f.User }
	visit := Recurring(append([]Frame{{Function: "main.name", User: true}}, stack("main.(*T[go.shape.[]int]).visit", "main.walk")...), own)
	if len(visit) != 2 || !visit["main.(*T).visit"] || !visit["main.walk"] {
		t.Errorf("recurring: %v", visit)
	}
	for name, want := range map[string]bool{"main.walk": true, "main.(*T[...]).visit": true, "main.name": false, "main.main": false} {
		if got := SameRecursion(visit, Recurring(stack(name), own)); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
