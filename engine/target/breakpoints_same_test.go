package target

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestSamePlace(t *testing.T) {
	at := debugger.Breakpoint{File: "a.go", Line: 3}
	deep := debugger.Breakpoint{File: "/m/cmd/a.go", Line: 3}
	named := debugger.Breakpoint{Location: "main.find", File: "a.go", Line: 9}
	for _, tc := range []struct {
		a, b debugger.Breakpoint
		want bool
	}{
		{at, at, true},
		{named, debugger.Breakpoint{Location: "main.find"}, true},
		{named, debugger.Breakpoint{Location: "main.find", OnReturn: true}, false},
		{named, debugger.Breakpoint{Location: "main.other"}, false},
		{at, debugger.Breakpoint{File: "a.go", Line: 4}, false},
		{deep, debugger.Breakpoint{Location: "a.go:3"}, true},
		{deep, debugger.Breakpoint{Location: "cmd/a.go:3"}, true},
		{deep, debugger.Breakpoint{Location: "/m/cmd/a.go:3"}, true},
		{deep, debugger.Breakpoint{Location: "a.go:33"}, false},
		{deep, debugger.Breakpoint{Location: "d/a.go:3"}, false},
		{deep, debugger.Breakpoint{Location: ":3"}, false},
		{debugger.Breakpoint{Watch: "x"}, debugger.Breakpoint{}, false},
	} {
		if got := samePlace(tc.a, tc.b); got != tc.want {
			t.Errorf("%+v, %+v: %t", tc.a, tc.b, got)
		}
	}
}

func TestMayBeSamePlace(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"main.parse", "parse", true},
		{"example.com/m/lex.parse", "lex.parse", true},
		{"main.reparse", "parse", false},
		{"main.parse", "main.parse", true},
		{"main.parse", "", false},
		{"", "parse", false},
	} {
		if got := mayBeSamePlace(debugger.Breakpoint{Location: tc.a}, debugger.Breakpoint{Location: tc.b}); got != tc.want {
			t.Errorf("%q, %q: %t", tc.a, tc.b, got)
		}
	}
}
