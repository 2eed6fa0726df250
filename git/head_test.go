package git

import (
	"context"
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
	check := func(when, want string, wantOK bool) {
		t.Helper()
		if got, ok, err := Head(context.Background(), file); got != want || ok != wantOK || err != nil {
			t.Errorf("%s: %q, %v, %v; want %q, %v", when, got, ok, err, want, wantOK)
		}
	}
	write("package a\n")
	check("no repository", "", false)
	git("init", "-q")
	check("no commit", "", false)
	git("add", "a.go")
	git("commit", "-q", "-m", "a")
	write("package b\n")
	check("changed", "package a\n", true)
	git("config", "core.autocrlf", "true")
	check("as a checkout writes it", "package a\r\n", true)
	file = filepath.Join(dir, "new.go")
	write("package c\n")
	check("untracked", "", false)
}
