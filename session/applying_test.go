package session

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

func candidateOf(id string) patch.Candidate {
	return patch.Candidate{ID: id, Title: "a fix", Edits: []patch.Edit{{File: "a.go", Before: "one", After: "two"}}}
}

func startedLog(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := CreateLog(dir, clock())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append("engine", &Started{ID: l.ID()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestInterruptedNamesKilledSessionsOnly(t *testing.T) {
	dir := t.TempDir()
	live := startedLog(t, dir)
	if err := live.BeginApply(); err != nil {
		t.Fatal(err)
	}
	if got, _ := Interrupted(dir); len(got) != 0 {
		t.Errorf("a session at work counts as interrupted: %q", got)
	}
	path := live.path(".jsonl")
	if err := live.Close(); err != nil { // as a kill does, it unlocks the journal and leaves the mark
		t.Fatal(err)
	}
	if got, _ := Interrupted(dir); !slices.Equal(got, []string{path}) {
		t.Errorf("interrupted %q, want %q", got, path)
	}
	if err := live.EndApply(); err != nil {
		t.Fatal(err)
	}
	if got, _ := Interrupted(dir); len(got) != 0 {
		t.Errorf("a finished apply counts as interrupted: %q", got)
	}
	if err := live.BeginApply(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got, _ := Interrupted(dir); len(got) != 0 {
		t.Errorf("a session that was removed counts as interrupted: %q", got)
	}
	if _, err := os.Stat(live.applyingMark()); err == nil {
		t.Error("the mark of a session that was removed is still there")
	}
	if got, _ := Interrupted(filepath.Join(dir, "none")); got != nil {
		t.Error("a directory that does not exist holds interrupted sessions")
	}
}

func TestInterruptedSweepsWhatKilledWritersLeft(t *testing.T) {
	dir := t.TempDir()
	live := startedLog(t, dir)
	gone := []string{".20250101-000000-running.md123456", ".20250101-000000-nil-map-write.round2.out99", "..20250101-000000.applying5"}
	kept := []string{"." + live.ID() + "-running.md123456", ".gitignore", ".20250101-000000-running.md", "20250101-000000-running.md1"}
	for _, name := range append(slices.Clone(gone), kept...) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Interrupted(dir)
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestDirIsIgnoredInGitEvenIfItsMakerWasKilled(t *testing.T) {
	const want = "*\n"
	cases := map[string]struct {
		make func(t *testing.T, dir string)
		want string
	}{
		"fresh":              {func(*testing.T, string) {}, want},
		"killed before":      {func(t *testing.T, dir string) { mkdir(t, dir) }, want},
		"killed in between":  {func(t *testing.T, dir string) { mkdir(t, dir); put(t, dir, ".gitignore", "") }, want},
		"the person's own":   {func(t *testing.T, dir string) { mkdir(t, dir); put(t, dir, ".gitignore", "*.out\n") }, "*.out\n"},
		"taken away by them": {func(t *testing.T, dir string) { mkdir(t, dir); put(t, dir, "20261120-170203-exited.md", "x") }, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			c.make(t, filepath.Join(root, "debug"))
			dir, _, err := Dir(root, "")
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(filepath.Join(dir, ".gitignore")); string(got) != c.want {
				t.Errorf(".gitignore = %q, want %q", got, c.want)
			}
		})
	}
}

func mkdir(t *testing.T, dir string) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
}

func put(t *testing.T, dir, name, text string) {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
