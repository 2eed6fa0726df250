package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMoveTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "20261123-114836-nil-map-write.jsonl")
	text, err := os.ReadFile("../debug/20261123-114836-nil-map-write.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := Fold(NewState(), before).Started.Workspace.Root
	const root = "/home/a \"b\"/clone"
	if err := MoveTo(path, root); err != nil {
		t.Fatal(err)
	}
	after, err := ReadFile(path)
	if err != nil || len(after) != len(before) {
		t.Fatalf("%d events of %d, %v", len(after), len(before), err)
	}
	s := Fold(NewState(), after)
	frame, _ := s.Stops[0].Stop.SelectedFrame()
	if s.Started.Workspace.Root != root || !strings.HasPrefix(frame.File, root+"/examples/") {
		t.Errorf("root %q, frame at %q", s.Started.Workspace.Root, frame.File)
	}
	if moved, _ := os.ReadFile(path); strings.Contains(string(moved), `"`+from+"/") {
		t.Error("paths of the other module are left")
	}
}
