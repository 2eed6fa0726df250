package delve

import (
	"context"
	"net"
	"time"

	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
	"github.com/pausetui/pausetui/debugger"
)

// halts records what was asked to stop and to go on, and stops a target
// that runs, also where another client of its server lets it run.
type halts struct {
	*server

	// Of a connection to another server; only Connect sets them.
	multi        bool // it serves several clients, and outlives us
	foundRunning bool // the target ran when we came
	dial         func(context.Context) (net.Conn, error)

	// Guarded by the server's mutex.
	halting     bool // Halt was asked for since the last resume
	resuming    bool // a Resume waits for the queue
	staleHalt   bool // a Halt came too late for its stop and may end the next resume
	haltedEarly bool // the stop is a halt's, which Delve has not come to yet
	repeated    bool // a halt of this run was asked for more than once
}

// Halt stops the running target, and waits until it is stopped; Resume then
// returns. It does nothing while the target is stopped.
//
// Delve forgets a halt that reaches it just before it lets the target run
// (proc.TargetGroup.Continue begins by clearing it), so it is asked again.
func (hs *halts) Halt() error {
	hs.mu.Lock()
	state, run := hs.state, hs.runs
	if state == running || hs.resuming { // Resume may still wait for reads
		hs.halting = true
	}
	hs.mu.Unlock()
	switch state {
	case stopped:
		return nil
	case ended:
		return hs.gone()
	}
	ctx, cancel := context.WithCancel(hs.life)
	defer cancel()
	if hs.multi { // what is read of a stop may hold the connection up
		defer time.AfterFunc(againAfter, func() { hs.haltSeparately(ctx) }).Stop()
	}
	for {
		done, err := hs.haltOnce(ctx, run)
		switch {
		case err != nil && hs.usable() != nil:
			return hs.gone()
		case err != nil || done:
			return err
		}
		hs.mu.Lock()
		hs.repeated = true
		hs.mu.Unlock()
	}
}

// haltOnce halts the target and waits for it to stop, but not for long.
func (hs *halts) haltOnce(ctx context.Context, run uint64) (done bool, err error) {
	answered := make(chan error, 1)
	hs.tasks.Go(func() { // while the target runs there is no answer
		_, err := call[rpc2.CommandOut](ctx, hs.client, "Command", api.DebuggerCommand{Name: api.Halt})
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
func (hs *halts) stillRuns(run uint64) bool {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	return hs.state == running && hs.runs == run
}

// againAfter is the time until a program is halted again.
const againAfter = 250 * time.Millisecond

// takeHalted takes the queue, once what ran, or read, has stopped. It
// halts the program for that, again and again: another client of the server's
// may let it go on between the halt and what we still read of the stop.
func (hs *halts) takeHalted(ctx context.Context) bool {
	runs := func() bool {
		hs.mu.Lock()
		defer hs.mu.Unlock()
		hs.halting = hs.halting || hs.state == running // stops that would be passed are stayed at
		return hs.state == running
	}
	again := time.NewTicker(againAfter)
	defer again.Stop()
	halted := false
	for first := true; ; {
		ours := runs()
		if ours && !hs.multi && !halted { // it may have begun to run only after we came
			halted = true
			hs.tasks.Go(func() { _ = hs.Halt() })
		}
		if hs.multi && (ours || !first) && hs.haltSeparately(ctx) && !ours {
			hs.foundRunning = true
		}
		first = false
		select {
		case hs.queue <- struct{}{}:
			return true
		case <-again.C:
		case <-ctx.Done():
			return false
		}
	}
}

// held does something for which the program must not run, and prevents that:
// another client of the server's may let it go on at any time, and whatever is
// asked then waits for its next stop.
func (hs *halts) held(ctx context.Context, do func(context.Context) error) error {
	if !hs.multi {
		return do(ctx)
	}
	watched, end := context.WithCancel(ctx)
	ran := make(chan bool, 1)
	go func() { ran <- hs.keepHalted(watched) }()
	err := do(ctx)
	end()
	if <-ran {
		hs.foundRunning = true
	}
	return err
}

// keepHalted halts the program whenever it runs, until ctx ends, and reports
// whether it ran.
func (hs *halts) keepHalted(ctx context.Context) (ran bool) {
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
func (hs *halts) haltSeparately(ctx context.Context) (ran bool) {
	ctx, cancel := context.WithTimeout(ctx, answerTime/5)
	defer cancel()
	conn, err := hs.dial(ctx)
	if err != nil {
		return false
	}
	second := newClient(conn)
	defer second.rpc.Close()
	if _, err := call[api.SetAPIVersionOut](ctx, second, "SetApiVersion", api.SetAPIVersionIn{APIVersion: 2}); err != nil {
		return false
	}
	state, err := call[rpc2.StateOut](ctx, second, "State", rpc2.StateIn{NonBlocking: true})
	if err != nil || state.State == nil || !state.State.Running {
		return false
	}
	_, _ = call[rpc2.CommandOut](ctx, second, "Command", api.DebuggerCommand{Name: api.Halt})
	return true
}

// Announce says that a call of Move follows, perhaps on another goroutine: a Halt
// from now on halts that move.
func (hs *halts) Announce() {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if hs.state == stopped && !hs.resuming {
		hs.resuming, hs.halting = true, false
	}
}

// begin takes the queue for a resume, which reads in progress may hold up. early
// tells that the target was halted meanwhile and shall not run at all.
func (hs *halts) begin(ctx context.Context) (early bool, err error) {
	hs.Announce()
	err = hs.take(ctx)
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if err != nil {
		if hs.state != running {
			hs.resuming = false
		}
		return false, err
	}
	early = hs.resuming && hs.halting && !hs.dying
	hs.resuming, hs.halting = false, false
	if !early {
		hs.state = running
		hs.repeated = false
		hs.runs++
		hs.tasks.Add(1)
	}
	return early, nil
}

// settle records that the target does not run any more.
func (hs *halts) settle(stop debugger.Stop) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	hs.staleHalt = hs.halting && (stop.Reason != debugger.ReasonHalt || hs.haltedEarly || hs.repeated)
	hs.haltedEarly = false
	if hs.state == running {
		hs.state = stopped
	}
	if stop.Ended() {
		hs.state, hs.exit = ended, stop.Exit
	}
}

// haltedHere reports whether a halt was asked for when the target came to a
// breakpoint that it would pass: it may have come too late to be Delve's reason.
func (hs *halts) haltedHere(state *api.DebuggerState) bool {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	hs.haltedEarly = hs.halting && !hs.dying && state.StopReason != proc.StopManual.String()
	return hs.halting && !hs.dying
}

// stale reports whether the stop is that of a halt which was meant for an earlier one.
func (hs *halts) stale(state *api.DebuggerState) bool {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	stale := state.StopReason == "manual" && hs.staleHalt && !hs.halting
	hs.staleHalt = false
	return stale
}
