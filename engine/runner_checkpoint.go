package engine

import (
	"fmt"
	"github.com/pausetui/pausetui/engine/intent"
)

// checkpoint takes a checkpoint of a recorded target.
func (rn *runner) checkpoint(i intent.Checkpoint) {
	t, err := rn.held()
	if err != nil {
		rn.refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	t = rn.past.holding(t, rn.State())
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
