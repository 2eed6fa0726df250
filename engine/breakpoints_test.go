package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

const counting = `
-- go.mod --
module example.org/counting

go 1.26
-- main.go --
package main

import (
	"errors"
	"fmt"
)

type counter struct{ count int }

func (c *counter) add(n int) error {
	if n == 7 {
		return errors.New("unlucky")
	}
	c.count += n
	return nil
}

func main() {
	c := &counter{}
	for i := range 10 {
		if err := c.add(i); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(twice(c.count))
}

func twice(n int) int { return 2 * n }
`

// stoppedAt waits for a stop by something that is no end.
func stoppedAt(p *player, what string, is func(debugger.Stop) bool) debugger.Stop {
	p.t.Helper()
	s := p.until(what, func(s session.State) bool {
		r, ok := s.CurrentStop()
		return ok && s.Phase != session.PhaseRunning && is(r.Stop)
	})
	r, _ := s.CurrentStop()
	return r.Stop
}

func atLine(line int) func(debugger.Stop) bool {
	return func(s debugger.Stop) bool {
		f, ok := s.SelectedFrame()
		return ok && f.Line == line
	}
}

// kept is a store with breakpoints, which is how a session begins with some.
func kept(t *testing.T, dir string, list ...debugger.Breakpoint) *userstate.Breakpoints {
	t.Helper()
	store := userstate.Open(t.TempDir()).Breakpoints()
	if err := store.Save(dir, list); err != nil {
		t.Fatal(err)
	}
	return store
}

func TestBreakpointsOfEarlierSessions(t *testing.T) {
	t.Parallel()
	dir := module(t, counting)
	store := kept(t, dir,
		debugger.Breakpoint{File: "main.go", Line: 12, Text: "c.count += n", Cond: "n == 4"}, // two lines further down now
		debugger.Breakpoint{File: "main.go", Line: 3, Text: "it is not there"},
		debugger.Breakpoint{Location: "main.(*counter).add", OnError: true},
	)
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Stores: options.Stores{Breakpoints: store}})
	stop := stoppedAt(p, "the condition", func(s debugger.Stop) bool { return s.Breakpoint != nil && s.Breakpoint.ID == 1 })
	if f, _ := stop.SelectedFrame(); f.Line != 14 {
		t.Errorf("at line %d", f.Line)
	}
	if !noticed(p.engine.loop.State(), "3 breakpoints from earlier sessions") {
		t.Errorf("it is not said where they come from: %+v", p.engine.loop.State().Notices)
	}
	list := p.engine.loop.State().Breakpoints
	if len(list) != 3 || list[0].Place != debugger.PlaceMoved || list[0].Was != 12 || list[1].Place != debugger.PlaceLost || list[2].Place != "" {
		t.Fatalf("%+v", list)
	}
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	stop = stoppedAt(p, "the error", func(s debugger.Stop) bool { return s.Breakpoint != nil && s.Breakpoint.ID == 3 })
	if len(stop.Returned) != 1 || stop.Returned[0].Nil {
		t.Errorf("%+v", stop.Returned)
	}
	p.engine.Do(intent.EnableBreakpoint{ID: 3, On: false})
	p.engine.Do(intent.ClearBreakpoint{ID: 2})
	p.until("they are changed", func(s session.State) bool { return len(s.Breakpoints) == 2 && s.Breakpoints[1].Disabled })
	p.quit()
	again, err := store.Load(dir)
	if err != nil || len(again) != 2 || again[0].File != "main.go" || again[0].Line != 14 || again[0].Cond != "n == 4" || !again[1].Disabled || !again[1].OnError {
		t.Errorf("kept %+v, %v", again, err)
	}
}

