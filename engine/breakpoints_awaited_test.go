package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
)

// twins has two functions that are called list.Run.
const twins = `
-- go.mod --
module example.org/twins

go 1.26
-- main.go --
package main

import (
	a "example.org/twins/a/list"
	b "example.org/twins/b/list"
)

func main() {
	a.Run("a")
	b.Run("b")
}
-- a/list/list.go --
package list

func Run(name string) { println("first", name) }
-- b/list/list.go --
package list

func Run(name string) { println("second", name) }
`

func stopsIn(function string) func(debugger.Stop) bool {
	return func(s debugger.Stop) bool {
		f, ok := s.SelectedFrame()
		return ok && f.Function == function
	}
}

// A session can begin with breakpoints, at the entry too; they are its own.
func TestBreakpointsFromTheStart(t *testing.T) {
	t.Parallel()
	dir, store := module(t, twins), userstate.Open(t.TempDir()).Breakpoints()
	p := play(t, options.Session{Target: options.Target{Dir: dir, Break: []string{"main.main", "example.org/twins/b/list.Run if name == \"b\""}}, Stores: options.Stores{Breakpoints: store}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stoppedAt(p, "the second", stopsIn("example.org/twins/b/list.Run"))
	p.quit()
	if list, err := store.Load(dir); err != nil || len(list) != 0 {
		t.Errorf("kept for later: %+v, %v", list, err)
	}
}

// Where a breakpoint that the session begins with cannot be set, the target is
// held before it could be missed, and what may be meant is offered.
func TestAmbiguousBreakpointFromTheStart(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, twins), Break: []string{"list.Run"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	first, second := "example.org/twins/a/list.Run", "example.org/twins/b/list.Run"
	var offered *session.Notice
	held := false
	for _, e := range p.events {
		n, ok := e.Body.(*session.Notice)
		if ok && len(n.Candidates) > 0 {
			offered = n
		}
		held = held || ok && strings.HasPrefix(n.Text, "held at main.main: breakpoint 1 (list.Run) could not be set: break at \"list.Run\": 2 places are called list.Run")
	}
	if !held {
		t.Error("where it is held, nothing says which breakpoint could not be set, and why")
	}
	if offered == nil || strings.Join(offered.Candidates, " ") != first+" "+second {
		t.Fatalf("offered: %+v", offered)
	}
	p.say("bp", "pending: ", first, second)

	a := p.say("break list.Run if name != \"\"", "2 places are called list.Run")
	var lines []string
	for _, l := range a.Lines {
		if l.Run != "" {
			lines = append(lines, l.Run)
		}
	}
	if len(lines) != 2 || lines[1] != "break "+second+" if name != \"\"" {
		t.Fatalf("to choose from: %q", lines)
	}
	p.say(lines[1], "breakpoint 2 set")

	b := *offered.Offer
	b.Location = first
	p.engine.Do(intent.AmendBreakpoint{Breakpoint: b})
	p.until("it is set", func(s session.State) bool { return s.Breakpoints[0].Place == "" })
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stoppedAt(p, "the first", stopsIn(first))
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stoppedAt(p, "the second", stopsIn(second))
}

// What the person says of paths holds for breakpoints and frames alike, also
// after a restart.
// One that was set before the program was built, and that several places answer to, is not kept.
func TestAmbiguousBreakpointIsNotKept(t *testing.T) {
	t.Parallel()
	dir, store := module(t, twins), userstate.Open(t.TempDir()).Breakpoints()
	gate := make(chan struct{})
	p := play(t, options.Session{Target: options.Target{Dir: dir, Gate: gate}, Stores: options.Stores{Breakpoints: store}})
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "list.Run"}})
	p.until("it waits", func(s session.State) bool {
		return len(s.Breakpoints) == 1 && s.Breakpoints[0].Why == target.LookedUpLater
	})
	close(gate)
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.quit()
	if list, err := store.Load(dir); err != nil || len(list) != 0 {
		t.Errorf("kept for later: %+v, %v", list, err)
	}
}

