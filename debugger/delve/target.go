package delve

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/supervise"
)

// state is what the target is doing.
type state int

const (
	stopped state = iota
	running
	ended
)

// Target is a program under Delve. Its methods may be called from several
// goroutines; it implements debugger.Inspector.
type Target struct {
	way    way
	can    debugger.Abilities
	config Config
	want   order // what our server was told; nothing for another server's target
	conn   net.Conn
	client *client // nil until the server has launched the target
	pid    int
	orphan atomic.Int64 // the same, for watch
	stderr *tail
	users  userDirs

	queue   chan struct{}      // holds one token: whoever has it may use the client
	urgent  atomic.Int64       // how many wait for the token who cannot be kept waiting
	life    context.Context    // ends with Close and with the server
	end     context.CancelFunc // ends life
	lost    chan struct{}      // closed when the server process is gone
	tasks   sync.WaitGroup     // resumes under way
	kill    context.CancelFunc // ends the server, the target and its descendants
	closed  sync.Once
	parting error            // of Close
	ending  error            // of the server process, once lost is closed
	build   *debug.BuildInfo // what the program says of its build; nil when nothing
	bare    bool             // without debug information
	sources parsedFiles

	// Of a connection to another server.
	multi        bool // it serves several clients, and outlives us
	foundRunning bool // the target ran when we came
	dial         func(context.Context) (net.Conn, error)

	mu        sync.Mutex
	state     state
	exit      *debugger.Exit // set when ended by itself
	halting   bool           // Halt was asked for since the last resume
	resuming  bool           // a Resume waits for the queue
	runs      uint64         // how often the target has gone on
	staleHalt bool           // a Halt came too late for its stop and may end the next resume
	// haltedEarly: the stop is a halt's, which Delve has not come to yet.
	haltedEarly bool

	panics      map[debugger.GoroutineID]pending // typed panic values, until the fatal stop
	waiting     []waiting                        // with something to show, still to be shown
	dying       bool                             // a crash was shown: the process only ends from there
	waitReasons []string                         // the runtime's words, read once

	breaks map[int]*told // the person's breakpoints, by Delve's number
	step   *step         // that was interrupted, and can be gone on with; nil without one

	passed     map[debugger.GoroutineID]bool   // whose panic was not shown when it began
	recovering map[string]bool                 // functions that recover what their package throws
	saying     map[debugger.GoroutineID]string // what a test that is about to fail has logged
	failedAt   map[debugger.GoroutineID]string // where a test failed last
	helpers    map[string]bool                 // the helpers of the failing test that is being shown
	awaited    int                             // breakpoint at the report of the test that is waited for; 0 without one
	heard      func(debugger.TestReport)       // … and who waits

	// of goroutines; they belong to whoever holds the queue
	layout    *layout // nil until it was read
	crowd     *crowd  // of the last stop whose goroutines were asked for
	kinds     map[uint64]kind
	labelSets map[uint64]map[string]string // by address
	stoppedAt int64                        // by this machine's clock, see monotonic
	indirect  bool                         // memory has to be read through Delve
	several   bool                         // processes may be debugged, and be of other programs

	maps map[uint64]*mapIndex // large maps of this stop, by address; they belong to whoever holds the queue
}

// PID returns the process id of the target.
func (t *Target) PID() int { return t.pid }

// Lost returns a channel that is closed when the server process has ended, by
// Close or by accident.
func (t *Target) Lost() <-chan struct{} { return t.lost }

// Close kills a target that was launched, whatever it started and the server,
// and waits for their end. A process that was attached to runs on without a
// trace of us, a target of another server's is left as it was found; the error
// says that this cannot be vouched for. Close may be called at any time and
// more than once.
func (t *Target) Close() error {
	t.closed.Do(func() {
		switch t.way {
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
		if t.way == attached && t.client != nil && t.ending != nil {
			t.parting = fmt.Errorf("detach from process %d: %w: %s", t.pid, t.ending, t.stderr)
		}
	})
	return t.parting
}

// watch owns the server process: it waits for its end and tells everybody.
func (t *Target) watch(server *exec.Cmd) {
	t.ending = server.Wait()
	if t.way == launched && killed(server.ProcessState) { // the supervisor: nobody has ended the rest
		supervise.KillSession(server.Process.Pid)
		if pid := int(t.orphan.Load()); pid != 0 && runs(pid, t.config.Binary) {
			supervise.KillSession(pid) // on a terminal of its own it leads one
		}
	}
	t.mu.Lock()
	t.state = ended
	t.mu.Unlock()
	t.end()
	close(t.lost)
}

// do runs one operation on the stopped target, in its turn.
func (t *Target) do(ctx context.Context, operation func(ctx context.Context) error) error {
	if err := t.take(ctx); err != nil {
		return err
	}
	defer t.release()
	err := operation(ctx)
	if err != nil && t.life.Err() != nil && ctx.Err() == nil {
		return t.gone()
	}
	return err
}

// doAside runs a long operation that others go ahead of: it calls pause
// wherever they may. What it has read stays true, or pause fails.
func (t *Target) doAside(ctx context.Context, operation func(ctx context.Context, pause func() error) error) error {
	t.mu.Lock()
	run := t.runs
	t.mu.Unlock()
	held := false
	pause := func() error {
		if held && t.urgent.Load() == 0 {
			return ctx.Err()
		}
		if held {
			t.release()
			held = false
		}
		if err := t.wait(ctx); err != nil {
			return err
		}
		held = true
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.runs != run {
			return debugger.ErrRunning
		}
		return nil
	}
	err := pause()
	if err == nil {
		err = operation(ctx, pause)
	}
	if held {
		t.release()
	}
	if err != nil && t.life.Err() != nil && ctx.Err() == nil {
		return t.gone()
	}
	return err
}

// take waits for the queue's token, ahead of what is done aside. It fails at
// once where waiting is idle.
func (t *Target) take(ctx context.Context) error {
	t.urgent.Add(1)
	defer t.urgent.Add(-1)
	return t.wait(ctx)
}

func (t *Target) wait(ctx context.Context) error {
	if err := t.usable(); err != nil {
		return err
	}
	select {
	case t.queue <- struct{}{}:
	case <-t.life.Done():
		return t.gone()
	case <-ctx.Done():
		return ctx.Err()
	}
	// It may have been resumed meanwhile, and a select picks any of what is ready.
	if err := cmp.Or(t.usable(), ctx.Err()); err != nil {
		t.release()
		return err
	}
	return nil
}

func (t *Target) release() { <-t.queue }

// usable tells why an operation is not possible now.
func (t *Target) usable() error {
	t.mu.Lock()
	state := t.state
	t.mu.Unlock()
	switch state {
	case running:
		return debugger.ErrRunning
	case ended:
		return t.gone()
	}
	return nil
}

// gone says how the target ended, as far as it is known.
func (t *Target) gone() error {
	t.mu.Lock()
	exit := t.exit
	t.mu.Unlock()
	switch {
	case exit != nil && exit.Signal != "":
		return fmt.Errorf("%w: killed by %s", debugger.ErrGone, exit.Signal)
	case exit != nil:
		return fmt.Errorf("%w: it exited with %d", debugger.ErrGone, exit.Code)
	}
	select {
	case <-t.lost:
		if t.way == connected {
			return fmt.Errorf("%w: the connection to its server is lost", debugger.ErrGone)
		}
		if text := t.stderr.String(); text != "" {
			return fmt.Errorf("%w: the debugger has ended: %s", debugger.ErrGone, text)
		}
	default:
	}
	return debugger.ErrGone
}
