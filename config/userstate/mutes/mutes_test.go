package mutes

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestMutedPlacesAreKept(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "mutes"))
	if sites, err := s.Load("/src/app"); err != nil || sites != nil {
		t.Fatalf("before any: %v, %v", sites, err)
	}
	site := debugger.Site{Fingerprint: "ab", Class: debugger.Custom, Message: "m", Function: "main.f", File: "a.go", Line: 3, Test: "TestX"}
	other := debugger.Site{Fingerprint: "cd", Class: debugger.NilMapWrite}
	again := site
	again.Line = 5
	for _, s1 := range []debugger.Site{site, other, again} {
		if err := Open(s.dir).Mute("/src/app", s1); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Load("/src/app/"); err != nil || !slices.Equal(got, []debugger.Site{other, again}) {
		t.Errorf("got %v, %v", got, err)
	}
	if sites, err := s.Load("/src/other"); err != nil || sites != nil {
		t.Errorf("another module has %v, %v", sites, err)
	}
	for _, fingerprint := range []string{"cd", "none", "ab", "ab"} {
		if err := s.Unmute("/src/app", fingerprint); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(s.path("/src/app")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing is muted, and there is still a file: %v", err)
	}
}

func TestABrokenFileIsWrittenOver(t *testing.T) {
	s := Open(t.TempDir())
	if err := os.WriteFile(s.path("/src/app"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Load("/src/app"); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a broken file: %v", err)
	}
	if err := s.Unmute("/src/app", "ab"); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a broken file: %v", err)
	}
	if err := s.Mute("/src/app", debugger.Site{Fingerprint: "ab"}); err != nil {
		t.Fatal(err)
	}
	if sites, err := s.Load("/src/app"); err != nil || len(sites) != 1 {
		t.Errorf("%v, %v", sites, err)
	}
}
