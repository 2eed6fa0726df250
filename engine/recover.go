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
	journals, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	var notices []session.Notice
	for _, path := range journals {
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) > recoverWithin {
			continue
		}
		events, _ := session.ReadFile(path) // what can be read of a damaged one
		state := session.Fold(session.NewState(), events)
		if state.Pending == nil || state.Ended != nil {
			continue
		}
		if n, ok := recoverOne(root, state, *state.Pending); ok {
			notices = append(notices, n)
		}
	}
	return notices
}

func recoverOne(root string, state session.State, p session.Applying) (session.Notice, bool) {
	c, ok := state.Candidate(p.Candidate)
	if !ok {
		return session.Notice{}, false
	}
	old := 0
	var written []patch.Edit
	for _, e := range c.Edits {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.File)))
		switch {
		case err == nil && string(data) == e.After:
			written = append(written, e)
		case err != nil && e.Create, err == nil && string(data) == e.Before:
			old++
		default:
			return session.Notice{Level: "warn", Text: fmt.Sprintf("%s was being written when session %s was killed, and has changed since", e.File, state.Started.ID),
				Hint: "look at it: the log of that session has both versions"}, true
		}
	}
	if len(written) == 0 || old == 0 {
		return session.Notice{}, false // all old or all new: nothing is torn
	}
	if err := patch.Apply(root, patch.Reverse(written), true); err != nil {
		return session.Notice{Level: "error", Text: fmt.Sprintf("an interrupted apply of session %s could not be rolled back: %v", state.Started.ID, err)}, true
	}
	return session.Notice{Level: "warn", Text: fmt.Sprintf("an apply of session %s was interrupted: rolled back, the source is as before", state.Started.ID)}, true
}
