package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// recoverWithin is how far back journals are searched for interrupted applies.
const recoverWithin = 7 * 24 * time.Hour

// recoverApplies rolls back applies, and completes undos, that a kill has
// interrupted half way: journals whose last word on them is that they began.
func recoverApplies(dir, root string) []session.Notice {
	entries, _ := os.ReadDir(dir) // not Glob: the path may hold its signs
	var notices []session.Notice
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		info, err := entry.Info()
		if err != nil || filepath.Ext(path) != ".jsonl" || time.Since(info.ModTime()) > recoverWithin {
			continue
		}
		events, _ := session.ReadFile(path) // what can be read of a damaged one
		state := session.Fold(session.NewState(), events)
		if state.Pending == nil || state.Ended != nil {
			continue
		}
		journal, err := session.ReopenJournal(path, state.Seq, time.Now)
		if err != nil {
			continue // it still runs
		}
		n, isNew := recoverOne(root, state, *state.Pending)
		if n.Text != "" {
			notices = append(notices, n)
		}
		// Said once: the next start must not undo what was done since.
		_, _ = journal.Append(actorEngine, outcomeOf(*state.Pending, isNew, n.Text))
		_ = journal.Close()
	}
	return notices
}

// outcomeOf closes an interrupted apply or undo in its journal.
func outcomeOf(p session.Applying, isNew bool, words string) session.Body {
	switch {
	case isNew && !p.Undo:
		return &session.Applied{Candidate: p.Candidate, Files: p.Files}
	case !isNew && p.Undo:
		return &session.Undone{Candidate: p.Candidate, Files: p.Files, Reason: "interrupted, completed at the next start"}
	}
	return &session.ApplyFailed{Candidate: p.Candidate, Err: "interrupted: " + words, Undo: p.Undo}
}

// recoverOne makes the files of an interrupted apply all old, unless they are
// all new. The notice is empty where there is nothing to say.
func recoverOne(root string, state session.State, p session.Applying) (n session.Notice, isNew bool) {
	c, ok := state.Candidate(p.Candidate)
	if !ok {
		return session.Notice{}, false
	}
	old := 0
	var written []patch.Edit
	for _, e := range c.ToWrite() {
		data, err := os.ReadFile(absolute(root, e.File))
		switch {
		case err == nil && string(data) == e.After:
			written = append(written, e)
		case err != nil && e.Create, err == nil && string(data) == e.Before:
			old++
		default:
			return session.Notice{Level: "warn", Text: fmt.Sprintf("%s was being written when session %s was killed, and has changed since", e.File, state.Started.ID),
				Hint: "look at it: the log of that session has both versions"}, p.Undo // no claim about the files
		}
	}
	switch {
	case len(written) == 0:
		return session.Notice{}, false
	case old == 0 && p.Undo:
		return session.Notice{}, true
	case old == 0:
		return session.Notice{Level: "info", Text: fmt.Sprintf("session %s was killed right after it applied %s: the change is in the source", state.Started.ID, c.ID)}, true
	}
	if err := patch.Apply(root, patch.Reverse(written), true); err != nil {
		return session.Notice{Level: "error", Text: fmt.Sprintf("an interrupted apply of session %s could not be rolled back: %v", state.Started.ID, err)}, p.Undo
	}
	return session.Notice{Level: "warn", Text: fmt.Sprintf("an apply of session %s was interrupted: rolled back, the source is as before", state.Started.ID)}, false
}

func absolute(root, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(root, filepath.FromSlash(file))
}
