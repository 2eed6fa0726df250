package delve

import (
	"context"
	"time"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// Halt stops the running target; Resume then returns. It does nothing while
// the target is stopped.
func (t *Target) Halt() error {
	t.mu.Lock()
	state := t.state
	if state == running || t.resuming { // Resume may still wait for reads
		t.halting = true
	}
	t.mu.Unlock()
	switch state {
	case stopped:
		return nil
	case ended:
		return t.gone()
	}
	if t.multi { // what is read of a stop may hold the connection up
		ctx, cancel := context.WithCancel(t.life)
		defer cancel()
		defer time.AfterFunc(againAfter, func() { t.haltAside(ctx) }).Stop()
	}
	_, err := call[rpc2.CommandOut](t.life, t.client, "Command", api.DebuggerCommand{Name: api.Halt})
	if err != nil && t.usable() != nil {
		return t.gone()
	}
	return err
}

// againAfter is the time until a program is halted anew.
const againAfter = 250 * time.Millisecond

// takeHalted takes the target's turn, once what ran, or read, has stopped. It
// halts the program for that, again and again: another client of the server's
// may let it go on between the halt and what we still read of the stop.
func (t *Target) takeHalted(ctx context.Context) bool {
	runs := func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.halting = t.halting || t.state == running // stops that would be passed are stayed at
		return t.state == running
	}
	if runs() && !t.multi {
		t.tasks.Go(func() { _ = t.Halt() })
	}
	again := time.NewTicker(againAfter)
	defer again.Stop()
	for first := true; ; {
		ours := runs()
		if t.multi && (ours || !first) && t.haltAside(ctx) && !ours {
			t.foundRunning = true
		}
		first = false
		select {
		case t.queue <- struct{}{}:
			return true
		case <-again.C:
		case <-ctx.Done():
			return false
		}
	}
}

// held does something for which the program must not run, and keeps it from that:
// another client of the server's may let it go on at any time, and whatever is
// asked then waits for its next stop.
func (t *Target) held(ctx context.Context, do func(context.Context) error) error {
	if !t.multi {
		return do(ctx)
	}
	watched, end := context.WithCancel(ctx)
	ran := make(chan bool, 1)
	go func() { ran <- t.keepHalted(watched) }()
	err := do(ctx)
	end()
	if <-ran {
		t.foundRunning = true
	}
	return err
}

// keepHalted halts the program whenever it runs, until ctx ends, and tells
// whether it ran.
func (t *Target) keepHalted(ctx context.Context) (ran bool) {
	again := time.NewTicker(againAfter)
	defer again.Stop()
	for ctx.Err() == nil {
		ran = t.haltAside(ctx) || ran
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
	return ran
}

// haltAside halts the program over a connection of its own, and tells whether it
// ran. A server that holds one request up reads no further ones of the same
// connection, and it holds every read up once another client has let the program
// go on. A program that is held is not halted: it would be again, as soon as it
// goes on.
func (t *Target) haltAside(ctx context.Context) (ran bool) {
	ctx, cancel := context.WithTimeout(ctx, answerTime/5)
	defer cancel()
	conn, err := t.dial(ctx)
	if err != nil {
		return false
	}
	aside := newClient(conn)
	defer aside.rpc.Close()
	if _, err := call[api.SetAPIVersionOut](ctx, aside, "SetApiVersion", api.SetAPIVersionIn{APIVersion: 2}); err != nil {
		return false
	}
	state, err := call[rpc2.StateOut](ctx, aside, "State", rpc2.StateIn{NonBlocking: true})
	if err != nil || state.State == nil || !state.State.Running {
		return false
	}
	_, _ = call[rpc2.CommandOut](ctx, aside, "Command", api.DebuggerCommand{Name: api.Halt})
	return true
}
