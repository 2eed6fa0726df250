package control

import (
	"cmp"
	"context"
	"errors"

	"github.com/pausetui/pausetui/debugger"
)

// One operation at a time goes to the server: the one that has the queue's token.

// Do runs one operation on the stopped target, when it has the queue.
func (srv *Server) Do(ctx context.Context, operation func(ctx context.Context) error) error {
	if err := srv.take(ctx); err != nil {
		return err
	}
	defer srv.Release()
	err := operation(ctx)
	if err != nil && srv.Life.Err() != nil && ctx.Err() == nil {
		return srv.Gone()
	}
	return err
}

// DoInBackground runs a long operation that others may interrupt: it calls pause
// where they may. What it has read stays true, or pause fails.
func (srv *Server) DoInBackground(ctx context.Context, operation func(ctx context.Context, pause func() error) error) error {
	run := srv.Resumes()
	held := false
	pause := func() error {
		if held && srv.Urgent.Load() == 0 {
			return ctx.Err()
		}
		if held {
			srv.Release()
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
		srv.Release()
	}
	if err != nil && srv.Life.Err() != nil && ctx.Err() == nil {
		return srv.Gone()
	}
	return err
}

// take waits for the queue's token, before what is done in the background. It fails at
// once where waiting is idle.
func (srv *Server) take(ctx context.Context) error {
	srv.Urgent.Add(1)
	defer srv.Urgent.Add(-1)
	return srv.wait(ctx)
}

func (srv *Server) wait(ctx context.Context) error {
	if err := srv.Usable(); err != nil {
		return err
	}
	select {
	case srv.queue <- struct{}{}:
	case <-srv.Life.Done():
		return srv.Gone()
	case <-ctx.Done():
		return ctx.Err()
	}
	// It may have been resumed meanwhile, and a select picks any of what is ready.
	if err := cmp.Or(srv.Usable(), ctx.Err()); err != nil {
		srv.Release()
		return err
	}
	return nil
}

// Release gives the token back.
func (srv *Server) Release() { <-srv.queue }

// Usable tells why an operation is not possible now.
func (srv *Server) Usable() error {
	srv.mu.Lock()
	state := srv.state
	srv.mu.Unlock()
	switch state {
	case running:
		return debugger.ErrRunning
	case ended:
		return srv.Gone()
	}
	return nil
}

// TakeEnded is take for a target that may have ended, while its server has not.
func (srv *Server) TakeEnded(ctx context.Context) error {
	if err := srv.Usable(); errors.Is(err, debugger.ErrRunning) {
		return err
	}
	select {
	case srv.queue <- struct{}{}:
		return nil
	case <-srv.Life.Done():
		return srv.Gone()
	case <-ctx.Done():
		return ctx.Err()
	}
}
