package pane

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestBreakpointsAreDescribed(t *testing.T) {
	at := debugger.Breakpoint{ID: 3, File: "/src/app/main.go", Line: 7}
	with := func(change func(*debugger.Breakpoint)) debugger.Breakpoint {
		b := at
		change(&b)
		return b
	}
	for _, c := range []struct {
		name string
		b    debugger.Breakpoint
		sign string
		want string
	}{
		{"a line", at, signOn, "breakpoint 3 main.go:7"},
		{"a condition", with(func(b *debugger.Breakpoint) { b.Cond, b.HitCond = "n > 2", "> 5" }), signConditional, "breakpoint 3 main.go:7 if n > 2 hits > 5"},
		{"hits of each", with(func(b *debugger.Breakpoint) { b.HitCond, b.HitCondPerG = "> 3", true }), signConditional, "breakpoint 3 main.go:7 hits of a goroutine > 3"},
		{"off", with(func(b *debugger.Breakpoint) { b.Disabled, b.Cond = true, "x" }), signOff, "breakpoint 3 main.go:7 if x, off"},
		{"moved", with(func(b *debugger.Breakpoint) { b.Place, b.Was = debugger.PlaceMoved, 5 }), signMoved, "breakpoint 3 main.go:7, moved from line 5"},
		{"lost, and off", with(func(b *debugger.Breakpoint) { b.Place, b.Why, b.Disabled = debugger.PlaceLost, "no such line", true }), signLost, "breakpoint 3 main.go:7, lost: no such line"},
		{"a function", with(func(b *debugger.Breakpoint) { b.Location, b.Function, b.Places = "main.work", "main.work", 1 }), signOn, "breakpoint 3 work  main.go:7"},
		{"several places", with(func(b *debugger.Breakpoint) { b.Location, b.Places = "/work/", 4 }), signOn, "breakpoint 3 /work/, 4 places"},
		{"returns", with(func(b *debugger.Breakpoint) { b.OnReturn, b.Trace, b.Function, b.Places = true, true, "main.work", 1 }), signTrace, "tracepoint 3 returns of work"},
		{"errors", with(func(b *debugger.Breakpoint) { b.OnError, b.Location = true, "/work/" }), signConditional, "breakpoint 3 errors of main.go:7"},
		{"a watchpoint", debugger.Breakpoint{ID: 4, Watch: "s.total"}, signWatch, "watchpoint 4 s.total"},
	} {
		if got, sign := breakpointWords(c.b), BreakpointSign(c.b); got != c.want || sign != c.sign {
			t.Errorf("%s: %s %q, want %s %q", c.name, sign, got, c.sign, c.want)
		}
	}
}

func TestEndsOfAProcessAreDescribed(t *testing.T) {
	for want, e := range map[string]debugger.Exit{"exit 0": {}, "exit 3": {Code: 3}, "killed by SIGKILL": {Code: -1, Signal: "SIGKILL"}} {
		if got := ExitWords(e); got != want {
			t.Errorf("%+v: %q", e, got)
		}
	}
}

func TestAFrameFitsItsWidth(t *testing.T) {
	const method = "example.org/app/syntax.(*Parser).next"
	for _, c := range []struct {
		place    string
		w        int
		bare     bool
		function string
		at       string
	}{
		{"parse.go:42", 40, false, "syntax.(*Parser).next", "parse.go:42"},
		{"parse.go:42", 40, true, "Parser.next", "parse.go:42"},
		{"parse.go:42", 30, false, "Parser.next", "parse.go:42"},
		{"parse.go:42", 18, false, "next", "parse.go:42"},
		{"parse.go:42", 12, false, "next", ":42"},
		{"", 8, false, "next", ""},
	} {
		if function, at := fitFrame(method, c.place, c.w, c.bare); function != c.function || at != c.at {
			t.Errorf("in %d cells, bare %v: %q %q, want %q %q", c.w, c.bare, function, at, c.function, c.at)
		}
	}
}
