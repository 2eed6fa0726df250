package delve

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/pausetui/pausetui/debugger"
)

// Target is a program under Delve. Its methods may be called from several
// goroutines; it implements debugger.Inspector.
//
// It has no work of its own but to begin and to end: its methods are those of
// its parts. A part has its own fields and files, and names those that it needs;
// none needs the ones below it in this list.
type Target struct {
	*server      // who may use the connection when, and what state the target is in
	*memory      // bytes
	*sources     // where the source of an address is on this machine
	*places      // locations and symbols
	*stacks      // frames and their variables
	*values      // expressions, and the children of values
	*goroutines  // all of them, by the hundred thousand
	*panics      // what the runtime knows of panics
	*recovery    // panics that the target lives on after
	*tests       // where tests fail and end
	*requests    // the HTTP request that a goroutine answers
	*breakpoints // the user's
	*stops       // why the target stopped, and what to show of it
	*steps       // how a move is carried out
	*halts       // what stops a target that runs
	*moves       // what lets it run until there is something to show
	*machine     // threads, processes, registers, core dumps, checkpoints

	closed  sync.Once
	parting error // of Close
}

// newTarget returns a target at the end of the connection. kill ends what is
// after it.
func newTarget(ctx context.Context, mode launchMode, config Config, conn net.Conn, kill context.CancelFunc) *Target {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	s := &server{mode: mode, config: config, conn: conn, stderr: new(tail), queue: make(chan struct{}, 1),
		life: life, end: end, kill: kill, lost: make(chan struct{})}
	t := &Target{server: s, memory: &memory{server: s}, sources: &sources{server: s, users: newUserDirs(config.UserDirs)}}
	t.places = &places{server: s, sources: t.sources}
	t.stacks = &stacks{server: s, sources: t.sources}
	t.values = &values{server: s, memory: t.memory}
	t.goroutines = &goroutines{server: s, memory: t.memory, sources: t.sources, stacks: t.stacks}
	t.panics = &panics{server: s, memory: t.memory, sources: t.sources, captured: map[debugger.GoroutineID]pending{}}
	t.recovery = &recovery{server: s, places: t.places, stacks: t.stacks, panics: t.panics,
		passed: map[debugger.GoroutineID]bool{}, shown: map[debugger.GoroutineID]bool{}, recovering: map[string]bool{}, deferring: map[string]bool{}}
	t.tests = &tests{server: s, memory: t.memory, places: t.places, stacks: t.stacks,
		saying: map[debugger.GoroutineID]string{}, failedAt: map[debugger.GoroutineID]string{}}
	t.requests = &requests{server: s, memory: t.memory, stacks: t.stacks}
	t.breakpoints = &breakpoints{server: s, places: t.places, sources: t.sources, breaks: map[int]*setBreak{}}
	t.stops = &stops{server: s, sources: t.sources, stacks: t.stacks, goroutines: t.goroutines, panics: t.panics,
		recovery: t.recovery, tests: t.tests, requests: t.requests, breakpoints: t.breakpoints}
	t.steps = &steps{server: s, places: t.places}
	t.halts = &halts{server: s}
	t.moves = &moves{server: s, places: t.places, values: t.values, panics: t.panics, recovery: t.recovery, tests: t.tests,
		breakpoints: t.breakpoints, stops: t.stops, steps: t.steps, halts: t.halts}
	t.machine = &machine{server: s, memory: t.memory, goroutines: t.goroutines}
	return t
}

// Close kills a target that was launched, whatever it started and the server,
// and waits for their end. A process that was attached to runs on without a
// trace of us, a target of another server's is left as it was found; the error
// says that this cannot be vouched for. Close may be called at any time and
// more than once.
func (t *Target) Close() error {
	t.closed.Do(func() {
		switch t.mode {
		case connected:
			t.leave()
			_ = t.client.rpc.Close()
		case attached:
			t.detach()
		}
		t.end()
		t.kill()
		<-t.lost
		if t.client != nil {
			_ = t.client.rpc.Close() // fails where the server's end closed it already
		}
		_ = t.conn.Close()
		t.tasks.Wait()
		if t.mode == attached && t.client != nil && t.ending != nil {
			t.parting = fmt.Errorf("detach from process %d: %w: %s", t.pid, t.ending, t.stderr)
		}
	})
	return t.parting
}
