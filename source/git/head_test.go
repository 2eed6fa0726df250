package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestHead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	check := func(when, want string, wantErr error) {
		t.Helper()
		if got, err := Head(context.Background(), file); got != want || !errors.Is(err, wantErr) {
			t.Errorf("%s: %q, %v; want %q, %v", when, got, err, want, wantErr)
		}
	}
	write("package a\n")
	check("no repository", "", ErrNoRepository)
	git("init", "-q")
	check("no commit", "", ErrNoCommit)
	git("add", "a.go")
	git("commit", "-q", "-m", "a")
	write("package b\n")
	check("changed", "package a\n", nil)
	write("package b\r\n")
	check("with the ends of lines it has", "package a\r\n", nil)
	file = filepath.Join(dir, "new.go")
	write("package c\n")
	check("untracked", "", ErrUntracked)
}
