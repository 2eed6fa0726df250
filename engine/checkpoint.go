package engine

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// checkpoint takes a checkpoint of a recorded target.
func (e *Engine) checkpoint(i Checkpoint) {
	t, err := e.held()
	if err != nil {
		e.refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	e.job(func() {
		c, err := t.Checkpoint(e.ctx, i.Where)
		e.post(func() {
			if err != nil {
				e.refuse(err)
				return
			}
			e.notice("info", fmt.Sprintf("checkpoint c%d is taken: restart c%d comes back here", c.ID, c.ID), "")
		})
	})
}

// restartFrom goes to a moment of a recorded target.
func (e *Engine) restartFrom(position string) {
	t, err := e.held()
	if err != nil {
		e.refuse(fmt.Errorf("restart from %s: %w", position, err))
		return
	}
	r := e.round
	e.job(func() {
		stop, err := t.RestartFrom(e.ctx, position)
		e.post(func() {
			if e.round != r || r.running {
				return
			}
			if err != nil {
				e.refuse(err)
				return
			}
			e.closeCase()
			e.moves()
			e.append(e.opts.Actor, &session.Stopped{Stop: stop, Ran: e.since(r.launched)})
			e.seeStop(stop)
		})
	})
}

// Checkpoint implements console's recorder.
func (h host) Checkpoint(where string) error {
	t, err := inspector{h.e}.target()
	if err != nil {
		return err
	}
	_, err = t.Checkpoint(h.e.ctx, where)
	return err
}

// Checkpoints implements console's recorder.
func (h host) Checkpoints() ([]debugger.Checkpoint, error) {
	t, err := inspector{h.e}.target()
	if err != nil {
		return nil, err
	}
	return t.Checkpoints(h.e.ctx)
}

// ClearCheckpoint implements console's recorder.
func (h host) ClearCheckpoint(id int) error {
	t, err := inspector{h.e}.target()
	if err != nil {
		return err
	}
	return t.ClearCheckpoint(h.e.ctx, id)
}
