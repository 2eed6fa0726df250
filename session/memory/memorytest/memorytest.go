// Package memorytest tests a store of remembered fixes: ours, and a team's own.
package memorytest

import (
	"errors"
	"testing"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session/memory"
)

// The file of Fix, before and after.
const (
	Broken = "package a\n\nfunc f() {\n\tm[1] = 1\n}\n"
	Whole  = "package a\n\nfunc f() {\n\tm = map[int]int{}\n\tm[1] = 1\n}\n"
)

// Fix is a fix of the fingerprint "fp".
func Fix(title string) memory.Fix {
	f := memory.Fix{Fingerprint: "fp", Class: "nil-map-write", Dir: "api", Title: title, Times: 1, At: time.Date(2026, 11, 12, 9, 0, 0, 0, time.UTC),
		Source: patch.Source{Provider: "ollama", Model: "ollama/qwen"}, Edits: []patch.Edit{{File: "api/a.go", Before: Broken, After: Whole}}}
	f.Identify()
	return f
}

// Store checks what holds for any store. It begins with an empty one.
func Store(t *testing.T, s memory.Store) {
	t.Helper()
	ctx := t.Context()
	if list, err := s.Get(ctx, "fp"); err != nil || len(list) != 0 {
		t.Fatalf("a new store has %d fixes, error %v", len(list), err)
	}
	f := Fix("make m")
	for range 2 {
		if err := memory.Learn(ctx, s, f); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Get(ctx, "fp")
	if err != nil || len(got) != 1 || got[0].ID != f.ID || got[0].Times != 2 || got[0].Edits[0].After != Whole || !got[0].At.Equal(f.At) {
		t.Fatalf("it has %+v, error %v", got, err)
	}
	f.Edits = []patch.Edit{{File: "api/a.go", Before: Broken, After: Broken + "\n// other\n"}}
	f.Pinned = true
	if err := memory.Learn(ctx, s, f); err != nil {
		t.Fatal(err)
	}
	all, err := s.List(ctx)
	if err != nil || len(all) != 2 {
		t.Fatalf("it lists %d fixes, error %v", len(all), err)
	}
	if err := s.Delete(ctx, all[0].ID); err != nil {
		t.Error(err)
	}
	if err := s.Delete(ctx, all[0].ID); !errors.Is(err, memory.ErrNotKept) {
		t.Errorf("deleting twice: %v", err)
	}
	if left, err := s.Get(ctx, "fp"); err != nil || len(left) != 1 || left[0].ID != all[1].ID {
		t.Errorf("left are %+v, error %v", left, err)
	}
}
