package engine

import (
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// look has the models found, outside Run's goroutine.
func (ma *modelAccess) look() {
	if ma.opts.Fixes.Models.Look == nil {
		return
	}
	ma.job(func() {
		found := ma.opts.Fixes.Models.Look(ma.ctx)
		if ma.ctx.Err() != nil {
			return
		}
		ma.post(func() {
			ma.setLive(func(l *live.State) { l.Status = found.Status })
			for _, w := range found.Words {
				ma.append(session.EngineActor, &w)
			}
		})
		if found.Then != nil {
			found.Then(ma.ctx)
		}
	})
}
