package control

import (
	"context"
	"net"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Halts records what was asked to stop and to go on, and stops a target
// that runs, also where another client of its server lets it run.
type Halts struct {
	srv   *Server
	Other otherServer // only Connect sets it

	// Guarded by the server's mutex.
	halting     bool // Halt was asked for since the last resume
	resuming    bool // a Resume waits for the queue
	staleHalt   bool // a Halt came too late for its stop and may end the next resume
	haltedEarly bool // the stop is a halt's, which Delve has not come to yet
	repeated    bool // a halt of this run was asked for more than once
}

// otherServer is what is known of a server that we have not started.
type otherServer struct {
	Multi        bool // it serves several clients, and outlives us
	FoundRunning bool // the target ran when we came
	Dial         func(context.Context) (net.Conn, error)
}

// NewHalts returns what halts the target of a server.
func NewHalts(srv *Server) *Halts { return &Halts{srv: srv} }

// Restarted records that the server has started its program again, and holds it.
func Restarted(hs *Halts) {
	hs.srv.mu.Lock()
	hs.srv.state, hs.srv.exit, hs.halting, hs.resuming, hs.staleHalt = stopped, nil, false, false, false
	hs.srv.mu.Unlock()
}

// Halt stops the running target, and waits until it is stopped; Resume then
// returns. It does nothing while the target is stopped.
//
// Delve forgets a halt that reaches it just before it lets the target run
// (proc.TargetGroup.Continue begins by clearing it), so it is asked again.
func (hs *Halts) Halt() error {
	hs.srv.mu.Lock()
	state, run := hs.srv.state, hs.srv.runs
	if state == running || hs.resuming { // Resume may still wait for reads
		hs.halting = true
	}
	hs.srv.mu.Unlock()
	switch state {
	case stopped:
		return nil
	case ended:
		return hs.srv.Gone()
	}
	ctx, cancel := context.WithCancel(hs.srv.Life)
	defer cancel()
	if hs.Other.Multi { // what is read of a stop may hold the connection up
		defer time.AfterFunc(againAfter, func() { hs.haltSeparately(ctx) }).Stop()
	}
	for {
		done, err := hs.haltOnce(ctx, run)
		switch {
		case err != nil && hs.srv.Usable() != nil:
			return hs.srv.Gone()
		case err != nil || done:
			return err
		}
		hs.srv.mu.Lock()
		hs.repeated = true
		hs.srv.mu.Unlock()
	}
}

// haltOnce halts the target and waits for it to stop, but not for long.
func (hs *Halts) haltOnce(ctx context.Context, run uint64) (done bool, err error) {
	answered := make(chan error, 1)
	hs.srv.Tasks.Go(func() { // while the target runs there is no answer
		_, err := rpc.Call[rpc2.CommandOut](ctx, hs.srv.Client, "Command", api.DebuggerCommand{Name: api.Halt})
		answered <- err
	})
	soon := time.NewTimer(againAfter)
	defer soon.Stop()
	look := time.NewTicker(againAfter / 50)
	defer look.Stop()
	for {
		select {
		case err := <-answered:
			if err != nil {
				return false, err
			}
		case <-look.C:
			if !hs.stillRuns(run) {
				return true, nil
			}
		case <-soon.C:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// stillRuns reports whether the target runs since the resume with that number.
func (hs *Halts) stillRuns(run uint64) bool {
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	return hs.srv.state == running && hs.srv.runs == run
}

// againAfter is the time until a program is halted again.
const againAfter = 250 * time.Millisecond

// TakeHalted takes the queue, once what ran, or read, has stopped. It
// halts the program for that, again and again: another client of the server's
// may let it go on between the halt and what we still read of the stop.
func TakeHalted(ctx context.Context, hs *Halts) bool {
	runs := func() bool {
		hs.srv.mu.Lock()
		defer hs.srv.mu.Unlock()
		hs.halting = hs.halting || hs.srv.state == running // stops that would be passed are stayed at
		return hs.srv.state == running
	}
	again := time.NewTicker(againAfter)
	defer again.Stop()
	halted := false
	for first := true; ; {
		ours := runs()
		if ours && !hs.Other.Multi && !halted { // it may have begun to run only after we came
			halted = true
			hs.srv.Tasks.Go(func() { _ = hs.Halt() })
		}
		if hs.Other.Multi && (ours || !first) && hs.haltSeparately(ctx) && !ours {
			hs.Other.FoundRunning = true
		}
		first = false
		select {
		case hs.srv.queue <- struct{}{}:
			return true
		case <-again.C:
		case <-ctx.Done():
			return false
		}
	}
}

// Held does something for which the program must not run, and prevents that:
// another client of the server's may let it go on at any time, and whatever is
// asked then waits for its next stop.
func Held(ctx context.Context, hs *Halts, do func(context.Context) error) error {
	if !hs.Other.Multi {
		return do(ctx)
	}
	watched, end := context.WithCancel(ctx)
	ran := make(chan bool, 1)
	go func() { ran <- hs.keepHalted(watched) }()
	err := do(ctx)
	end()
	if <-ran {
		hs.Other.FoundRunning = true
	}
	return err
}

// keepHalted halts the program whenever it runs, until ctx ends, and reports
// whether it ran.
func (hs *Halts) keepHalted(ctx context.Context) (ran bool) {
	again := time.NewTicker(againAfter)
	defer again.Stop()
	for ctx.Err() == nil {
		ran = hs.haltSeparately(ctx) || ran
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
	return ran
}

// haltSeparately halts the program over a connection of its own, and reports whether it
// ran. A server that holds one request up reads no further ones of the same
// connection, and it holds every read up once another client has let the program
// go on. A program that is held is not halted: it would be again, as soon as it
// goes on.
func (hs *Halts) haltSeparately(ctx context.Context) (ran bool) {
	ctx, cancel := context.WithTimeout(ctx, AnswerTime/5)
	defer cancel()
	conn, err := hs.Other.Dial(ctx)
	if err != nil {
		return false
	}
	second := rpc.NewClient(conn)
	defer second.Close()
	if _, err := rpc.Call[api.SetAPIVersionOut](ctx, second, "SetApiVersion", api.SetAPIVersionIn{APIVersion: 2}); err != nil {
		return false
	}
	state, err := rpc.Call[rpc2.StateOut](ctx, second, "State", rpc2.StateIn{NonBlocking: true})
	if err != nil || state.State == nil || !state.State.Running {
		return false
	}
	_, _ = rpc.Call[rpc2.CommandOut](ctx, second, "Command", api.DebuggerCommand{Name: api.Halt})
	return true
}

// Announce says that a call of Move follows, perhaps on another goroutine: a Halt
// from now on halts that move.
func (hs *Halts) Announce() {
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	if hs.srv.state == stopped && !hs.resuming {
		hs.resuming, hs.halting = true, false
	}
}

// Begin takes the queue for a resume, which reads in progress may hold up. early
// tells that the target was halted meanwhile and shall not run at all.
func Begin(ctx context.Context, hs *Halts) (early bool, err error) {
	hs.Announce()
	err = hs.srv.take(ctx)
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	if err != nil {
		if hs.srv.state != running {
			hs.resuming = false
		}
		return false, err
	}
	early = hs.resuming && hs.halting && !hs.srv.Dying
	hs.resuming, hs.halting = false, false
	if !early {
		hs.srv.state = running
		hs.repeated = false
		hs.srv.runs++
		hs.srv.Tasks.Add(1)
	}
	return early, nil
}

// Settle records that the target does not run any more.
func Settle(hs *Halts, stop debugger.Stop) {
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	hs.staleHalt = hs.halting && (stop.Reason != debugger.ReasonHalt || hs.haltedEarly || hs.repeated)
	hs.haltedEarly = false
	if hs.srv.state == running {
		hs.srv.state = stopped
	}
	if stop.Ended() {
		hs.srv.state, hs.srv.exit = ended, stop.Exit
	}
}

// HaltedHere reports whether a halt was asked for when the target came to a
// breakpoint that it would pass: it may have come too late to be Delve's reason.
func HaltedHere(hs *Halts, state *api.DebuggerState) bool {
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	hs.haltedEarly = hs.halting && !hs.srv.Dying && state.StopReason != proc.StopManual.String()
	return hs.halting && !hs.srv.Dying
}

// Stale reports whether the stop is that of a halt which was meant for an earlier one.
func Stale(hs *Halts, state *api.DebuggerState) bool {
	hs.srv.mu.Lock()
	defer hs.srv.mu.Unlock()
	stale := state.StopReason == "manual" && hs.staleHalt && !hs.halting
	hs.staleHalt = false
	return stale
}
