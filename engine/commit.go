package engine

import (
	"context"
	"errors"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

var errCommitting = advice.Add(errors.New("git commit is under way"), "wait a moment, then try again")

// commit makes a git commit of a change that was written, or taken back,
// beside Run, and then calls next. Without one the change is in the source all
// the same, and the record says why. A session that ends waits for it.
func (e *Engine) commit(candidate string, undo bool, next func()) {
	e.committing = true
	e.busy = e.busy || !undo // until next
	site, state := e.site(), e.State()
	status := e.showStatus("git commit…")
	ctx := context.WithoutCancel(e.ctx) // Commit has a limit of its own
	e.job(func() {
		made, warnings, err := site.Commit(ctx, state, candidate, undo)
		// Recorded here, not by Run: the session may have ended meanwhile.
		if err != nil {
			e.append(actorEngine, &session.CommitFailed{Candidate: candidate, Err: err.Error(), Hint: advice.Of(err), Undo: undo})
		} else {
			e.append(actorEngine, made)
		}
		for _, w := range warnings {
			e.notice("warn", w, "")
		}
		e.showStatus(status)
		e.post(func() {
			e.committing = false
			e.busy = e.busy && undo
			next()
		})
	})
}

// showStatus sets the status line and returns what it was.
func (e *Engine) showStatus(text string) (before string) {
	e.setLive(func(l *Live) { before, l.Status = l.Status, text })
	return before
}
