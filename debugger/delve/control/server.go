package control

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/supervise"
)

// state is what the target is doing.
type state int

const (
	stopped state = iota
	running
	ended
)

// Server is the Delve server of a target as its client sees it, and the state
// that the target is in. Every part of a Target works through it.
type Server struct {
	Mode   Mode
	Can    debugger.Abilities
	Binary string // the program; empty where it is not known
	Conn   net.Conn
	Client *rpc.Client // nil until the server has launched the target
	PID    int
	Orphan atomic.Int64 // the same, for watch
	Stderr *tail

	queue  chan struct{}      // holds one token: its holder may use the client
	Urgent atomic.Int64       // how many wait for the token who cannot be kept waiting
	Life   context.Context    // ends with Close and with the server
	End    context.CancelFunc // ends life
	Lost   chan struct{}      // closed when the server process is gone
	Tasks  sync.WaitGroup     // resumes in progress
	Kill   context.CancelFunc // ends the server, the target and its descendants
	Ending error              // of the server process, once lost is closed

	mu    sync.Mutex
	state state
	exit  *debugger.Exit // set when ended by itself
	runs  uint64         // how often the target has gone on

	Dying bool // a crash was shown: the process only ends from there; for who holds the queue
}

// AnswerTime bounds the wait for a server's first answers. One that serves a
// single client lets a second one wait without a word.
const AnswerTime = 10 * time.Second

// ErrResumed is returned by an attempt to connect when another client has let the
// program go on in its middle: the server answers nothing then.
var ErrResumed = errors.New("another client of the server is running its program")

// Watch owns the server process: it waits for its end and notes it.
func (srv *Server) Watch(server *exec.Cmd) {
	srv.Ending = server.Wait()
	if srv.Mode == Launched && process.Killed(server.ProcessState) { // the supervisor: the rest lives on
		supervise.KillSession(server.Process.Pid)
		if pid := int(srv.Orphan.Load()); pid != 0 && process.Runs(pid, srv.Binary) {
			supervise.KillSession(pid) // on a terminal of its own it leads one
		}
	}
	srv.mu.Lock()
	srv.state = ended
	close(srv.Lost) // together: a caller that sees one asks for the other
	srv.mu.Unlock()
	srv.End()
}

// Gone says how the target ended, as far as it is known.
func (srv *Server) Gone() error {
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
	case <-srv.Lost:
		if srv.Mode == Connected {
			return fmt.Errorf("%w: the connection to its server is lost", debugger.ErrGone)
		}
		if text := srv.Stderr.String(); text != "" {
			return fmt.Errorf("%w: the debugger has ended: %s", debugger.ErrGone, text)
		}
	default:
	}
	return debugger.ErrGone
}

// NewServer returns a server at the end of the connection, with a target of that program;
// kill ends what is after it.
func NewServer(ctx context.Context, mode Mode, binary string, conn net.Conn, kill context.CancelFunc) *Server {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	return &Server{Mode: mode, Binary: binary, Conn: conn, Stderr: new(tail), queue: make(chan struct{}, 1),
		Life: life, End: end, Kill: kill, Lost: make(chan struct{})}
}

// Resumes is how often the target has gone on.
func (srv *Server) Resumes() uint64 {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	return srv.runs
}

// MarkEnded records that the target has ended.
func (srv *Server) MarkEnded() {
	srv.mu.Lock()
	defer srv.mu.Unlock()
	srv.state = ended
}

// Disconnected is called once the connection is at its end.
func (srv *Server) Disconnected() {
	srv.mu.Lock()
	srv.state = ended
	close(srv.Lost) // together: a caller that sees one asks for the other
	srv.mu.Unlock()
	srv.End()
}

// AskAbilities finds out what can be done with the target.
func (srv *Server) AskAbilities(ctx context.Context) error {
	recorded, err := rpc.Call[rpc2.RecordedOut](ctx, srv.Client, "Recorded", rpc2.RecordedIn{})
	if err != nil {
		return fmt.Errorf("ask whether the program is a recording: %w", err)
	}
	switch {
	case recorded.Recorded && recorded.TraceDirectory == "": // Delve calls a core dump a recording, too
		srv.Can = debugger.Abilities{Of: "a core dump"}
		return nil
	case recorded.Recorded:
		srv.Can = debugger.Abilities{Run: true, Reverse: true, Restart: true, Of: "a recording"}
		return nil
	}
	srv.Can = debugger.Abilities{Run: true, Write: true, Call: true}
	switch srv.Mode {
	case Launched:
		srv.Can.Restart, srv.Can.Input = true, true
	case Attached:
		srv.Can.Of = "a process that was started elsewhere"
	case Connected:
		srv.Can.Of = "the program of another debugger's server"
		foreign, err := rpc.Call[rpc2.AttachedToExistingProcessOut](ctx, srv.Client, "AttachedToExistingProcess", rpc2.AttachedToExistingProcessIn{})
		if err != nil {
			return fmt.Errorf("ask whether the server has started the target: %w", err)
		}
		srv.Can.Restart = !foreign.Answer
	}
	return nil
}

// StateNow asks for the program's state without waiting for its next stop. The
// server tells a running program by a mark that it sets a moment after it is
// deaf: asked in between, it answers at the program's next stop, and so this
// gives ErrResumed after a while.
func (srv *Server) StateNow(ctx context.Context) (api.DebuggerState, error) {
	short, cancel := context.WithTimeout(ctx, AnswerTime/5)
	defer cancel()
	out, err := rpc.Call[rpc2.StateOut](short, srv.Client, "State", rpc2.StateIn{NonBlocking: true})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return api.DebuggerState{}, ErrResumed
	case err != nil || out.State == nil:
		return api.DebuggerState{}, err
	}
	return *out.State, nil
}
