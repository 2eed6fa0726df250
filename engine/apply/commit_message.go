package apply

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/git"
	"github.com/pausetui/pausetui/verify/verdict"
)

// commitWithin bounds a commit with its hooks.
const commitWithin = 2 * time.Minute

// Commit makes a git commit of a change that Apply has written, or Undo has
// taken back: of its files alone, with the session as its trailer. It records
// nothing; the warnings are about a commit that was made.
func (s Site) Commit(ctx context.Context, state session.State, candidate string, undo bool) (*session.Committed, []string, error) {
	c, ok := state.Candidate(candidate)
	if !ok {
		return nil, nil, fmt.Errorf("%s is not in the record of this session", session.Called(candidate))
	}
	m := message{state: state, candidate: c, undo: undo, log: s.Workspace.Rel(s.Log.Path())}
	ctx, cancel := context.WithTimeout(ctx, commitWithin)
	defer cancel()
	made, err := git.Commit(ctx, m.text(), s.gitChanges(c, undo))
	if errors.Is(err, context.DeadlineExceeded) {
		err = advice.Add(fmt.Errorf("git commit took longer than %v", commitWithin), "a hook may be waiting for something")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("not committed: %w", err)
	}
	return &session.Committed{Candidate: candidate, Hash: made.Hash, Subject: m.subject(), Undo: undo}, made.Warnings, nil
}

func (s Site) gitChanges(c session.CandidateRecord, undo bool) []git.Change {
	edits := c.ToWrite()
	if undo {
		edits = patch.Reverse(edits)
	}
	changes := make([]git.Change, len(edits))
	for i, e := range edits {
		changes[i] = git.Change{Path: patch.Target(s.Workspace.Root, e.File), Before: e.Before, After: e.After, Create: e.Create && !undo, Remove: e.Create && undo}
	}
	return changes
}

// message writes a commit's message.
type message struct {
	state     session.State
	candidate session.CandidateRecord
	undo      bool
	log       string
}

const (
	subjectWidth = 72 // characters
	bodyWidth    = 72
)

func (m message) subject() string {
	title := strings.Join(strings.Fields(session.Clean(m.candidate.Title)), " ")
	if title == "" {
		title = "fix " + strings.Join(m.candidate.Files(), ", ")
	}
	title = cut(title, subjectWidth)
	if m.undo {
		return fmt.Sprintf("Revert %q", title)
	}
	return title
}

func (m message) text() string {
	parts := []string{m.subject()}
	if m.undo {
		if hash := m.committed(); hash != "" {
			parts = append(parts, "This reverts commit "+hash+".")
		}
	} else {
		parts = append(parts, wrap(session.Clean(m.candidate.Explanation)), m.stop(), m.proof())
		if m.candidate.Masks() {
			parts = append(parts, wrap("Effect: "+m.candidate.Verdict.Label()))
		}
	}
	parts = append(parts, fmt.Sprintf("Pausetui-Session: %s\nPausetui-Candidate: %s", m.log, m.candidate.ID))
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n") + "\n"
}

// committed is the commit that held the change.
func (m message) committed() string {
	for _, a := range slices.Backward(m.state.Applied) {
		if a.Candidate == m.candidate.ID {
			return a.Commit
		}
	}
	return ""
}

// stop says what the change fixes: "Stop: nil-map-write in (*Index).Add, index.go:42".
func (m message) stop() string {
	i := m.state.StopOf(m.candidate.ID)
	if i < 0 || !m.state.Stops[i].Stop.Crashed() {
		return ""
	}
	stop := m.state.Stops[i].Stop
	text := "Stop: " + string(stop.Panic.Class)
	if f, ok := stop.SelectedFrame(); ok {
		text += fmt.Sprintf(" in %s, %s:%d", session.ShortFunction(f.Function), filepath.ToSlash(m.state.Started.Workspace.Rel(f.File)), f.Line)
	}
	return strings.Join(strings.Fields(session.Clean(text)), " ") // a line of the message, whatever the names hold
}

// proof says which checks the change has passed, and no more.
func (m message) proof() string {
	var passed []string
	for _, k := range m.candidate.Checks {
		if k.Status == verdict.Pass {
			passed = append(passed, k.Name)
		}
	}
	switch {
	case len(passed) == 0:
		return "Not proved."
	case m.candidate.Verified():
		return wrap("Proved: " + strings.Join(passed, ", "))
	}
	return wrap("Not verified; passed: " + strings.Join(passed, ", "))
}

func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return text
}

// wrap folds each paragraph into lines.
func wrap(text string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		line := ""
		for _, word := range strings.Fields(p) {
			if line != "" && len([]rune(line))+1+len([]rune(word)) > bodyWidth {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimSpace(line + " " + word)
		}
		if line != "" {
			lines = append(lines, line)
		}
		if len(lines) > 0 {
			paragraphs = append(paragraphs, strings.Join(lines, "\n"))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}
