package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

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
