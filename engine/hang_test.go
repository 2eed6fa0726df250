package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A deadlock that the runtime does not see, because another goroutine sleeps.
func TestAHaltInADeadlockOffersFixes(t *testing.T) {
	t.Parallel()
	const program = `
-- go.mod --
module example.org/m

go 1.24
-- main.go --
package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) total() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sum()
}

func (a *account) sum() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func main() {
	a := &account{}
	go func() {
		for a.mu.TryLock() {
			a.mu.Unlock()
		}
		time.Sleep(20 * time.Millisecond)
		fmt.Println("locked")
		time.Sleep(time.Hour)
	}()
	fmt.Println(a.total())
}
`
	p := play(t, Options{Target: TargetOptions{Dir: module(t, program)}, Fixes: FixOptions{MaxCandidates: 8}})
	p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
	testsupport.Eventually(t, "it waits", func() bool { return p.engine.Output().Tail(100) != "" })
	p.engine.Do(Halt{})
	stop := stoppedAt(p, "the halt", func(s debugger.Stop) bool { return s.Reason == debugger.ReasonHalt })
	if !stop.Hangs() || stop.Unwinds() || stop.Dies() || stop.Goroutine != 1 || stop.Panic.Message != "goroutine 1 waits for a lock that it holds itself" {
		t.Fatalf("%+v", stop)
	}
	s := p.until("a proof", func(s session.State) bool {
		return len(s.Stops[0].Candidates) > 0 && s.Stops[0].Candidates[0].Verdict != nil
	})
	c := s.Stops[0].Candidates[0]
	if rerun, _ := verdict.Find(c.Checks, verdict.Rerun); c.Title != "leave the locking to the callers of account.sum" || !strings.HasPrefix(rerun.Detail, "ran to the end, exit 0") {
		t.Errorf("%s: %+v", c.Title, rerun)
	}
	if d := s.Stops[0].Diagnosis; !strings.Contains(d.Sentence, "has locked a.mu (main.go:15)") {
		t.Error(d.Sentence)
	}
}
