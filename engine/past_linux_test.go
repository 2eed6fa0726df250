package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// What is typed while a run is recorded was meant for the past: it is not run in the present.
func TestLinesBehindOneThatLeadsBackAreDropped(t *testing.T) {
	dir := module(t, emptyMap)
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil })
	script := filepath.Join(dir, "back.txt")
	if err := os.WriteFile(script, []byte("rev next\np 1+1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"rev next", "source " + script} {
		seen, past := len(p.state.Transcript), (*live.Past)(nil)
		for _, line := range []string{way, "rev stepout", "p 1"} {
			p.engine.Do(intent.Evaluate{Input: line})
		}
		p.live("in the past", func(l live.State) bool { past = l.Past; return past != nil })
		p.until("two answers", func(s session.State) bool {
			return len(s.Transcript) >= seen+2 && s.Transcript[len(s.Transcript)-1].Input == "p 1"
		})
		for _, a := range p.state.Transcript[len(p.state.Transcript)-2:] {
			if a.Err != byPast {
				t.Errorf("%s is answered with %q", a.Input, a.Answer())
			}
		}
		if a := p.state.Transcript[seen]; strings.HasPrefix(way, "source") && !strings.Contains(a.Answer(), "back.txt:2: not run") {
			t.Errorf("the file goes on in the present: %s", a.Answer())
		}
		if s := past.Client.(*Engine).loop.State(); len(s.Notices) == 0 || !strings.Contains(s.Notices[0].Text, "not run: rev stepout, p 1") {
			t.Errorf("in the past is said %+v", s.Notices)
		}
		past.Do(intent.Quit{})
		if l := p.live("back", func(l live.State) bool { return l.Past == nil && l.Command == nil }); l.Command != nil {
			t.Errorf("after the return runs %q", l.Command.Line)
		}
	}
}

// What other goroutines do while one is held does not keep it from going further back.
func TestStepsBackBesideAnotherGoroutine(t *testing.T) {
	const program = `-- go.mod --
module example.com/app

go 1.24
-- main.go --
package main

func worker(in, out chan int) {
	sum := 0
	for v := range in {
		sum += v
		out <- sum
	}
}

func main() {
	in, out := make(chan int), make(chan int)
	go worker(in, out)
	total := 0
	for i := range 3 {
		in <- i
		total += <-out
	}
	in <- total
	in <- total
}
`
	p := play(t, options.Session{Target: options.Target{Dir: module(t, program)}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil })
	p.engine.Do(intent.Evaluate{Input: "rev next"})
	differs := func(s session.State) bool {
		return slices.ContainsFunc(s.Transcript, func(a session.Evaluated) bool { return strings.Contains(a.Err, "two runs differ") })
	}
	var past *live.Past
	p.live("in the past", func(l live.State) bool {
		past = l.Past
		return past != nil || l.Command == nil && differs(p.engine.loop.State())
	})
	if past == nil {
		t.Skip("the scheduler lets no two runs be the same here")
	}
	inner := past.Client.(*Engine)
	for _, line := range []int{20, 19, 17, 16} {
		deadline := time.Now().Add(time.Minute)
		for {
			s := inner.loop.State()
			stop, ok := s.CurrentStop()
			if f, shown := stop.Stop.SelectedFrame(); ok && shown && f.Line == line && s.Phase == session.PhaseStopped {
				break
			}
			if differs(s) {
				t.Skip("the scheduler lets no run be the same here")
			}
			if time.Now().After(deadline) {
				t.Fatalf("not at line %d but at %+v", line, stop.Stop.Frames)
			}
			time.Sleep(10 * time.Millisecond)
		}
		past.Do(intent.Evaluate{Input: "rev next"})
	}
}

// The rows of the history that is recorded without being asked for lead back, too.
func TestARowOfTheRecordedHistoryLeadsBack(t *testing.T) {
	p := play(t, options.Session{Target: options.Target{Dir: module(t, emptyMap)}})
	p.until("a history", func(s session.State) bool {
		return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil && s.Stops[0].Diagnosis.History != nil
	})
	h := p.state.Stops[0].Diagnosis.History
	p.engine.Do(intent.Evaluate{Input: "back " + strconv.Itoa(h.Origin+1)})
	var past *live.Past
	p.live("in the past", func(l live.State) bool { past = l.Past; return past != nil })
	inner := past.Client.(*Engine)
	s := inner.loop.State()
	for seq := s.Seq; len(s.Stops) == 0; seq, s = s.Seq, inner.loop.State() {
		if _, err := inner.loop.Wait(t.Context(), seq, 0); err != nil {
			t.Fatal(err)
		}
	}
	if f, _ := s.Stops[0].Stop.SelectedFrame(); f.Line != h.Rows[h.Origin].Line {
		t.Errorf("at line %d, want that of %+v", f.Line, h.Rows[h.Origin])
	}
	past.Do(intent.Quit{})
	p.live("back", func(l live.State) bool { return l.Past == nil })
}

// All goroutines of a deadlock have stopped: why asks in each of them.
func TestWhyInAnotherGoroutineOfADeadlock(t *testing.T) {
	const program = `
-- go.mod --
module example.org/m

go 1.24
-- main.go --
package main

import "sync"

func worker(mu *sync.Mutex, jobs chan int) {
	mu.Lock()
	<-jobs
}

func main() {
	mu, jobs := new(sync.Mutex), make(chan int)
	mu.Lock()
	go worker(mu, jobs)
	<-jobs
}
`
	p := play(t, options.Session{Target: options.Target{Dir: module(t, program)}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil })
	list, _, err := p.engine.Inspector().Goroutines(t.Context(), debugger.Page{Count: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		frames, _, err := p.engine.Inspector().Frames(t.Context(), g.ID, debugger.Page{Count: 20})
		i := slices.IndexFunc(frames, func(f debugger.Frame) bool { return f.Function == "main.worker" })
		if err != nil || i < 0 {
			continue
		}
		p.engine.Do(intent.Evaluate{At: debugger.FrameRef{Goroutine: g.ID, Frame: frames[i].Index}, Input: "why mu"})
		p.until("an answer", func(s session.State) bool { return len(s.Transcript) > 0 })
		if a := p.state.Transcript[0].Answer(); !strings.Contains(a, "mu was locked by main (main.go:12") {
			t.Error(a)
		}
		return
	}
	t.Error("no goroutine is in worker")
}
