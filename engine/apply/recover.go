package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// Recover completes, or rolls back, what sessions with their logs in dir, or
// wherever else --log-dir had them, were writing to the source of ws when they
// were killed. It says what it did. When nothing was interrupted it only lists
// a few directories.
//
// A log may have come with another person's repository: only what this user's
// pausetui wrote is acted on, and only files that a fix may change are touched.
func Recover(ctx context.Context, dir string, ws workspace.Workspace) []session.Notice {
	var notices []session.Notice
	for _, dir := range logDirs(dir, ws.Root) {
		journals, foreign := session.Interrupted(dir)
		for _, path := range journals {
			if n := recoverLog(ctx, path, ws); n.Text != "" {
				notices = append(notices, n)
			}
		}
		for _, path := range foreign {
			notices = append(notices, notOurs(path))
		}
	}
	return notices
}

// notOurs is the notice about a mark that is not acted on.
func notOurs(journal string) session.Notice {
	name := strings.TrimSuffix(filepath.Base(journal), ".jsonl")
	return session.Notice{Level: "warn", Text: fmt.Sprintf("session %s says that it was killed while it wrote to the source, but was not written by you on this machine, or was changed since: nothing is touched", name),
		Hint: "if it is yours, look at the files that its log names; removing the .applying file next to it stops this warning"}
}

// recoverLog deals with the log of one killed session.
func recoverLog(ctx context.Context, path string, ws workspace.Workspace) session.Notice {
	log, events, _, err := session.OpenLog(path, false, time.Now)
	switch {
	case errors.Is(err, session.ErrAlive):
		return session.Notice{} // opened by another start at this moment
	case err != nil:
		return session.Notice{Level: "error", Text: fmt.Sprintf("a session was killed while it wrote to the source, and its journal cannot be read: %v", err),
			Hint: "look at the files that " + filepath.Base(path) + " names"}
	}
	defer func() { _ = log.Close() }()
	state := session.Fold(session.NewState(), events)
	if state.Pending == nil { // killed before the intent, or after the outcome
		_ = Site{Workspace: ws, Log: log}.end()
		return session.Notice{}
	}
	r := recovery{site: Site{Workspace: ws, Log: log}, state: state, pending: *state.Pending}
	if other := r.elsewhere(filepath.Dir(path)); other != "" {
		return session.Notice{Level: "warn", Text: fmt.Sprintf("session %s was killed while it wrote to %s", log.ID(), other),
			Hint: "start pausetui there: it recovers the files"}
	}
	unlock, err := lock(ctx, ws.Root)
	if err != nil {
		return session.Notice{Level: "warn", Text: fmt.Sprintf("what session %s was writing is not recovered yet: %v", log.ID(), err)}
	}
	defer unlock()
	return r.settle()
}

// recovery is one interrupted apply or undo.
type recovery struct {
	site    Site
	state   session.State
	pending session.Applying
}

// elsewhere is the root of the session's module, if that is not ours. A module
// that was moved together with its logs is ours.
func (r recovery) elsewhere(dir string) string {
	root := r.state.Started.Workspace.Root
	ours, err := os.Stat(r.site.Workspace.Root)
	if err != nil {
		return root
	}
	theirs, err := os.Stat(root)
	switch {
	case err == nil && os.SameFile(ours, theirs):
		return ""
	case err == nil:
		return root
	}
	if rel, err := filepath.Rel(r.site.Workspace.Root, dir); err == nil && !strings.HasPrefix(rel, "..") {
		return ""
	}
	return root
}

// standing is what an interrupted apply has left of its files.
type standing struct {
	before, after []patch.Edit // as before the candidate, and as it makes them
	other         []string     // names of files that are neither
}

// settle puts the files in order, records the outcome and says it.
func (r recovery) settle() session.Notice {
	edits, err := r.edits()
	if err == nil {
		err = r.site.mayWrite(edits)
	}
	if err == nil {
		err = r.site.inModules(edits)
	}
	if err != nil {
		return r.close(r.pending.Undo, session.Notice{Level: "error", Text: fmt.Sprintf("what session %s was writing cannot be recovered: %v", r.id(), err), Hint: advice.Of(err)})
	}
	w := patch.Writer{Root: r.site.Workspace.Root, Tag: r.id()}
	_, _ = w.Sweep(edits)
	s := r.look(edits)
	switch {
	case len(s.other) > 0:
		return r.close(r.pending.Undo, session.Notice{Level: "warn", Hint: "look at the files: the log of that session has both versions",
			Text: fmt.Sprintf("%s was killed while it %s, and %s changed since: %s", r.name(), r.verb(), strings.Join(s.other, ", "), s.words())})
	case len(s.after) == 0:
		return r.close(false, r.old("before anything was written"))
	case len(s.before) == 0:
		return r.close(true, session.Notice{Level: "info", Text: fmt.Sprintf("%s was killed while it %s: the change is in the source", r.name(), r.verb())})
	}
	if err := w.Undo(patch.Reverse(s.after)); err != nil {
		return session.Notice{Level: "error", Text: fmt.Sprintf("%s was killed while it %s, which could not be recovered: %v", r.name(), r.verb(), err),
			Hint: hint(err, true) + "; the next start tries again"}
	}
	return r.close(false, r.old("half way, and is rolled back"))
}

