package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// repo is a repository with one commit of a.go, b.go and sub/c.go.
type repo struct {
	t   *testing.T
	dir string
}

const tenLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.git("config", "user.name", "Gopher")
	r.git("config", "user.email", "gopher@example.org")
	for _, name := range []string{"a.go", "b.go", "sub/c.go"} {
		r.put(name, tenLines)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "first")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (r *repo) put(name, text string) {
	r.t.Helper()
	testsupport.Write(r.t, filepath.Join(r.dir, name), text)
}

// change replaces text in a file of the work tree, as applying does.
func (r *repo) change(name, from, to string) Change {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	c := Change{Path: filepath.Join(r.dir, name), Before: string(data), After: strings.Replace(string(data), from, to, 1)}
	r.put(name, c.After)
	return c
}

func (r *repo) create(name, text string) Change {
	r.put(name, text)
	return Change{Path: filepath.Join(r.dir, name), After: text, Create: true}
}

func (r *repo) commit(changes ...Change) Made {
	r.t.Helper()
	made, err := Commit(context.Background(), "fix it\n\nBody.\n\nPausetui-Session: debug/x.md\n", changes)
	if err != nil {
		r.t.Fatal(err)
	}
	if head := strings.TrimSpace(r.git("rev-parse", "HEAD")); made.Hash != head {
		r.t.Errorf("hash %q, want %q", made.Hash, head)
	}
	return made
}

