package engine

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// checkpoint takes a checkpoint of a recorded target.
func (rn *runner) checkpoint(i Checkpoint) {
	t, err := rn.held()
	if err != nil {
		rn.refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	rn.job(func() {
		c, err := t.Checkpoint(rn.ctx, i.Where)
		rn.post(func() {
			if err != nil {
				rn.refuse(err)
				return
			}
			rn.notice("info", fmt.Sprintf("checkpoint c%d is taken: restart c%d comes back here", c.ID, c.ID), "")
		})
	})
}

// Checkpoint implements console's recorder.
func (h host) Checkpoint(where string) error {
	t, err := h.e.inspection.target()
	if err != nil {
		return err
	}
	_, err = t.Checkpoint(h.e.ctx, where)
	return err
}

// Checkpoints implements console's recorder.
func (h host) Checkpoints() ([]debugger.Checkpoint, error) {
	t, err := h.e.inspection.target()
	if err != nil {
		return nil, err
	}
	return t.Checkpoints(h.e.ctx)
}

// ClearCheckpoint implements console's recorder.
func (h host) ClearCheckpoint(id int) error {
	t, err := h.e.inspection.target()
	if err != nil {
		return err
	}
	return t.ClearCheckpoint(h.e.ctx, id)
}