// inModules holds what is restored to the modules that fixes change: a go.work may
// name any directory of the machine, and a link lead to it.
func (s Site) inModules(edits []patch.Edit) error {
	for _, edit := range edits {
		if _, err := s.Workspace.Editable(edit.File); err != nil {
			return advice.Add(fmt.Errorf("%w: %w", err, errElsewhere), "the log of that session has both versions of each file")
		}
	}
	return nil
}

// errElsewhere is returned for files outside of the modules that fixes change.
var errElsewhere = errors.New("only files of your modules in this repository are restored")

// edits are those of the candidate that the intent names.
func (r recovery) edits() ([]patch.Edit, error) {
	c, ok := r.state.Candidate(r.pending.Candidate)
	if !ok {
		return nil, fmt.Errorf("its journal does not have %s", session.Called(r.pending.Candidate))
	}
	all := c.ToWrite()
	if len(r.pending.Edits) > 0 {
		all = patch.Reverse(r.pending.Edits)
	}
	if test := c.Test(); test != nil && c.WithoutTest {
		all = append(slices.Clip(all), test.Edit)
	}
	var edits []patch.Edit
	for _, f := range r.pending.Files {
		i := slices.IndexFunc(all, func(e patch.Edit) bool {
			if r.pending.Undo {
				return e.File == f.File && patch.Hash(e.After) == f.Before && patch.Hash(e.Before) == f.After
			}
			return e.File == f.File && patch.Hash(e.Before) == f.Before && patch.Hash(e.After) == f.After
		})
		if i < 0 {
			return nil, fmt.Errorf("its journal does not say what %s was to become", f.File)
		}
		edits = append(edits, all[i])
	}
	return edits, nil
}

func (r recovery) look(edits []patch.Edit) standing {
	var s standing
	for _, e := range edits {
		switch patch.Look(r.site.Workspace.Root, e) {
		case patch.AsAfter:
			s.after = append(s.after, e)
		case patch.AsBefore:
			s.before = append(s.before, e)
		default:
			s.other = append(s.other, e.File)
		}
	}
	return s
}

// words say which files are how, where not all are alike.
func (s standing) words() string {
	var parts []string
	for _, e := range s.after {
		parts = append(parts, e.File+" holds the change")
	}
	for _, e := range s.before {
		parts = append(parts, e.File+" is as before")
	}
	if len(parts) == 0 {
		return "nothing was touched"
	}
	return strings.Join(parts, ", ")
}

func (r recovery) id() string   { return r.site.Log.ID() }
func (r recovery) name() string { return "session " + r.id() }

func (r recovery) verb() string {
	if r.pending.Undo {
		return "took " + session.Called(r.pending.Candidate) + " back"
	}
	return "applied " + session.Called(r.pending.Candidate)
}

// old is the word about files that all are as before the candidate.
func (r recovery) old(when string) session.Notice {
	if r.pending.Undo {
		return session.Notice{Level: "info", Text: fmt.Sprintf("%s was killed while it %s: that is completed, the source is as before", r.name(), r.verb())}
	}
	return session.Notice{Level: "warn", Text: fmt.Sprintf("%s was killed while it %s, %s: the source is as before", r.name(), r.verb(), when)}
}

// close records what became of the interrupted apply or undo: whether the
// change is in the source now. It is said once: the next start must not touch
// what was done since.
func (r recovery) close(isIn bool, n session.Notice) session.Notice {
	p := r.pending
	var outcome session.Body = &session.ApplyFailed{Candidate: p.Candidate, Err: "interrupted: " + n.Text, Hint: n.Hint, Undo: p.Undo}
	switch {
	case isIn && !p.Undo:
		outcome = &session.Applied{Candidate: p.Candidate, Files: p.Files}
	case !isIn && p.Undo:
		outcome = &session.Undone{Candidate: p.Candidate, Files: p.Files, Reason: "interrupted, completed at the next start"}
	}
	if r.site.record(session.EngineActor, outcome) == nil {
		_ = r.site.end()
	}
	return n
}
