package memory

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/patch"
)

const broken, whole = "package a\n\nfunc f() {\n\tm[1] = 1\n}\n", "package a\n\nfunc f() {\n\tm = map[int]int{}\n\tm[1] = 1\n}\n"

func fix(title string) Fix {
	f := Fix{Fingerprint: "fp", Class: "nil-map-write", Dir: "api", Title: title, Times: 1, At: time.Date(2026, 11, 12, 9, 0, 0, 0, time.UTC),
		Source: patch.Source{Provider: "ollama", Model: "ollama/qwen"}, Edits: []patch.Edit{{File: "api/a.go", Before: broken, After: whole}}}
	f.Identify()
	return f
}

func open(t *testing.T) *Database {
	t.Helper()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func get(t *testing.T, s Store) []Fix {
	t.Helper()
	list, err := s.Get(t.Context(), "fp")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestStore holds for any store: a team's own is tested with it.
func TestStore(t *testing.T) {
	s := open(t)
	if len(get(t, s)) != 0 {
		t.Fatal("a new store is not empty")
	}
	f := fix("make m")
	for range 2 {
		if err := Learn(t.Context(), s, f); err != nil {
			t.Fatal(err)
		}
	}
	if got := get(t, s); len(got) != 1 || got[0].Times != 2 || got[0].Edits[0].After != whole || !got[0].At.Equal(f.At) {
		t.Fatalf("kept are %+v", got)
	}
	f.Edits = []patch.Edit{{File: "api/a.go", Before: broken, After: broken + "\n// other\n"}}
	if err := Learn(t.Context(), s, f); err != nil {
		t.Fatal(err)
	}
	all, err := s.List(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("kept are %d, %v", len(all), err)
	}
	if err := s.Delete(t.Context(), all[0].ID); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), all[0].ID); !errors.Is(err, ErrNotKept) {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestOffer(t *testing.T) {
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, current, words string // words empty: nothing is offered
		err                  error
	}{
		{"as it was", broken, "This was fixed on 12 Nov in api/, with a proposal of ollama/qwen.", nil},
		{"moved", "// License\n\n" + broken, "adapted", nil},
		{"changed there", strings.Replace(broken, "m[1] = 1", "m[2] = 2", 1), "adapted", nil}, // only a line is added
		{"fixed already", whole, "", nil},
		{"gone", "", "", fs.ErrNotExist},
	} {
		list := Offer([]Fix{fix("make m")}, now, func(string) (string, error) { return tt.current, tt.err })
		if tt.words == "" {
			if len(list) > 0 {
				t.Errorf("%s: offered %+v", tt.name, list)
			}
			continue
		}
		if len(list) != 1 || !strings.Contains(list[0].Explanation, tt.words) || !strings.Contains(list[0].Edits[0].After, "m = map[int]int{}") || list[0].Edits[0].Before != tt.current {
			t.Errorf("%s: %+v", tt.name, list)
		}
	}
}

func TestOfferPutsPinnedFirst(t *testing.T) {
	often, pinned := fix("often"), fix("pinned")
	often.Times, pinned.Times, pinned.Pinned = 5, 1, true
	list := Offer([]Fix{often, pinned}, time.Now(), func(string) (string, error) { return broken, nil })
	if len(list) != 2 || list[0].Title != "pinned" {
		t.Errorf("%+v", list)
	}
}

// TestAStoreIsNotTrusted: it may be a file of somebody's repository.
func TestAStoreIsNotTrusted(t *testing.T) {
	for _, file := range []string{"../outside.go", "/etc/passwd", "a/../../b.go", ""} {
		f := fix("evil")
		f.Edits[0].File = file
		f.Identify()
		if list := Offer([]Fix{f}, time.Now(), func(string) (string, error) { return broken, nil }); len(list) > 0 {
			t.Errorf("%q was offered", file)
		}
	}
	root, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "a.go"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "api")); err != nil {
		t.Fatal(err)
	}
	if list := Offer([]Fix{fix("linked")}, time.Now(), ReadIn(root)); len(list) > 0 {
		t.Error("a link out of the module was followed")
	}
}

func TestExportAndImport(t *testing.T) {
	ours, theirs := open(t), open(t)
	if err := Learn(t.Context(), theirs, fix("make m")); err != nil {
		t.Fatal(err)
	}
	other := fix("other")
	other.Edits[0].After += "// other\n"
	if err := Learn(t.Context(), ours, other); err != nil {
		t.Fatal(err)
	}
	all, _ := theirs.List(t.Context())
	var text bytes.Buffer
	if err := Export(&text, all); err != nil {
		t.Fatal(err)
	}
	done, err := Import(t.Context(), ours, text.Bytes())
	if err != nil || done.Added != 1 || len(done.Conflicts) != 1 || done.Conflicts[0].Ours.Title != "other" {
		t.Errorf("%+v, %v", done, err)
	}
	if done, _ := Import(t.Context(), ours, text.Bytes()); done.Same != 1 || done.Added != 0 {
		t.Errorf("again: %+v", done)
	}
}

func TestImportRefuses(t *testing.T) {
	good, outside := fix("make m"), fix("outside")
	outside.Edits[0].File = "../a.go"
	outside.Identify()
	forged := good
	forged.ID = "000000000000"
	var text bytes.Buffer
	for _, f := range []Fix{outside, forged} {
		if err := Export(&text, []Fix{f}); err != nil {
			t.Fatal(err)
		}
	}
	text.WriteString("not json\n<<<<<<< HEAD\n{}\n")
	s := open(t)
	done, err := Import(t.Context(), s, text.Bytes())
	if err != nil || len(done.Refused) != 5 || done.Added != 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// TestTwoAtOnce: two processes learn, and nothing is lost.
func TestTwoAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			d, err := Open(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			f := fix("make m")
			f.Edits[0].After += strings.Repeat("// more\n", n)
			if err := Learn(context.Background(), d, f); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got := get(t, d); len(got) != 4 {
		t.Errorf("%d of 4 are kept", len(got))
	}
}

func TestADamagedDatabaseIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, []byte("no database, but perhaps a backup can be made of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("opened: %v", err)
	}
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "no database") {
		t.Error("it was replaced")
	}
}
