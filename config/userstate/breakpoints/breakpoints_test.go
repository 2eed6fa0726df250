package breakpoints

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestBreakpointsAreKeptByModule(t *testing.T) {
	store := Open(filepath.Join(t.TempDir(), "state"))
	if list, err := store.Load("/src/a"); list != nil || err != nil {
		t.Fatalf("nothing was kept: %v, %v", list, err)
	}
	want := []debugger.Breakpoint{{ID: 1, File: "a/b.go", Line: 7, Cond: "i > 3", Text: "x++"}, {ID: 2, Location: "main.f", Disabled: true}}
	if err := store.Save("/src/a", want); err != nil {
		t.Fatal(err)
	}
	if got, err := store.Load("/src/a/"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := store.Load("/other/a"); err != nil || got != nil {
		t.Errorf("another module of the same name: %+v, %v", got, err)
	}
	if info, err := os.Stat(store.Path("/src/a")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := store.Save("/src/a", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(store.Path("/src/a")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty list left a file: %v", err)
	}
}

func TestBrokenFilesAreSaid(t *testing.T) {
	store := Open(t.TempDir())
	for _, text := range []string{"{", `{"version":99}`} {
		if err := os.WriteFile(store.Path("/src/a"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Load("/src/a"); !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
