package engine

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
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
	p := play(t, options.Session{Target: options.Target{Dir: module(t, program)}, Fixes: options.Fixes{MaxCandidates: 8}})
	p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
	testsupport.Eventually(t, "it waits", func() bool { return p.engine.Output().Tail(100) != "" })
	p.engine.Do(intent.Halt{})
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

// Locks that others wait for while a goroutine sleeps. The name of each file is what the halt says.
const heldLocks = `
-- goroutine 1 waits for a lock that no goroutine will unlock --
func (a *account) total() int {
	a.mu.Lock()
	if a.balance == 0 {
		return 0
	}
	defer a.mu.Unlock()
	return a.balance
}

func use(a *account) { a.total(); ready(); a.total() }
-- goroutine 1 waits for a lock that no goroutine will unlock. --
func (a *account) total() (n int) {
	defer func() { recover() }()
	a.rw.RLock()
	n = 1 / a.balance
	a.rw.RUnlock()
	return n
}

func use(a *account) { a.total(); ready(); a.rw.Lock() }
-- healthy: begun --
func (a *account) begin()  { a.mu.Lock() }
func (a *account) commit() { a.mu.Unlock() }

func use(a *account) {
	go func() { a.begin(); ready(); time.Sleep(time.Hour); a.commit() }()
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
-- healthy: held by a caller --
func (a *account) each(f func()) { a.mu.Lock(); defer a.mu.Unlock(); f() }

func use(a *account) {
	go a.each(func() { ready(); time.Sleep(time.Hour) })
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
-- healthy: unlocked by what was returned --
func (a *account) lock() func() { a.mu.Lock(); return func() { a.mu.Unlock() } }

func use(a *account) {
	go func() { unlock := a.lock(); ready(); time.Sleep(time.Hour); unlock() }()
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
-- healthy: locked in a branch of a loop --
func use(a *account) {
	go func() {
		for shared := true; ; {
			if shared {
				a.mu.Lock()
			}
			ready()
			time.Sleep(time.Hour)
			if shared {
				a.mu.Unlock()
			}
		}
	}()
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
-- healthy: one of several --
type shards []*account

func (s shards) of(key int) *account { return s[key] }

func use(a *account) {
	all := shards{a}
	go func() { all.of(0).mu.Lock(); ready(); time.Sleep(time.Hour); all.of(0).mu.Unlock() }()
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
-- healthy: handed on --
func use(a *account) {
	var l sync.Locker = &a.mu
	go func() { l.Lock(); ready(); time.Sleep(time.Hour); l.Unlock() }()
	time.Sleep(10 * time.Millisecond)
	a.mu.Lock()
}
`

// A halt finds a lock that was never unlocked, and none where somebody may unlock it.
func TestAHaltFindsALockThatIsNeverUnlocked(t *testing.T) {
	t.Parallel()
	const program = `package main

import (
	"fmt"
	"sync"
	"time"
)

type account struct {
	mu      sync.Mutex
	rw      sync.RWMutex
	balance int
}

func ready() { fmt.Println("ready") }

func main() {
	go func() { time.Sleep(time.Hour) }()
	use(&account{})
}
`
	for _, f := range txtar.Parse([]byte(heldLocks)).Files {
		p := play(t, options.Session{Target: options.Target{Dir: module(t, "\n-- go.mod --\nmodule example.org/m\n\ngo 1.24\n-- main.go --\n"+program+string(f.Data))}})
		p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
		testsupport.Eventually(t, "it waits", func() bool { return p.engine.Output().Tail(100) != "" })
		time.Sleep(100 * time.Millisecond)
		p.engine.Do(intent.Halt{})
		stop := stoppedAt(p, "the halt", func(s debugger.Stop) bool { return s.Reason == debugger.ReasonHalt })
		switch want := strings.TrimSuffix(f.Name, "."); {
		case strings.HasPrefix(want, "healthy"):
			if stop.Panic != nil {
				t.Errorf("%s: %s", f.Name, stop.Panic.Message)
			}
		case stop.Panic == nil || stop.Panic.Message != want:
			t.Errorf("%s: %+v", f.Name, stop.Panic)
		}
	}
}

// A halt that is asked for while the program is launched holds it once it runs.
func TestAHaltDuringTheLaunchIsKept(t *testing.T) {
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, "\n-- go.mod --\nmodule example.org/m\n\ngo 1.24\n-- main.go --\npackage main\n\nimport \"time\"\n\nfunc main() { time.Sleep(time.Hour) }\n")}})
	p.until("it is launched", func(s session.State) bool { return s.Phase == session.PhaseStarting })
	p.engine.Do(intent.Halt{})
	stoppedAt(p, "the halt", func(s debugger.Stop) bool { return s.Reason == debugger.ReasonHalt })
}
