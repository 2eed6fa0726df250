// Package apply writes candidates to the user's source like a database commit: all files
// or none, and what a kill interrupts is completed or rolled back at the next start. It
// takes changes back the same way; patch.Writer writes the files.
//
// The steps are:
//
//  1. Every file is compared with what the candidate was made for. A conflict is shown
//     as a diff, and nothing is written.
//  2. A small file next to the journal, .<session>.applying, marks that a write is under
//     way. Then the intent is written to the journal, with the hashes from before and
//     after, and synced. The next start looks only for such marks, not at journals. If
//     the logs are elsewhere (--log-dir), a file in the module's root points there
//     meanwhile.
//  3. The new contents are written next to the files and synced, with their modes and
//     owners. Each old file gets a second name (a hard link), so putting it back needs
//     no disk space.
//  4. Each file is compared once more, then replaced by a rename. A new file gets its
//     name by a link, which does not overwrite.
//  5. The directories are synced, the outcome is written to the journal and synced, and
//     the mark is removed.
//
// A start may find a mark whose journal no process holds open. It then restores all old
// files, unless all files are already new, and says so. Resume and undo continue a
// journal after its last whole line; undo reverts the change that was applied last. Why
// it is done so is in docs/decisions/apply-like-a-commit.md.
//
// It knows neither a screen nor a running target.
package apply

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// ErrNothing is returned by Undo when no change of the session is in the source.
var ErrNothing = errors.New("there is nothing to undo")

// Site is a session at work on the source of its modules.
type Site struct {
	Workspace workspace.Workspace
	Log       *session.Log
	// Record puts an event into Log and wherever else it belongs; nothing is
	// written to the source when it fails. Log.Append serves when it is nil.
	Record func(actor string, body session.Body) error

	kept []string // files with other changes, which an undo keeps
}

func (s Site) record(who string, body session.Body) error {
	if s.Record != nil {
		return s.Record(who, body)
	}
	_, err := s.Log.Append(who, body)
	return err
}

// Apply writes a candidate's edits, and its regression test unless that was
// left out. A failure is recorded, and nothing was written then; its hint says
// what to do.
func (s Site) Apply(ctx context.Context, c session.CandidateRecord) error {
	edits := c.ToWrite()
	return s.write(ctx, c.ID, edits, false, func() error {
		return s.record(session.EngineActor, &session.Applied{Candidate: c.ID, Files: changes(edits)})
	})
}

// Undo takes back the last applied change of the session that is still in the
// source, exactly; other changes of its files stay. who asked for it, and why, goes
// into the record.
func (s Site) Undo(ctx context.Context, state session.State, who, reason string) (session.AppliedRecord, error) {
	a, ok := state.Undoable()
	if !ok {
		return a, ErrNothing
	}
	c, ok := state.Candidate(a.Candidate)
	if !ok {
		return a, fmt.Errorf("%s is not in the record of this session", session.Called(a.Candidate))
	}
	edits := patch.Reverse(c.ToWrite())
	if err := s.inModules(edits); err != nil {
		return a, err
	}
	edits, s.kept = s.rebased(edits)
	return a, s.write(ctx, c.ID, edits, true, func() error {
		err := s.record(who, &session.Undone{Candidate: c.ID, Files: changes(edits), Reason: reason})
		if len(s.kept) > 0 {
			_ = s.record(session.EngineActor, &session.Notice{Level: "info", Text: "other changes of " + strings.Join(s.kept, ", ") + " are kept"})
		}
		return err
	})
}

// rebased are edits of files as they are now, where what the edits change is there as it was.
// kept names the files that have other changes.
func (s Site) rebased(edits []patch.Edit) (list []patch.Edit, kept []string) {
	list = slices.Clone(edits)
	for i, e := range edits {
		now, err := regular.Read(patch.Target(s.Workspace.Root, e.File))
		if err != nil || e.Create || string(now) == e.Before || string(now) == e.After {
			continue // as expected; or the check says what is wrong
		}
		if moved, err := patch.Rebase(e, string(now)); err == nil {
			list[i], kept = moved, append(kept, e.File)
		}
	}
	return list, kept
}

