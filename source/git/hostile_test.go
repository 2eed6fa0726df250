package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// hostileRepo is a repository whose configuration, attributes and hooks run a
// command wherever git takes one; each leaves a file of its name in ran.
func hostileRepo(t *testing.T) (file, ran string) {
	t.Helper()
	dir, ran := t.TempDir(), t.TempDir()
	command := func(name string) string { return "touch " + filepath.Join(ran, name) + "; cat; false" }
	file = filepath.Join(dir, "a.go")
	run := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	testsupport.Write(t, file, "package a\n")
	run("init", "-q")
	run("add", "a.go")
	run("commit", "-q", "-m", "a")
	testsupport.Write(t, file, "package b\n")
	testsupport.Write(t, filepath.Join(dir, ".gitattributes"), "*.go filter=evil diff=evil merge=evil\n")
	for key, name := range map[string]string{"filter.evil.clean": "clean", "filter.evil.smudge": "smudge", "filter.evil.process": "process", "diff.evil.command": "driver",
		"diff.evil.textconv": "textconv", "diff.external": "external", "core.fsmonitor": "fsmonitor", "core.pager": "pager", "pager.cat-file": "pager", "core.sshCommand": "ssh",
		"core.gitProxy": "proxy", "core.askPass": "askpass", "alias.cat-file": "alias", "credential.helper": "credential", "core.editor": "editor"} {
		prefix := ""
		if strings.HasPrefix(key, "alias") {
			prefix = "!"
		}
		run("config", key, prefix+command(name))
	}
	run("config", "pager.cat-file", "true")
	for _, hook := range []string{"post-checkout", "post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"} {
		path := filepath.Join(dir, "hooks", hook)
		testsupport.Write(t, path, "#!/bin/sh\n"+command(hook)+"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run("config", "core.hooksPath", filepath.Join(dir, "hooks"))
	return file, ran
}

// nothingRan fails where a command of the repository has left its name.
func nothingRan(t *testing.T, ran string) {
	t.Helper()
	list, err := os.ReadDir(ran)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		t.Errorf("the repository's %s ran", e.Name())
	}
}

func TestHeadRunsNothingOfTheRepository(t *testing.T) {
	file, ran := hostileRepo(t)
	t.Setenv("GIT_EXTERNAL_DIFF", "false")
	t.Setenv("GIT_DIR", "/nowhere")
	if text, err := Head(t.Context(), file); err != nil || text != "package a\n" {
		t.Errorf("%q, %v", text, err)
	}
	nothingRan(t, ran)
}

// A missing object of a partial clone is fetched by a command of the repository's.
func TestHeadFetchesNothing(t *testing.T) {
	file, ran := hostileRepo(t)
	dir := filepath.Dir(file)
	for _, args := range [][]string{{"config", "core.repositoryFormatVersion", "1"}, {"config", "extensions.partialClone", "origin"}, {"config", "remote.origin.promisor", "true"},
		{"config", "protocol.ext.allow", "always"}, {"config", "remote.origin.url", "ext::sh -c touch% " + filepath.Join(ran, "fetch")},
		{"config", "remote.origin.uploadpack", "touch " + filepath.Join(ran, "uploadpack")}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	blob, err := exec.Command("git", "-C", dir, "--no-pager", "rev-parse", "HEAD:a.go").Output()
	if err != nil {
		t.Fatal(err)
	}
	hash := strings.TrimSpace(string(blob))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", hash[:2], hash[2:])); err != nil {
		t.Fatal(err)
	}
	if text, err := Head(t.Context(), file); err == nil {
		t.Errorf("%q, though the object is gone", text)
	}
	nothingRan(t, ran)
}

// A directory with files named as git's own is a bare repository to git: that
// can come with any clone.
func TestHeadTakesNoBareRepository(t *testing.T) {
	file, _ := hostileRepo(t)
	dir := filepath.Dir(file)
	bare := filepath.Join(t.TempDir(), "pkg")
	if err := os.Rename(filepath.Join(dir, ".git"), bare); err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(bare, "a.go")
	if text, err := Head(t.Context(), inside); err == nil {
		t.Errorf("%q is taken from it", text)
	}
}

func TestHeadIsBounded(t *testing.T) {
	file, _ := hostileRepo(t)
	dir := filepath.Dir(file)
	for _, args := range [][]string{{"config", "--unset", "core.hooksPath"}, {"config", "--remove-section", "filter.evil"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.Truncate(file, maxHead+1); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-c", "core.fsmonitor=false", "add", "a.go"}, {"-c", "core.fsmonitor=false", "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "large"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if _, err := Head(t.Context(), file); !errors.Is(err, regular.ErrTooLarge) {
		t.Errorf("err = %v", err)
	}
	// Included configuration that never ends takes no longer than allowed.
	fifo := filepath.Join(dir, ".git", "config")
	if err := errors.Join(os.Remove(fifo), exec.Command("mkfifo", fifo).Run()); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Head(ctx, file); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
}
