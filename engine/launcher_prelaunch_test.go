package engine

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/launch"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// prepared has the target of a verified candidate prelaunched.
func prepared(t *testing.T) (p *player, dir, candidate string, pid int) {
	t.Helper()
	dir = module(t, shelves)
	opts, _ := askingOptions(dir, -1, shelfOf("return items[name]"))
	p = play(t, opts)
	p.until("the fix is proved", settled(1))
	c := ofModel(p.state)[0]
	if !c.Verified() {
		t.Fatalf("not verified: %+v", c.Verdict)
	}
	p.engine.Do(intent.Prepare{Candidate: c.ID})
	a := p.prelaunched()
	if a == nil {
		t.Fatal("nothing is prelaunched")
	}
	<-a.Done
	if a.Target == nil || !lives(a.Target.PID()) {
		t.Fatal("the program is not held")
	}
	return p, dir, c.ID, a.Target.PID()
}

func (p *player) prelaunched() *launch.Prelaunched {
	at := make(chan *launch.Prelaunched)
	p.engine.loop.Post(func() { at <- p.engine.launcher.Prelaunched })
	return <-at
}

func lives(pid int) bool { return syscall.Kill(pid, 0) == nil }

// launchedAs is the process of a round, and why it was built; "" where it was not.
func (p *player) launchedAs(round int) (pid int, built string) {
	for _, e := range p.events {
		switch b := e.Body.(type) {
		case *session.BuildStarted:
			built = b.Reason
		case *session.Launched:
			if b.Round == round {
				return b.PID, built
			}
			built = ""
		}
	}
	return 0, built
}

func TestThePrelaunchedTargetRunsOnceApproved(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p, _, id, pid := prepared(t)
	p.engine.Do(intent.Approve{Candidate: id})
	p.until("it is judged", func(s session.State) bool { return s.Judged != nil && s.Judged.Judgement == session.Fixed })
	if got, built := p.launchedAs(2); got != pid || built != "" {
		t.Errorf("process %d runs, built for %q; process %d was held", got, built, pid)
	}
}

func TestThePrelaunchedTargetIsDroppedWhereTheSourceChanged(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p, dir, id, pid := prepared(t)
	if err := os.WriteFile(filepath.Join(dir, "more.go"), []byte("package main\n\nvar _ = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.engine.Do(intent.Approve{Candidate: id})
	p.until("it is judged", func(s session.State) bool { return s.Judged != nil && s.Judged.Judgement == session.Fixed })
	if got, built := p.launchedAs(2); got == pid || built != "restart" {
		t.Errorf("process %d runs, built for %q; process %d was held", got, built, pid)
	}
	p.quit()
	if lives(pid) {
		t.Error("the process that was held lives on")
	}
}

func TestThePrelaunchedTargetEndsWithItsUse(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for name, end := range map[string]intent.Intent{"goes on": intent.Run{Motion: debugger.Continue}, "restarts": intent.Restart{NoBuild: true}, "quits": intent.Quit{}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _, _, pid := prepared(t)
			p.engine.Do(end)
			if _, quits := end.(intent.Quit); !quits {
				p.handled()
				if p.prelaunched() != nil {
					t.Error("it is still held")
				}
			}
			p.quit()
			if lives(pid) {
				t.Error("the process that was held lives on")
			}
		})
	}
}

func TestOneTargetIsPrelaunchedAtMost(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p, _, id, pid := prepared(t)
	p.engine.Do(intent.Prepare{Candidate: id})
	if a := p.prelaunched(); a == nil || a.Target.PID() != pid {
		t.Error("the same fix was launched again")
	}
	s := p.engine.loop.State()
	i := slices.IndexFunc(s.Stops[s.CaseIndex()].Candidates, func(c session.CandidateRecord) bool { return c.ID != id && launch.Proved(c) })
	if i < 0 {
		t.Skip("no other fix is proved")
	}
	p.engine.Do(intent.Prepare{Candidate: s.Stops[s.CaseIndex()].Candidates[i].ID})
	a := p.prelaunched()
	<-a.Done
	p.quit()
	if lives(pid) {
		t.Error("the first lives on")
	}
}
