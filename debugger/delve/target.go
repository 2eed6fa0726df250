package delve

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/goroutines"
	"github.com/pausetui/pausetui/debugger/delve/memory"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/debugger/delve/stacks"
	"github.com/pausetui/pausetui/debugger/delve/values"
)

// Target is a program under Delve. Its methods may be called from several
// goroutines; it implements debugger.Inspector.
//
// It has no work of its own but to begin and to end: its methods are those of
// its parts. A part has its own fields and files, and names those that it needs;
// none needs the ones below it in this list.
type Target struct {
	srv                *control.Server // who may use the connection when, and what state the target is in
	config             *Config         // what the target was launched with
	*memory.Reader                     // bytes
	*source.Finder                     // where the source of an address is on this machine
	*places.Locator                    // locations and symbols
	*stacks.Unwinder                   // frames and their variables
	*values.Inspector                  // expressions, and the children of values
	*goroutines.Lister                 // all of them, by the hundred thousand
	*panics                            // what the runtime knows of panics
	*recovery                          // panics that the target lives on after
	*tests                             // where tests fail and end
	*requests                          // the HTTP request that a goroutine answers
	*breakpoints                       // the user's
	*stops                             // why the target stopped, and what to show of it
	*steps                             // how a move is carried out
	*control.Halts                     // what stops a target that runs
	*moves                             // what lets it run until there is something to show
	*machine                           // threads, processes, registers, core dumps, checkpoints

	want    rpc.Order // what our server was asked for; zero for another server's target
	closed  sync.Once
	parting error // of Close
}

var (
	_ debugger.Inspector    = (*Target)(nil)
	_ debugger.MemoryReader = (*Target)(nil)
	_ debugger.CallLister   = (*Target)(nil)
	_ debugger.Finder       = (*Target)(nil)
	_ debugger.WaitLister   = (*Target)(nil)
)

// newTarget returns a target at the end of the connection. kill ends what is
// after it.
func newTarget(ctx context.Context, mode control.Mode, config Config, conn net.Conn, kill context.CancelFunc) *Target {
	s := control.NewServer(ctx, mode, config.Binary, conn, kill)
	t := &Target{srv: s, Reader: memory.New(s), config: &config, Finder: source.New(s, config.source())}
	t.Locator = places.New(s, t.Finder)
	t.Unwinder = stacks.New(s, t.Finder)
	t.Inspector = values.New(s, t.Reader)
	t.Lister = goroutines.New(s, t.Reader, t.Finder, t.Unwinder)
	t.panics = &panics{srv: s, config: &config, memory: t.Reader, sources: t.Finder, captured: map[debugger.GoroutineID]pending{}}
	t.recovery = &recovery{srv: s, config: &config, sources: t.Finder, places: t.Locator, stacks: t.Unwinder, panics: t.panics,
		passed: map[debugger.GoroutineID]bool{}, shown: map[debugger.GoroutineID]bool{}, recovering: map[string]bool{}, deferring: map[string]bool{}}
	t.tests = &tests{srv: s, memory: t.Reader, places: t.Locator, stacks: t.Unwinder,
		saying: map[debugger.GoroutineID]string{}, failedAt: map[debugger.GoroutineID]string{}}
	t.requests = &requests{srv: s, memory: t.Reader, stacks: t.Unwinder}
	t.breakpoints = &breakpoints{srv: s, config: &config, places: t.Locator, sources: t.Finder, breaks: map[int]*setBreak{}}
	t.stops = &stops{srv: s, sources: t.Finder, stacks: t.Unwinder, goroutines: t.Lister, panics: t.panics,
		recovery: t.recovery, tests: t.tests, requests: t.requests, breakpoints: t.breakpoints}
	t.steps = &steps{srv: s, places: t.Locator}
	t.Halts = control.NewHalts(s)
	t.moves = &moves{srv: s, config: &config, places: t.Locator, values: t.Inspector, panics: t.panics, recovery: t.recovery, tests: t.tests,
		breakpoints: t.breakpoints, stops: t.stops, steps: t.steps, halts: t.Halts}
	t.machine = &machine{srv: s, memory: t.Reader, goroutines: t.Lister}
	return t
}

// Close kills a target that was launched, whatever it started and the server,
// and waits for their end. A process that was attached to runs on without a
// trace of us, a target of another server's is left as it was found; the error
// says that this cannot be vouched for. Close may be called at any time and
// more than once.
func (t *Target) Close() error {
	t.closed.Do(func() {
		switch t.srv.Mode {
		case control.Connected:
			t.leave()
			_ = t.srv.Client.Close()
		case control.Attached:
			t.detach()
		}
		t.srv.End()
		t.srv.Kill()
		<-t.srv.Lost
		if t.srv.Client != nil {
			_ = t.srv.Client.Close() // fails where the server's end closed it already
		}
		_ = t.srv.Conn.Close()
		t.srv.Tasks.Wait()
		if t.srv.Mode == control.Attached && t.srv.Client != nil && t.srv.Ending != nil {
			t.parting = fmt.Errorf("detach from process %d: %w: %s", t.srv.PID, t.srv.Ending, t.srv.Stderr)
		}
	})
	return t.parting
}

// PID returns the process id of the target.
func (t *Target) PID() int { return t.srv.PID }

// Lost returns a channel that is closed when the server process has ended, by
// Close or by accident.
func (t *Target) Lost() <-chan struct{} { return t.srv.Lost }

// Abilities says what can be done with the target.
func (t *Target) Abilities() debugger.Abilities { return t.srv.Can }