func TestSubstitutedPaths(t *testing.T) {
	t.Parallel()
	dir := module(t, twins)
	elsewhere := filepath.Join(dir, "moved")
	p := play(t, options.Session{Target: options.Target{Dir: dir, Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	for range 2 {
		p.say("config substitute-path " + filepath.Join(dir, "b") + " " + elsewhere)
		p.say("break "+filepath.Join(elsewhere, "list", "list.go")+":3", "set: example.org/twins/b/list.Run")
		p.engine.Do(intent.Run{Motion: debugger.Continue})
		stop := stoppedAt(p, "the second", stopsIn("example.org/twins/b/list.Run"))
		if f, _ := stop.SelectedFrame(); f.File != filepath.Join(elsewhere, "list", "list.go") {
			t.Errorf("stopped in %s", f.File)
		}
		p.say("clearall")
		p.say("break main.main", "set")
		p.engine.Do(intent.Restart{})
		stoppedAt(p, "the entry", stopsIn("main.main"))
	}
}

// How much of a value is written out is the person's to say.
func TestWrittenExtent(t *testing.T) {
	p, _ := shopping(t)
	if a := p.say("print items", "mug", "office"); len(a.Lines) < 10 {
		t.Errorf("%d lines", len(a.Lines))
	}
	p.say("config max-array-values 2", "max-array-values is 2")
	a := p.say("print items", "cup", "1 more")
	if strings.Contains(a.Answer(), "mug") {
		t.Errorf("the third item is written:\n%s", a.Answer())
	}
	p.say("config max-variable-recurse 1")
	if a := p.say("print items", "[0]"); strings.Contains(a.Answer(), "Price =") {
		t.Errorf("a level too many:\n%s", a.Answer())
	}
	p.say("config max-string-len 2")
	p.say("print items[0].Name", `"pe"… 1 more`)
	p.say("config max-string-len 0", "from 1 to")
}

// Two breakpoints on one line, each in a function of its own, are so in a later session,
// too, and nothing is left of them when they are cleared.
func TestTwoBreakpointsOnALineOfAnEarlierSession(t *testing.T) {
	t.Parallel()
	dir, store := module(t, `
-- go.mod --
module example.org/line

go 1.26
-- main.go --
package main

func each(list []int, do func(n int)) {
	for _, n := range list {
		do(n)
	}
}

func main() {
	println("before")
	each([]int{1, 2}, func(n int) { println(n) })
}
`), userstate.Open(t.TempDir()).Breakpoints()
	o := options.Session{Target: options.Target{Dir: dir, Break: []string{"main.main"}}, Stores: options.Stores{Breakpoints: store}}
	p := play(t, o)
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.say("break main.main.func1", "set")
	p.say("break main.go:11", "set: main.main")
	p.quit()

	p = play(t, o)
	stoppedAt(p, "the entry", stopsIn("main.main"))
	for _, b := range p.state.Breakpoints {
		if b.Place != "" {
			t.Errorf("breakpoint %d is %s: %s", b.ID, b.Place, b.Why)
		}
	}
	p.say("clearall", "3 cleared")
	p.say("bp -a", "no breakpoints", "runtime.fatalpanic", "the debugger's own")
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stop := stoppedAt(p, "its end", func(s debugger.Stop) bool { return s.Ended() || !stopsIn("main.main")(s) || atLine(11)(s) })
	if !stop.Ended() {
		t.Errorf("stopped at %+v", stop.Breakpoint)
	}
}

// Of several functions of a name, the only one that is the user's is meant.
func TestTheUsersFunctionIsMeant(t *testing.T) {
	t.Parallel()
	const source = "-- go.mod --\nmodule example.org/m\n\ngo 1.22\n-- main.go --\npackage main\n\nimport \"strings\"\n\nfunc Fields(s string) int { return len(strings.Fields(s)) }\n\nfunc main() { println(Fields(\"a b\")) }\n"
	p := play(t, options.Session{Target: options.Target{Dir: module(t, source), Break: []string{"Fields"}}})
	stoppedAt(p, "the user's", stopsIn("main.Fields"))
}
