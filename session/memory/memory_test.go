package memory_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session/memory"
	"github.com/pausetui/pausetui/session/memory/memorytest"
)

const broken, whole = memorytest.Broken, memorytest.Whole

func fix(title string) memory.Fix { return memorytest.Fix(title) }

func open(t *testing.T) *memory.Database {
	t.Helper()
	d, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func get(t *testing.T, s memory.Store) []memory.Fix {
	t.Helper()
	list, err := s.Get(t.Context(), "fp")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestStore(t *testing.T) { memorytest.Store(t, open(t)) }

func TestOffer(t *testing.T) {
	now := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name, current, words string // words empty: nothing is offered
		err                  error
	}{
		{"as it was", broken, "This change fixed the same panic on 12 Nov in api/; it came from ollama/qwen.", nil},
		{"moved", "// License\n\n" + broken, "adapted", nil},
		{"changed there", strings.Replace(broken, "m[1] = 1", "m[2] = 2", 1), "adapted", nil}, // only a line is added
		{"fixed already", whole, "", nil},
		{"gone", "", "", fs.ErrNotExist},
	} {
		list := memory.Offer([]memory.Fix{fix("make m")}, now, func(string) (string, error) { return tt.current, tt.err })
		if tt.words == "" {
			if len(list) > 0 {
				t.Errorf("%s: offered %+v", tt.name, list)
			}
			continue
		}
		if len(list) != 1 || !strings.Contains(list[0].Explanation, tt.words) || !strings.Contains(list[0].Edits[0].After, "m = map[int]int{}") || list[0].Edits[0].Before != tt.current || list[0].Source.First != "ollama/qwen" {
			t.Errorf("%s: %+v", tt.name, list)
		}
	}
}

func TestOfferPutsPinnedFirst(t *testing.T) {
	often, pinned := fix("often"), fix("pinned")
	often.Times, pinned.Times, pinned.Pinned = 5, 1, true
	list := memory.Offer([]memory.Fix{often, pinned}, time.Now(), func(string) (string, error) { return broken, nil })
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
		if list := memory.Offer([]memory.Fix{f}, time.Now(), func(string) (string, error) { return broken, nil }); len(list) > 0 {
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
	if list := memory.Offer([]memory.Fix{fix("linked")}, time.Now(), memory.ReadIn(root)); len(list) > 0 {
		t.Error("a link out of the module was followed")
	}
}

func TestExportAndImport(t *testing.T) {
	ours, theirs := open(t), open(t)
	if err := memory.Learn(t.Context(), theirs, fix("make m")); err != nil {
		t.Fatal(err)
	}
	other := fix("other")
	other.Edits[0].After += "// other\n"
	if err := memory.Learn(t.Context(), ours, other); err != nil {
		t.Fatal(err)
	}
	all, _ := theirs.List(t.Context())
	var text bytes.Buffer
	if err := memory.Export(&text, all); err != nil {
		t.Fatal(err)
	}
	done, err := memory.Import(t.Context(), ours, text.Bytes())
	if err != nil || done.Added != 1 || len(done.Conflicts) != 1 || done.Conflicts[0].Ours.Title != "other" {
		t.Errorf("%+v, %v", done, err)
	}
	if done, _ := memory.Import(t.Context(), ours, text.Bytes()); done.Same != 1 || done.Added != 0 {
		t.Errorf("again: %+v", done)
	}
}

func TestUnlearn(t *testing.T) {
	s := open(t)
	for range 2 {
		if err := memory.Learn(t.Context(), s, fix("make m")); err != nil {
			t.Fatal(err)
		}
	}
	for _, left := range []int{1, 0, 0} {
		if err := memory.Unlearn(t.Context(), s, fix("make m")); err != nil {
			t.Fatal(err)
		}
		if list := get(t, s); len(list) != left || left == 1 && list[0].Times != 1 {
			t.Errorf("left %+v", list)
		}
	}
}

func TestImportRefuses(t *testing.T) {
	good, outside := fix("make m"), fix("outside")
	outside.Edits[0].File = "../a.go"
	outside.Identify()
	forged := good
	forged.ID = "000000000000"
	var text bytes.Buffer
	for _, f := range []memory.Fix{outside, forged} {
		if err := memory.Export(&text, []memory.Fix{f}); err != nil {
			t.Fatal(err)
		}
	}
	text.WriteString("not json\n<<<<<<< HEAD\n{}\n")
	s := open(t)
	done, err := memory.Import(t.Context(), s, text.Bytes())
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
			d, err := memory.Open(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			f := fix("make m")
			f.Edits[0].After += strings.Repeat("// more\n", n)
			if err := memory.Learn(context.Background(), d, f); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	d, err := memory.Open(t.Context(), path)
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
	if _, err := memory.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("opened: %v", err)
	}
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "no database") {
		t.Error("it was replaced")
	}
}

// A file of fixes comes from others: it changes nothing of a fix that is here, puts none
// before those of whoever is here, and steers no terminal when it is written out again.
func TestAnImportTakesNothingOver(t *testing.T) {
	s := open(t)
	ours := fix("ours")
	ours.Identify()
	ours.Times = 1
	if err := s.Put(t.Context(), ours); err != nil {
		t.Fatal(err)
	}
	theirs, other := ours, fix("\u009b2Jother\u202e")
	theirs.Title, theirs.Times, theirs.Pinned = "theirs", 900, true
	theirs.Edits = slices.Clone(ours.Edits)
	theirs.Edits[0].Before = "package hostile\n" // not part of the ID
	other.Edits = slices.Clone(other.Edits)
	other.Edits[0].After += "\n// other\n"
	other.Pinned = true
	other.Identify()
	var file bytes.Buffer
	if err := memory.Export(&file, []memory.Fix{theirs, other}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(file.String(), "\u009b\u202e") {
		t.Errorf("%q steers a terminal", file.String())
	}
	if _, err := memory.Import(t.Context(), s, file.Bytes()); err != nil {
		t.Fatal(err)
	}
	for _, f := range get(t, s) {
		if f.Pinned || f.ID == ours.ID && (f.Title != "ours" || f.Edits[0].Before != ours.Edits[0].Before) || f.ID != ours.ID && f.ID != other.ID {
			t.Errorf("%+v", f)
		}
	}
}
