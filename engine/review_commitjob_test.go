package engine

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// A committed change that did not help is taken back by another commit.
func TestACommittedChangeThatCameBackIsReverted(t *testing.T) {
	testsupport.Slow(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := module(t, shelves)
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q", "-b", "main")
	git("config", "user.name", "Gopher")
	git("config", "user.email", "gopher@example.org")
	git("add", ".")
	git("commit", "-q", "-m", "first")

	opts, _ := askingOptions(dir, -1, shelfOf(`if _, ok := items[name]; !ok {
		panic("still no shelf for " + name)
	}
	return items[name]`))
	opts.Log.Commit = true
	p := play(t, opts)
	p.until("the fix is proved", settled(1))
	c := ofModel(p.state)[0]
	if c.Verified() {
		t.Fatal("it still panics, and is verified")
	}
	p.engine.Do(intent.Approve{Candidate: c.ID})
	p.until("the panic is back", func(s session.State) bool {
		return len(s.Applied) == 1 && s.Applied[0].Judgement == session.CameBack && s.Applied[0].Commit != ""
	})
	if subject := git("log", "-1", "--format=%s"); strings.Contains(subject, "first") {
		t.Errorf("the newest commit is %q", subject)
	}
	p.engine.Do(intent.Undo{})
	s := p.until("it is taken back", func(s session.State) bool { return s.Applied[0].Reverted != "" || s.Applied[0].CommitErr != "" })
	if s.Applied[0].CommitErr != "" {
		t.Fatal(s.Applied[0].CommitErr)
	}
	if log := strings.Count(git("log", "--format=%h"), "\n"); log != 3 {
		t.Errorf("%d commits, want 3:\n%s", log, git("log"))
	}
	if diff := git("diff", "HEAD~2"); diff != "" {
		t.Errorf("after the revert the source differs:\n%s", diff)
	}
	if status := git("status", "--porcelain", "--", "main.go"); status != "" {
		t.Errorf("git status says %s", status)
	}
}
