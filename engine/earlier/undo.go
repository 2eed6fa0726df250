package earlier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// Taken is a change that Undo has undone.
type Taken struct {
	Candidate session.CandidateRecord
	Edits     []patch.Edit // those that are undone
	Reverted  string       // hash of the commit that takes it back; empty without one
	Words     []session.Notice
}

// Undo takes back the last change that a session has applied and that is
// still in the source, without starting anything. It touches only files of the
// module whose root is given, and acts on a journal that this user's pausetui did
// not write only when that is trusted. Its errors carry hints.
func Undo(ctx context.Context, journal, root string, trusted bool) (Taken, error) {
	if err := MayActOn(journal, trusted); err != nil {
		return Taken{}, err
	}
	started, err := session.ReadStarted(journal)
	if err != nil {
		return Taken{}, Unreadable(journal, err)
	}
	ws, err := FindModules(ctx, started)
	if err != nil {
		return Taken{}, err
	}
	if !sameDir(ws.Root, root) {
		return Taken{}, advice.Add(fmt.Errorf("the session is of another module: %q", ws.Root), "undo it there: only the module of this directory is touched")
	}
	taken := Taken{Words: apply.Recover(ctx, filepath.Dir(journal), ws)}
	log, events, _, err := session.OpenLog(journal, trusted, time.Now)
	if err != nil {
		return taken, Unreadable(journal, err)
	}
	state := session.Fold(session.NewState(), events)
	site := apply.Site{Workspace: ws, Log: log, Record: func(who string, body session.Body) error {
		e, err := log.Append(who, body)
		if n, ok := body.(*session.Notice); ok {
			taken.Words = append(taken.Words, *n)
		}
		state = state.Apply(e)
		return err
	}}
	a, err := site.Undo(ctx, state, session.PersonActor, "")
	if err != nil {
		return taken, errors.Join(notUndone(err, journal, state, a), log.Close())
	}
	taken.Candidate, _ = state.Candidate(a.Candidate)
	taken.Edits = taken.Candidate.ToWrite()
	if a.Commit != "" {
		taken.revert(ctx, site, state)
	}
	return taken, log.Close()
}

// sameDir reports whether two paths lead to the same directory.
func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// revert makes the commit that takes the change back.
func (t *Taken) revert(ctx context.Context, site apply.Site, state session.State) {
	made, warnings, err := site.Commit(ctx, state, t.Candidate.ID, true)
	for _, w := range warnings {
		t.Words = append(t.Words, session.Notice{Level: "warn", Text: w})
	}
	if err != nil {
		failed := &session.CommitFailed{Candidate: t.Candidate.ID, Err: err.Error(), Hint: advice.Of(err), Undo: true}
		_ = site.Record(session.EngineActor, failed)
		t.Words = append(t.Words, session.Notice{Level: "warn", Text: failed.Err, Hint: failed.Hint})
		return
	}
	t.Reverted = made.Hash
	_ = site.Record(session.EngineActor, made)
}

// notUndone names the later session that prevents the undo, if there is one.
func notUndone(err error, journal string, state session.State, a session.AppliedRecord) error {
	if !errors.Is(err, patch.ErrChanged) {
		return err
	}
	list, _ := session.List(filepath.Dir(journal))
	for _, e := range slices.Backward(list) {
		if e.Journal == journal {
			break
		}
		events, _ := session.ReadFile(e.Journal)
		later := session.Fold(session.NewState(), events)
		if later.Started.Workspace.Root == state.Started.Workspace.Root && touches(later, a.Files) {
			return advice.Add(fmt.Errorf("%w; session %s has changed it later", err, e.Name), "undo that one first: pausetui sessions undo "+e.Name)
		}
	}
	return err
}

// touches reports whether a change that is in the source is of one of the files.
func touches(s session.State, files []session.FileChange) bool {
	return slices.ContainsFunc(s.Applied, func(a session.AppliedRecord) bool {
		return !a.Undone && slices.ContainsFunc(a.Files, func(f session.FileChange) bool {
			return slices.ContainsFunc(files, func(g session.FileChange) bool { return f.File == g.File })
		})
	})
}
