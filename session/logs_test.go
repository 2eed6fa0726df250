package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The logs kept in debug/ can be made again from their journals.
func TestKeptLogsAreMadeOfTheirJournals(t *testing.T) {
	journals, err := filepath.Glob(filepath.Join("..", "debug", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, journal := range journals {
		events, err := ReadFile(journal)
		if err != nil {
			t.Errorf("%s: %v", journal, err)
			continue
		}
		if s := Fold(NewState(), events); s.Ended == nil {
			continue // a session that is still running, or was killed
		}
		path := strings.TrimSuffix(journal, ".jsonl") + ".md"
		got := Markdown(events)
		if *update {
			if err := os.WriteFile(path, got, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what its journal tells (%v): run with -update and look", path, err)
		}
	}
}
