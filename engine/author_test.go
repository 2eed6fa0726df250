package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
)

const emptyMap = `
-- go.mod --
module example.org/m

go 1.26
-- main.go --
package main

func main() {
	var m map[string]int
	m["a"] = 1
}
`

func TestAGuestActsInTheirOwnName(t *testing.T) {
	dir := module(t, emptyMap)
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{MaxCandidates: 8}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil })
	lea := intent.Author{Name: "lea", Guest: true}

	file := filepath.Join(dir, "main.go")
	p.engine.DoAs(lea, intent.ToggleBreakpoint{File: file, Line: 5})
	p.until("a breakpoint", func(s session.State) bool { return len(s.Breakpoints) == 1 })
	p.engine.DoAs(lea, intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{File: file, Line: 4, Commands: []string{"dump x"}}})
	p.engine.DoAs(lea, intent.Run{Motion: debugger.ReverseNext})
	p.until("two refusals", func(s session.State) bool {
		var mine []session.NoticeRecord
		for _, n := range s.Notices {
			if n.To == "lea" {
				mine = append(mine, n)
			}
		}
		return len(mine) == 2 && strings.Contains(mine[0].Text, "only the host")
	})

	secret := filepath.Join(dir, "out.txt")
	for _, line := range []string{"transcript " + secret, "goroutine 1 dump " + secret, "goroutine 1 frame 0 breakpoints -save " + secret,
		"source " + file, "exit", "config alias transcript t", "edit main.go:1"} {
		seen := len(p.state.Transcript)
		p.engine.DoAs(lea, intent.Evaluate{Input: line})
		state := p.until(line, func(s session.State) bool { return len(s.Transcript) > seen })
		if a := state.Transcript[len(state.Transcript)-1]; !strings.Contains(a.Err, "only the host") {
			t.Errorf("%s: %q %s", line, a.Err, a.Answer())
		}
	}
	if _, err := os.Stat(secret); err == nil {
		t.Error("a guest wrote a file")
	}

	p.engine.DoAs(lea, intent.Propose{Title: "make the map", Files: map[string]string{"../x.go": "package x\n"}})
	p.until("a refusal", func(s session.State) bool { return strings.Contains(s.Notices[len(s.Notices)-1].Text, "propose a fix") })
	fixed := "package main\n\nfunc main() {\n\tm := map[string]int{}\n\tm[\"a\"] = 1\n\tprintln(len(m))\n}\n"
	p.engine.DoAs(lea, intent.Propose{Title: "make the map", Files: map[string]string{"main.go": fixed}})
	by := map[string]string{}
	p.until("lea's fix is proved", func(s session.State) bool {
		for _, e := range p.events {
			switch b := e.Body.(type) {
			case *session.Proposed:
				by[b.Candidate.Title] = e.Actor
			case *session.BreakpointSet:
				by["breakpoint"] = e.Actor
			}
		}
		for _, c := range s.Stops[0].Candidates {
			if c.Title == "make the map" && c.Verdict != nil {
				if !c.Passes() {
					t.Errorf("its proof: %+v", c.Verdict.Checks)
				}
				return true
			}
		}
		return false
	})
	if by["make the map"] != "lea" || by["breakpoint"] != "lea" {
		t.Errorf("the journal's names: %v", by)
	}
}

// TestAGuestsFixesLeaveTheLogReadable: no command reads a log that is too large, so that
// nothing of it could be taken back.
func TestAGuestsFixesLeaveTheLogReadable(t *testing.T) {
	dir := module(t, emptyMap)
	p := play(t, options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{MaxCandidates: 8}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 && s.Stops[0].Diagnosis != nil })
	files := map[string]string{}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		files[name] = strings.Repeat("<", 500<<10) // of which JSON makes six times as much
	}
	before := p.engine.loop.Log.Size()
	p.engine.DoAs(intent.Author{Name: "lea", Guest: true}, intent.Propose{Title: "much", Files: files})
	p.until("a refusal", func(s session.State) bool {
		return len(s.Notices) > 0 && strings.Contains(s.Notices[len(s.Notices)-1].Text, "more than 8 MB in the log")
	})
	if size := p.engine.loop.Log.Size() - before; size > 1<<20 {
		t.Errorf("the log has got %d bytes more", size)
	}
	for size, want := range map[int64]bool{0: true, loop.MaxLog: true, loop.MaxLog + 1: false} {
		if err := loop.FullLog(size); (err == nil) != want {
			t.Errorf("a log of %d bytes: %v", size, err)
		}
	}
	if loop.MaxLog+proof.MaxLogged > session.MaxJournal {
		t.Error("a log with room for a fix has none")
	}
}

// TestWhoChoseTheArgumentsIsKnown: fixes are shown the files that a person's arguments
// name, and none that an agent's or a guest's do.
func TestWhoChoseTheArgumentsIsKnown(t *testing.T) {
	dir := module(t, emptyMap)
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	p.until("a crash", func(s session.State) bool { return s.CaseIndex() >= 0 })
	for _, c := range []struct {
		by   intent.Author
		how  intent.Restart
		want bool
	}{
		{intent.Author{Name: "lea", Guest: true}, intent.Restart{SetArgs: true, Args: []string{"/etc/passwd"}}, true},
		{intent.Author{}, intent.Restart{}, true}, // as they were
		{intent.Author{Name: "anna"}, intent.Restart{SetArgs: true, Args: []string{"/etc/passwd"}}, false},
		{intent.Author{Name: "lea", Guest: true}, intent.Restart{}, false},
	} {
		round := p.engine.loop.State().Round
		p.engine.DoAs(c.by, c.how)
		p.until("another crash", func(s session.State) bool { return s.Round > round && s.Phase == session.PhaseStopped })
		started := p.engine.loop.State().Started
		run := p.engine.proofs.Subject(p.engine.loop.State().Stops[0].Stop, repro.Plan{}).Run
		if started.Mode.ForeignArgs != c.want || run.ForeignArgs != c.want || (options.Session{}).ForTargetOf(started).Target.Mode.ForeignArgs != c.want {
			t.Errorf("%+v: the log says %v, the proof %v", c, started.Mode.ForeignArgs, run.ForeignArgs)
		}
	}
}