func TestRunToCursorAndJump(t *testing.T) {
	t.Parallel()
	dir := module(t, counting)
	file := filepath.Join(dir, "main.go")
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Stores: options.Stores{Breakpoints: kept(t, dir, debugger.Breakpoint{Location: "main.main"})}})
	stoppedAt(p, "main", func(s debugger.Stop) bool { return s.Breakpoint != nil })
	p.engine.Do(intent.Run{Motion: debugger.ContinueTo, Location: "main.nowhere"})
	before := len(p.engine.loop.State().Notices)
	s := p.until("it is refused", func(s session.State) bool { return len(s.Notices) > before })
	if n := s.Notices[before]; n.Level != "error" || !strings.Contains(n.Text, "nowhere") || s.Phase != session.PhaseStopped {
		t.Errorf("%+v in %s", n, s.Phase)
	}
	p.engine.Do(intent.Run{Motion: debugger.ContinueTo, File: file, Line: 14})
	stoppedAt(p, "the cursor", atLine(14))
	p.engine.Do(intent.Jump{File: file, Line: 15})
	stoppedAt(p, "the jump", atLine(15))
	p.engine.Do(intent.Run{Motion: debugger.StepOut})
	stop := stoppedAt(p, "the caller", func(s debugger.Stop) bool { return len(s.Returned) == 1 })
	if !stop.Returned[0].Nil {
		t.Errorf("returned %+v", stop.Returned)
	}
	p.engine.Do(intent.Run{Motion: debugger.CallFunction, Expr: "twice(30)"})
	stop = stoppedAt(p, "the call", func(s debugger.Stop) bool { return s.Reason == debugger.ReasonCall })
	if stop.Called != "twice(30)" || len(stop.Returned) != 1 || stop.Returned[0].Value != "60" {
		t.Errorf("%+v", stop)
	}
}

// A line without code is answered with the nearest one that has some.
func TestBreakpointOnALineWithoutCode(t *testing.T) {
	t.Parallel()
	dir := module(t, counting)
	file := filepath.Join(dir, "main.go")
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Stores: options.Stores{Breakpoints: kept(t, dir, debugger.Breakpoint{Location: "main.main"})}})
	stoppedAt(p, "main", func(s debugger.Stop) bool { return s.Breakpoint != nil })
	p.engine.Do(intent.ToggleBreakpoint{File: file, Line: 8})
	var offer *debugger.Breakpoint
	s := p.until("the offer", func(s session.State) bool {
		for _, n := range s.Notices {
			if n.Offer != nil {
				offer = n.Offer
			}
		}
		return offer != nil
	})
	if offer.Line != 10 || len(s.Breakpoints) != 1 {
		t.Fatalf("%+v, %d breakpoints", offer, len(s.Breakpoints))
	}
	p.engine.Do(intent.SetBreakpoint{Breakpoint: *offer})
	p.until("it is set", func(s session.State) bool { return len(s.Breakpoints) == 2 && s.Breakpoints[1].Line == 10 })
	p.engine.Do(intent.AmendBreakpoint{Breakpoint: debugger.Breakpoint{ID: 2, File: file, Line: 10, Cond: "m > 3"}})
	p.until("the doubt", func(s session.State) bool {
		return slices.ContainsFunc(s.Notices, func(n session.NoticeRecord) bool {
			return n.Level == "warn" && strings.Contains(n.Text, "there is no m on line 10")
		})
	})
}

