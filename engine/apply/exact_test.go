package apply

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// A journal is JSON, and what is not UTF-8 does not come back from it: the log of a fix of
// a file in another encoding would put other bytes back.
func TestWhatTheLogCannotHoldIsNotWritten(t *testing.T) {
	w := newWork(t)
	const before = "caf\xe9 = 1\nsize = 0\n"
	file := filepath.Join(w.site.Workspace.Root, "names.txt")
	testsupport.Write(t, file, before)
	for id, after := range map[string]string{"c1": "size = 1\n", "c2": "caf\xe9 = 1\nsize = 1\n"} {
		c := patch.Candidate{ID: id, Edits: []patch.Edit{{File: "names.txt", Before: before, After: after}}}
		w.must(w.record("person", &session.Proposed{Candidate: c}))
		w.must(w.record("person", &session.Decided{Candidate: id, Decision: session.Approved}))
		if err := w.site.Apply(t.Context(), session.CandidateRecord{Candidate: c}); !errors.Is(err, patch.ErrNoText) {
			t.Errorf("%s: %v", id, err)
		}
		// What another process makes of the log.
		events, err := session.ReadFile(strings.TrimSuffix(w.site.Log.Path(), ".md") + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.site.Undo(t.Context(), session.Fold(session.NewState(), events), "person", "")
		if text, err := os.ReadFile(file); err != nil || string(text) != before {
			t.Fatalf("%s: the file is %q, %v", id, text, err)
		}
	}
}
