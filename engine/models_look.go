package engine

import (
	"context"

	"github.com/pausetui/pausetui/session"
)

// Models is how a session finds models that were not named. Each field may
// be nil.
type Models struct {
	// Look finds out which models there are. It runs in the background from the
	// start, and says what it found.
	Look func(ctx context.Context) Found
	// Choose fills in what a profile leaves open at a class of stop: its model,
	// its prompt. why says so in words, and is empty when nothing was open. It may wait
	// for Look, as long as ctx lasts.
	Choose func(ctx context.Context, class string, p Profile) (chosen Profile, why string, err error)
	// Lookup makes a profile of a name that is not among Options.Fixes.Profiles.
	Lookup func(name string) (Profile, error)
	// Record is what was measured of a model, "provider/name", with a prompt on a
	// class of stop; nil when nothing was.
	Record func(class, model, prompt string) *session.Record
	// Caution says what speaks against verified fixes of a model on a class, from
	// its record; empty when nothing does.
	Caution func(class, model string) string
}

// Found is what a look at the models has shown.
type Found struct {
	Status string // one line: "f asks the best of 3 models"
	Words  []session.Notice
	// Then is done next, outside Run's goroutine, while there is time; it ends with ctx. nil
	// for nothing.
	Then func(ctx context.Context)
}

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
			ma.setLive(func(l *Live) { l.Status = found.Status })
			for _, w := range found.Words {
				ma.append(actorEngine, &w)
			}
		})
		if found.Then != nil {
			found.Then(ma.ctx)
		}
	})
}
