package engine

import (
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// look has the models found, outside Run's goroutine.
func (ma *modelAccess) look() {
	if ma.Opts.Fixes.Models.Look == nil {
		return
	}
	ma.Job(func() {
		found := ma.Opts.Fixes.Models.Look(ma.Ctx)
		if ma.Ctx.Err() != nil {
			return
		}
		ma.Post(func() {
			ma.SetLive(func(l *live.State) { l.Status = found.Status })
			for _, w := range found.Words {
				ma.Append(session.EngineActor, &w)
			}
		})
		if found.Then != nil {
			found.Then(ma.Ctx)
		}
	})
}