// Breakpoints set while the target runs neither stop it nor lose it.
func TestTracepointsWhileItRuns(t *testing.T) {
	t.Parallel()
	dir := module(t, strings.ReplaceAll(strings.ReplaceAll(counting, "for i := range 10 {", "for i := 0; ; i++ {\n\t\ttime.Sleep(time.Millisecond)"), `"fmt"`, `"fmt"`+"\n\t\"time\""))
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "main.(*counter).add", Trace: true, Print: []string{"n"}}})
	p.until("it is set", func(s session.State) bool { return len(s.Breakpoints) == 1 })
	hits := 0
	testsupport.Eventually(t, "300 hits", func() bool {
		hits = len(p.engine.Output().View(0, 1000).Rows)
		if s := p.engine.loop.State(); s.Phase != session.PhaseRunning {
			t.Fatalf("it is %s: %+v", s.Phase, s.Notices)
		}
		return hits >= 300
	})
	p.engine.Do(intent.Halt{})
	stoppedAt(p, "the halt", func(s debugger.Stop) bool { return s.Reason == debugger.ReasonHalt })
	written, missed := 0, uint64(0)
	for _, e := range p.events {
		if b, ok := e.Body.(*session.TracepointHit); ok {
			written++
			missed += b.Missed
			if b.Hit.Breakpoint != 1 || len(b.Hit.Values) != 1 || b.Hit.Values[0].Name != "n" {
				t.Fatalf("%+v", b.Hit)
			}
		}
	}
	if written == 0 || written > hits/2 || missed == 0 {
		t.Errorf("of %d hits %d are written down, %d counted", hits, written, missed)
	}
}

// The last of many hits is written down while the program runs on.
func TestTheLastHitIsWrittenDown(t *testing.T) {
	t.Parallel()
	dir := module(t, strings.ReplaceAll(strings.ReplaceAll(counting, "for i := range 10 {", "defer time.Sleep(time.Hour)\n\tfor i := range 90 {"), `"fmt"`, `"fmt"`+"\n\t\"time\""))
	p := play(t, options.Session{Target: options.Target{Dir: dir, Break: []string{"main.main"}}})
	stoppedAt(p, "the entry", stopsIn("main.main"))
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "main.(*counter).add", Trace: true, Print: []string{"n"}}})
	p.until("it is set", func(s session.State) bool { return len(s.Breakpoints) == 2 })
	p.engine.Do(intent.Run{Motion: debugger.Continue})
	p.until("the last hit", func(s session.State) bool {
		for _, e := range p.events {
			if b, ok := e.Body.(*session.TracepointHit); ok && b.Hit.Values[0].Value == "89" {
				return s.Phase == session.PhaseRunning
			}
		}
		return false
	})
	all := 0
	for _, e := range p.events {
		if b, ok := e.Body.(*session.TracepointHit); ok {
			all += 1 + int(b.Missed)
		}
	}
	if all != 90 {
		t.Errorf("%d hits are counted", all)
	}
}

func TestBreakpointsMoveWithTheirLine(t *testing.T) {
	dir := module(t, counting)
	file := filepath.Join(dir, "main.go")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := debugger.Breakpoint{File: file, Line: 14, Text: "c.count += n"}
	if got := target.Relocated(b); got.Line != 14 || got.Place != "" {
		t.Errorf("nothing changed: %+v", got)
	}
	if err := os.WriteFile(file, append([]byte("// a comment\n\n"), before...), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := target.Relocated(b); got.Line != 16 || got.Was != 14 || got.Place != debugger.PlaceMoved {
		t.Errorf("%+v", got)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(before), "c.count += n", "c.count -= n")), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := target.Relocated(b); got.Place != debugger.PlaceLost || got.Line != 14 {
		t.Errorf("%+v", got)
	}
}

// A pattern finds its functions in every run, and hits are known after its end.
func TestAPatternIsFoundAgain(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, counting)}})
	ended := func(round int) session.State {
		return p.until("the end", func(s session.State) bool { return s.Round == round && s.Phase == session.PhaseExited })
	}
	ended(1)
	p.engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "/counter..add$/", Trace: true}})
	for round := 2; round <= 3; round++ {
		p.engine.Do(intent.Restart{})
		s := ended(round)
		if len(s.Breakpoints) != 1 || s.Breakpoints[0].Why != "" {
			t.Fatalf("round %d: %+v", round, s.Breakpoints)
		}
		testsupport.Until(t, func() string {
			if hits := p.engine.loop.LastHits()[s.Breakpoints[0].ID]; hits != 10 {
				return fmt.Sprintf("round %d: %d hits", round, hits)
			}
			return ""
		})
	}
}
