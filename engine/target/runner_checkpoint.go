package target

import (
	"fmt"

	"github.com/pausetui/pausetui/engine/intent"
)

// Checkpoint takes a checkpoint of a recorded target.
func (rn *Runner) Checkpoint(i intent.Checkpoint) {
	t, err := rn.Held()
	if err != nil {
		rn.Refuse(fmt.Errorf("checkpoint: %w", err))
		return
	}
	t = rn.Past.Holding(t, rn.State())
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
