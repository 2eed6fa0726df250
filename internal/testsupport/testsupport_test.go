package testsupport

import (
	"path/filepath"
	"testing"
	"time"
)

func TestModule(t *testing.T) {
	dir := Module(t, "-- go.mod --\nmodule m\n-- a/b.go --\npackage a\n")
	if got := Read(t, filepath.Join(dir, "a", "b.go")); got != "package a\n" {
		t.Errorf("wrote %q", got)
	}
	Files(t, dir, map[string]string{"a/b.go": "package b\n"})
	if got := Read(t, filepath.Join(dir, "a", "b.go")); got != "package b\n" {
		t.Errorf("wrote over it %q", got)
	}
}

func TestEventually(t *testing.T) {
	began, looks := time.Now(), 0
	Eventually(t, "it holds", func() bool { looks++; return time.Since(began) > 20*time.Millisecond })
	if looks < 3 {
		t.Errorf("looked %d times", looks)
	}
	left := []string{"a", "b"}
	Until(t, func() string {
		if len(left) == 0 {
			return ""
		}
		left = left[1:]
		return "some are left"
	})
	if len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	closed := make(chan struct{})
	go close(closed)
	Closed(t, "it is closed", closed)
}

func TestBulk(t *testing.T) {
	for whole, want := range map[string]bool{"": false, "1": true} {
		t.Setenv(WholeVariable, whole)
		ran := false
		t.Run("case", func(t *testing.T) {
			Slow(t)
			ran = true
		})
		if ran != want {
			t.Errorf("with %q it ran: %v", whole, ran)
		}
	}
}
