package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
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

// A breakpoint that an earlier session has left is what is asked for at its place: scripts
// set theirs each time. The second time in a session, that is a mistake.
func TestAskedForAgain(t *testing.T) {
	t.Parallel()
	dir := module(t, counting)
	store := kept(t, dir, debugger.Breakpoint{Location: "main.main"}, debugger.Breakpoint{File: "main.go", Line: 14, Text: "c.count += n", Cond: "n == 400", Disabled: true})
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Stores: options.Stores{Breakpoints: store}})
	stoppedAt(p, "main", func(s debugger.Stop) bool { return s.Breakpoint != nil })
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "main.go:14", Cond: "n == 4"}})
	p.until("it is as asked", func(s session.State) bool {
		return len(s.Breakpoints) == 2 && s.Breakpoints[1].Cond == "n == 4" && !s.Breakpoints[1].Disabled
	})
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "main.go:14"}})
	p.until("it is refused", func(s session.State) bool {
		return len(s.Notices) > 0 && strings.Contains(s.Notices[len(s.Notices)-1].Text, "there is a breakpoint already")
	})
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stoppedAt(p, "the condition", func(s debugger.Stop) bool { return s.Breakpoint != nil && s.Breakpoint.ID == 2 })
}
