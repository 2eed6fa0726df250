package engine

import (
	"fmt"
	"github.com/pausetui/pausetui/engine/intent"
)

// checkpoint takes a checkpoint of a recorded target.
func (rn *runner) checkpoint(i intent.Checkpoint) {
	t, err := rn.held()
	if err != nil {
		rn.Refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	t = rn.past.holding(t, rn.State())
	rn.Job(func() {
		c, err := t.Checkpoint(rn.Ctx, i.Where)
		rn.Post(func() {
			if err != nil {
				rn.Refuse(err)
				return
			}
			rn.Notice("info", fmt.Sprintf("checkpoint c%d is taken: restart c%d comes back here", c.ID, c.ID), "")
		})
	})
}