// status wants git status to say so.
func (r *repo) status(want ...string) {
	r.t.Helper()
	got := strings.TrimRight(r.git("status", "--porcelain"), "\n")
	if got != strings.Join(want, "\n") {
		r.t.Errorf("status:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// committed wants the last commit to be of these files and nothing else.
func (r *repo) committed(want ...string) {
	r.t.Helper()
	got := strings.Fields(r.git("show", "--name-status", "--format=", "HEAD"))
	if strings.Join(got, " ") != strings.Join(want, " ") {
		r.t.Errorf("the commit has %q, want %q", got, want)
	}
}

func TestCommitOfSeveralFiles(t *testing.T) {
	r := newRepo(t)
	r.commit(r.change("a.go", "2", "two"), r.change("sub/c.go", "9", "nine"), r.create("sub/c_test.go", "test\n"))
	r.committed("M", "a.go", "M", "sub/c.go", "A", "sub/c_test.go")
	r.status()
	if got := r.git("log", "-1", "--format=%s|%an|%(trailers:key=Pausetui-Session,valueonly)"); !strings.HasPrefix(got, "fix it|Gopher|debug/x.md") {
		t.Errorf("log: %q", got)
	}
}

func TestCommitLeavesEverythingElse(t *testing.T) {
	r := newRepo(t)
	r.put("b.go", "staged\n")
	r.put("new.go", "staged too\n")
	r.git("add", "b.go", "new.go")
	r.git("rm", "-q", "--cached", "sub/c.go")
	r.put("untracked.go", "x\n")
	r.put("b.go", "staged\nand dirty\n")
	r.commit(r.change("a.go", "2", "two"))
	r.committed("M", "a.go")
	r.status("MM b.go", "A  new.go", "D  sub/c.go", "?? sub/", "?? untracked.go")
}

// Changes of the person's in the same file stay theirs: staged ones staged,
// others in the work tree.
func TestCommitTellsItsChangeFromOthersInTheFile(t *testing.T) {
	r := newRepo(t)
	r.change("a.go", "10", "ten, staged")
	r.git("add", "a.go")
	r.change("a.go", "8", "eight, not staged")
	r.commit(r.change("a.go", "2", "two"))
	if got := r.git("show", "HEAD:a.go"); got != strings.Replace(tenLines, "2", "two", 1) {
		t.Errorf("committed %q", got)
	}
	if got := r.git("diff", "--cached", "--unified=0"); !strings.Contains(got, "+ten, staged") || strings.Contains(got, "+two") || strings.Contains(got, "+eight") {
		t.Errorf("staged:\n%s", got)
	}
	if got := r.git("diff", "--unified=0"); !strings.Contains(got, "+eight, not staged") || strings.Contains(got, "+two") || strings.Contains(got, "+ten,") {
		t.Errorf("dirty:\n%s", got)
	}
}

func TestCommitTakesBack(t *testing.T) {
	r := newRepo(t)
	change, create := r.change("a.go", "2", "two"), r.create("a_test.go", "test\n")
	r.commit(change, create)
	r.put("a.go", change.Before)
	if err := os.Remove(create.Path); err != nil {
		t.Fatal(err)
	}
	r.commit(Change{Path: change.Path, Before: change.After, After: change.Before}, Change{Path: create.Path, Before: create.After, Remove: true})
	r.committed("M", "a.go", "D", "a_test.go")
	r.status()
	if got := r.git("diff", "HEAD~2", "HEAD"); got != "" {
		t.Errorf("not as before:\n%s", got)
	}
}

func TestCommitKeepsModesAndLineEnds(t *testing.T) {
	r := newRepo(t)
	r.put(".gitattributes", "win.go text eol=crlf\n")
	r.put("win.go", "1\r\n2\r\n")
	r.put("tool.go", "1\n2\n")
	r.git("add", ".")
	r.git("update-index", "--chmod=+x", "tool.go")
	r.git("commit", "-q", "-m", "second")
	r.git("config", "core.fileMode", "false")
	r.commit(r.change("win.go", "2\r\n", "two\r\n"), r.change("tool.go", "2", "two"))
	r.status()
	if got := r.git("show", "HEAD:win.go"); got != "1\ntwo\n" {
		t.Errorf("git holds %q, want its own line ends", got)
	}
	if got := r.git("ls-tree", "HEAD", "tool.go"); !strings.HasPrefix(got, "100755") {
		t.Errorf("tool.go: %s", got)
	}
}

func TestCommitBehindALink(t *testing.T) {
	r := newRepo(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(r.dir, "sub"), link); err != nil {
		t.Skip(err)
	}
	c := r.change("sub/c.go", "2", "two")
	c.Path = filepath.Join(link, "c.go")
	r.commit(c)
	r.committed("M", "sub/c.go")
	r.status()
}

func TestCommitInAWorktreeOfItsOwn(t *testing.T) {
	r := newRepo(t)
	r.git("worktree", "add", "-q", "-b", "side", filepath.Join(r.dir, "side"))
	side := &repo{t, filepath.Join(r.dir, "side")}
	side.commit(side.change("a.go", "2", "two"))
	side.committed("M", "a.go")
	side.status()
}

func TestCommitOnADetachedHead(t *testing.T) {
	r := newRepo(t)
	r.git("checkout", "-q", "--detach")
	made := r.commit(r.change("a.go", "2", "two"))
	if len(made.Warnings) != 1 || !strings.Contains(made.Warnings[0], "detached") {
		t.Errorf("warnings: %q", made.Warnings)
	}
}

func TestCommitRefuses(t *testing.T) {
	two := func(r *repo) []Change { return []Change{r.change("a.go", "2", "two")} }
	cases := map[string]struct {
		prepare func(r *repo) []Change
		err     error
		text    string
	}{
		"a merge": {func(r *repo) []Change {
			c := two(r)
			r.put(".git/MERGE_HEAD", r.git("rev-parse", "HEAD"))
			return c
		}, ErrInProgress, "a merge is in progress"},
		"a rebase": {func(r *repo) []Change { r.put(".git/rebase-merge/x", ""); return two(r) }, ErrInProgress, "a rebase is in progress"},
		"an ignored new file": {func(r *repo) []Change {
			r.put(".gitignore", "*_test.go\n")
			return append(two(r), r.create("a_test.go", "x"))
		}, ErrIgnored, `"a_test.go" is ignored by git`},
		"an untracked file": {func(r *repo) []Change {
			r.put("u.go", tenLines)
			return []Change{r.change("u.go", "2", "two")}
		}, ErrUntracked, `"u.go" is not tracked by git`},
		"a file staged to be removed": {func(r *repo) []Change { r.git("rm", "-q", "--cached", "a.go"); return two(r) }, ErrMixed, "staged to be removed"},
		"uncommitted changes below the change": {func(r *repo) []Change {
			r.change("a.go", "2", "two and")
			return []Change{r.change("a.go", "two and", "two")}
		}, ErrMixed, "uncommitted changes"},
		"a hook": {func(r *repo) []Change {
			r.put(".git/hooks/pre-commit", "#!/bin/sh\necho no tabs, please >&2\nexit 1\n")
			if err := os.Chmod(filepath.Join(r.dir, ".git/hooks/pre-commit"), 0o755); err != nil {
				r.t.Fatal(err)
			}
			return two(r)
		}, ErrRefused, "no tabs, please"},
		"nobody": {func(r *repo) []Change {
			r.git("config", "--unset", "user.name")
			r.git("config", "--unset", "user.email")
			r.git("config", "user.useConfigOnly", "true")
			return two(r)
		}, ErrNoIdentity, ""},
		"no commit yet": {func(r *repo) []Change { r.git("checkout", "-q", "--orphan", "empty"); return two(r) }, ErrNoCommit, ""},
		"another repository": {func(r *repo) []Change {
			r.put("sub/other/x.go", "1\n")
			cmd := exec.Command("git", "init", "-q", filepath.Join(r.dir, "sub", "other"))
			if out, err := cmd.CombinedOutput(); err != nil {
				r.t.Fatalf("%v\n%s", err, out)
			}
			return append(two(r), Change{Path: filepath.Join(r.dir, "sub/other/x.go"), Before: "1\n", After: "2\n"})
		}, ErrSeveral, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			changes := c.prepare(r)
			before := r.git("status", "--porcelain")
			_, err := Commit(context.Background(), "fix it\n", changes)
			if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) || advice.Of(err) == "" {
				t.Errorf("err = %v, hint %q", err, advice.Of(err))
			}
			if after := r.git("status", "--porcelain"); after != before {
				t.Errorf("status was\n%s\nand is\n%s", before, after)
			}
		})
	}
}

func TestCommitOutsideOfGit(t *testing.T) {
	r := newRepo(t)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(r.dir))
	dir := t.TempDir()
	_, err := Commit(context.Background(), "fix it\n", []Change{{Path: filepath.Join(dir, "a.go"), Before: "1", After: "2"}})
	if !errors.Is(err, ErrNoRepository) {
		t.Errorf("err = %v, want ErrNoRepository", err)
	}
	t.Setenv("PATH", dir)
	if _, err := Commit(context.Background(), "fix it\n", []Change{{Path: filepath.Join(dir, "a.go")}}); !errors.Is(err, ErrNoGit) {
		t.Errorf("err = %v, want ErrNoGit", err)
	}
}

// A hook that hangs is killed with all that it started; nothing is committed.
func TestCommitEndsWithItsContext(t *testing.T) {
	r := newRepo(t)
	begun := filepath.Join(r.dir, "begun")
	r.put(".git/hooks/pre-commit", "#!/bin/sh\ntouch '"+begun+"'\nsleep 1000\n")
	if err := os.Chmod(filepath.Join(r.dir, ".git/hooks/pre-commit"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	change, committed := r.change("a.go", "2", "two"), make(chan error, 1)
	go func() {
		_, err := Commit(ctx, "fix it\n", []Change{change})
		committed <- err
	}()
	testsupport.Eventually(t, "the hook runs", func() bool { _, err := os.Stat(begun); return err == nil })
	cancel()
	if err := <-committed; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
	r.status(" M a.go", "?? begun")
	if _, err := os.Stat(filepath.Join(r.dir, ".git", "index.lock")); err == nil {
		t.Error("the index is still locked")
	}
}
