package delve

import (
	"cmp"
	"context"
	"errors"

	"github.com/pausetui/pausetui/debugger"
)

// One operation at a time goes to the server: the one that has the queue's token.

// do runs one operation on the stopped target, when it has the queue.
func (srv *server) do(ctx context.Context, operation func(ctx context.Context) error) error {
	if err := srv.take(ctx); err != nil {
		return err
	}
	defer srv.release()
	err := operation(ctx)
	if err != nil && srv.life.Err() != nil && ctx.Err() == nil {
		return srv.gone()
	}
	return err
}

// doInBackground runs a long operation that others may interrupt: it calls pause
// where they may. What it has read stays true, or pause fails.
func (srv *server) doInBackground(ctx context.Context, operation func(ctx context.Context, pause func() error) error) error {
	srv.mu.Lock()
	run := srv.runs
	srv.mu.Unlock()
	held := false
	pause := func() error {
		if held && srv.urgent.Load() == 0 {
			return ctx.Err()
		}
		if held {
			srv.release()
			held = false
		}
		if err := srv.wait(ctx); err != nil {
			return err
		}
		held = true
		srv.mu.Lock()
		defer srv.mu.Unlock()
		if srv.runs != run {
			return debugger.ErrRunning
		}
		return nil
	}
	err := pause()
	if err == nil {
		err = operation(ctx, pause)
	}
	if held {
		srv.release()
	}
	if err != nil && srv.life.Err() != nil && ctx.Err() == nil {
		return srv.gone()
	}
	return err
}

// take waits for the queue's token, before what is done in the background. It fails at
// once where waiting is idle.
func (srv *server) take(ctx context.Context) error {
	srv.urgent.Add(1)
	defer srv.urgent.Add(-1)
	return srv.wait(ctx)
}

func (srv *server) wait(ctx context.Context) error {
	if err := srv.usable(); err != nil {
		return err
	}
	select {
	case srv.queue <- struct{}{}:
	case <-srv.life.Done():
		return srv.gone()
	case <-ctx.Done():
		return ctx.Err()
	}
	// It may have been resumed meanwhile, and a select picks any of what is ready.
	if err := cmp.Or(srv.usable(), ctx.Err()); err != nil {
		srv.release()
		return err
	}
	return nil
}

func (srv *server) release() { <-srv.queue }

// usable tells why an operation is not possible now.
func (srv *server) usable() error {
	srv.mu.Lock()
	state := srv.state
	srv.mu.Unlock()
	switch state {
	case running:
		return debugger.ErrRunning
	case ended:
		return srv.gone()
	}
	return nil
}

// takeEnded is take for a target that may have ended, while its server has not.
func (srv *server) takeEnded(ctx context.Context) error {
	if err := srv.usable(); errors.Is(err, debugger.ErrRunning) {
		return err
	}
	select {
	case srv.queue <- struct{}{}:
		return nil
	case <-srv.life.Done():
		return srv.gone()
	case <-ctx.Done():
		return ctx.Err()
	}
}
