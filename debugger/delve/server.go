package delve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"sync"
	"sync/atomic"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
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

// server is the Delve server of a target as its client sees it, and the state
// that the target is in. Every part of a Target works through it.
type server struct {
	mode   launchMode
	can    debugger.Abilities
	config Config
	want   order // what our server was asked for; zero for another server's target
	conn   net.Conn
	client *client // nil until the server has launched the target
	pid    int
	orphan atomic.Int64 // the same, for watch
	stderr *tail

	queue  chan struct{}      // holds one token: its holder may use the client
	urgent atomic.Int64       // how many wait for the token who cannot be kept waiting
	life   context.Context    // ends with Close and with the server
	end    context.CancelFunc // ends life
	lost   chan struct{}      // closed when the server process is gone
	tasks  sync.WaitGroup     // resumes in progress
	kill   context.CancelFunc // ends the server, the target and its descendants
	ending error              // of the server process, once lost is closed

	mu    sync.Mutex
	state state
	exit  *debugger.Exit // set when ended by itself
	runs  uint64         // how often the target has gone on

	dying bool // a crash was shown: the process only ends from there; for who holds the queue
}

// PID returns the process id of the target.
func (srv *server) PID() int { return srv.pid }

// Lost returns a channel that is closed when the server process has ended, by
// Close or by accident.
func (srv *server) Lost() <-chan struct{} { return srv.lost }

// watch owns the server process: it waits for its end and notes it.
func (srv *server) watch(server *exec.Cmd) {
	srv.ending = server.Wait()
	if srv.mode == launched && killed(server.ProcessState) { // the supervisor: the rest lives on
		supervise.KillSession(server.Process.Pid)
		if pid := int(srv.orphan.Load()); pid != 0 && runs(pid, srv.config.Binary) {
			supervise.KillSession(pid) // on a terminal of its own it leads one
		}
	}
	srv.mu.Lock()
	srv.state = ended
	close(srv.lost) // together: a caller that sees one asks for the other
	srv.mu.Unlock()
	srv.end()
}

// gone says how the target ended, as far as it is known.
func (srv *server) gone() error {
	srv.mu.Lock()
	exit := srv.exit
	srv.mu.Unlock()
	switch {
	case exit != nil && exit.Signal != "":
		return fmt.Errorf("%w: killed by %s", debugger.ErrGone, exit.Signal)
	case exit != nil:
		return fmt.Errorf("%w: it exited with %d", debugger.ErrGone, exit.Code)
	}
	select {
	case <-srv.lost:
		if srv.mode == connected {
			return fmt.Errorf("%w: the connection to its server is lost", debugger.ErrGone)
		}
		if text := srv.stderr.String(); text != "" {
			return fmt.Errorf("%w: the debugger has ended: %s", debugger.ErrGone, text)
		}
	default:
	}
	return debugger.ErrGone
}

// disconnected is called once the connection is at its end.
func (srv *server) disconnected() {
	srv.mu.Lock()
	srv.state = ended
	close(srv.lost) // together: a caller that sees one asks for the other
	srv.mu.Unlock()
	srv.end()
}

// Abilities says what can be done with the target.
func (srv *server) Abilities() debugger.Abilities { return srv.can }

// askAbilities finds out what can be done with the target.
func (srv *server) askAbilities(ctx context.Context) error {
	recorded, err := call[rpc2.RecordedOut](ctx, srv.client, "Recorded", rpc2.RecordedIn{})
	if err != nil {
		return fmt.Errorf("ask whether the program is a recording: %w", err)
	}
	switch {
	case recorded.Recorded && recorded.TraceDirectory == "": // Delve calls a core dump a recording, too
		srv.can = debugger.Abilities{Of: "a core dump"}
		return nil
	case recorded.Recorded:
		srv.can = debugger.Abilities{Run: true, Reverse: true, Restart: true, Of: "a recording"}
		return nil
	}
	srv.can = debugger.Abilities{Run: true, Write: true, Call: true}
	switch srv.mode {
	case launched:
		srv.can.Restart, srv.can.Input = true, true
	case attached:
		srv.can.Of = "a process that was started elsewhere"
	case connected:
		srv.can.Of = "the program of another debugger's server"
		foreign, err := call[rpc2.AttachedToExistingProcessOut](ctx, srv.client, "AttachedToExistingProcess", rpc2.AttachedToExistingProcessIn{})
		if err != nil {
			return fmt.Errorf("ask whether the server has started the target: %w", err)
		}
		srv.can.Restart = !foreign.Answer
	}
	return nil
}

// stateNow asks for the program's state without waiting for its next stop. The
// server tells a running program by a mark that it sets a moment after it is
// deaf: asked in between, it answers at the program's next stop, and so this
// gives errResumed after a while.
func (srv *server) stateNow(ctx context.Context) (api.DebuggerState, error) {
	short, cancel := context.WithTimeout(ctx, answerTime/5)
	defer cancel()
	out, err := call[rpc2.StateOut](short, srv.client, "State", rpc2.StateIn{NonBlocking: true})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return api.DebuggerState{}, errResumed
	case err != nil || out.State == nil:
		return api.DebuggerState{}, err
	}
	return *out.State, nil
}