// write carries out one transaction; done records its end.
func (s Site) write(ctx context.Context, id string, edits []patch.Edit, undo bool, done func() error) error {
	cautions := patch.Cautions(s.Workspace.Root, edits)
	begun, err := s.try(ctx, id, edits, undo)
	if errors.Is(err, patch.ErrTorn) {
		// The intent stays open in the journal: the next start tries to put back the rest.
		_ = s.record(session.EngineActor, &session.Notice{Level: "error", Text: err.Error(), Hint: hint(err, undo)})
		return advice.Add(err, hint(err, undo))
	}
	if err != nil {
		failed := &session.ApplyFailed{Candidate: id, Err: err.Error(), Hint: hint(err, undo), Undo: undo, Conflict: conflict(err)}
		recorded := s.record(session.EngineActor, failed) == nil
		if begun && (recorded || errors.Is(err, errNoRecord)) { // the latter has touched no file
			_ = s.end()
		}
		return advice.Add(err, failed.Hint)
	}
	if err := done(); err == nil {
		_ = s.end()
	} else { // the mark stays, and the next start records it
		_ = s.record(session.EngineActor, &session.Notice{Level: "warn", Text: fmt.Sprintf("%s, but that could not be written to the log: %v", written(id, undo), err),
			Hint: "make room on the disk; the next start completes the log"})
	}
	for _, c := range cautions {
		_ = s.record(session.EngineActor, &session.Notice{Level: "warn", Text: c.Text, Hint: c.Hint})
	}
	return nil
}

// try writes the files; begun reports whether the intent was announced.
func (s Site) try(ctx context.Context, id string, edits []patch.Edit, undo bool) (begun bool, err error) {
	if err := s.mayWrite(edits); err != nil {
		return false, err
	}
	if err := patch.Check(s.Workspace.Root, edits, undo); err != nil {
		return false, err
	}
	unlock, err := lock(ctx, s.Workspace.Root)
	if err != nil {
		return false, err
	}
	defer unlock()
	if err := s.begin(); err != nil {
		return false, fmt.Errorf("%w: %w", errNoRecord, err)
	}
	applying := &session.Applying{Candidate: id, Files: changes(edits), Undo: undo}
	if len(s.kept) > 0 {
		applying.Edits = edits
	}
	if err := s.record(session.EngineActor, applying); err != nil {
		return true, fmt.Errorf("%w: %w", errNoRecord, err)
	}
	w := patch.Writer{Root: s.Workspace.Root, Tag: s.Log.ID()}
	if undo {
		return true, w.Undo(edits)
	}
	return true, w.Apply(edits)
}

// written says what has happened to the files.
func written(id string, undo bool) string {
	if undo {
		return session.Called(id) + " is taken back in the source"
	}
	return session.Called(id) + " is in the source"
}

// errNoRecord is returned when the intent cannot be recorded.
var errNoRecord = errors.New("the log cannot be written")

// mayWrite holds every edit to the user's modules, whatever was checked
// before, and keeps out of version control's own files.
func (s Site) mayWrite(edits []patch.Edit) error {
	for _, edit := range edits {
		if _, err := s.Workspace.Editable(edit.File); err != nil {
			return err
		}
		parts := strings.Split(filepath.ToSlash(patch.Target(s.Workspace.Root, edit.File)), "/")
		if slices.ContainsFunc(parts, func(p string) bool { return p == ".git" || p == ".hg" || p == ".svn" || p == ".jj" }) {
			return fmt.Errorf("%q belongs to version control", edit.File)
		}
	}
	return nil
}

func changes(edits []patch.Edit) []session.FileChange {
	list := make([]session.FileChange, len(edits))
	for i, e := range edits {
		list[i] = session.FileChange{File: e.File, Before: patch.Hash(e.Before), After: patch.Hash(e.After)}
	}
	return list
}

// maxConflict bounds the diff of a conflict in the journal, in bytes.
const maxConflict = 16 << 10

func conflict(err error) string {
	var c *patch.ConflictError
	if !errors.As(err, &c) {
		return ""
	}
	diff := session.CleanSource(c.Diff())
	if len(diff) > maxConflict {
		diff = strings.ToValidUTF8(diff[:maxConflict], "") + "\n… and more\n"
	}
	return diff
}

func hint(err error, undo bool) string {
	switch {
	case errors.Is(err, patch.ErrTorn):
		return "the log has both versions of each file; the next start tries again"
	case errors.Is(err, patch.ErrChanged) && undo:
		return "put the file back as the fix left it (the log has it), or change it by hand"
	case errors.Is(err, patch.ErrChanged):
		return "r restarts with the file as it is now; or put the file back"
	case errors.Is(err, patch.ErrReadOnly):
		return "make it writable (chmod u+w), then try again"
	case errors.Is(err, patch.ErrNoSpace), errors.Is(err, errNoRecord):
		return "nothing was changed; make room on the disk, then try again"
	}
	return "nothing was changed"
}
