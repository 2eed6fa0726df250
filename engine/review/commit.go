package review

import (
	"context"
	"errors"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

var errCommitting = advice.Add(errors.New("git commit is under way"), "wait a moment, then try again")

// commit makes a git commit of a change that was written, or taken back,
// outside Run's goroutine, and then calls next. Without one the change is in the source all
// the same, and the journal says why. A session that ends waits for it.
func (rv *Review) commit(candidate string, undo bool, next func()) {
	rv.committing = true
	rv.Runner.Busy = rv.Runner.Busy || !undo // until next
	site, state := rv.site(), rv.State()
	status := rv.ShowStatus("git commit…")
	ctx := context.WithoutCancel(rv.Ctx) // Commit has a limit of its own
	rv.Job(func() {
		made, warnings, err := site.Commit(ctx, state, candidate, undo)
		// Recorded here, not by Run: the session may have ended meanwhile.
		if err != nil {
			rv.Append(session.EngineActor, &session.CommitFailed{Candidate: candidate, Err: err.Error(), Hint: advice.Of(err), Undo: undo})
		} else {
			rv.Append(session.EngineActor, made)
		}
		for _, w := range warnings {
			rv.Notice("warn", w, "")
		}
		rv.ShowStatus(status)
		rv.Post(func() {
			rv.committing = false
			rv.Runner.Busy = rv.Runner.Busy && undo
			next()
		})
	})
}
