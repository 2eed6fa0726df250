package index_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
)

// asProcess has the test's binary be another process that writes sessions and
// keeps the index up to date.
const asProcess = "PAUSETUI_TEST_WRITES"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asProcess); dir != "" {
		if err := writeSessions(dir, os.Getenv("PAUSETUI_TEST_INDEX")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeSessions writes some sessions, as pausetui does, and indexes meanwhile.
func writeSessions(dir, path string) error {
	ctx := context.Background()
	x, err := index.Open(ctx, path, dir)
	if err != nil {
		return err
	}
	defer x.Close()
	for range 8 {
		log, err := session.CreateLog(dir, time.Now)
		if err != nil {
			return err
		}
		for _, body := range []session.Body{&session.Started{ID: log.ID(), Package: "./written"}, &session.Notice{Text: "note"}, &session.Ended{Outcome: "quit"}} {
			if _, err := log.Append("", body); err != nil {
				return err
			}
			if _, err := x.Refresh(ctx, nil); err != nil {
				return err
			}
		}
		if err := log.Close(); err != nil {
			return err
		}
	}
	_, err = x.Refresh(ctx, nil)
	return err
}

// TestProcessesAndAPull: two processes write sessions, and a pull adds and removes
// logs, all at the same time: each session is in the index once.
func TestProcessesAndAPull(t *testing.T) {
	git := gitFor(t)
	origin, clone := t.TempDir(), filepath.Join(t.TempDir(), "clone")
	testsupport.KeptLogs(t, filepath.Join(origin, "debug"))
	git(origin, "init", "-q", "-b", "main")
	git(origin, "add", "-A")
	git(origin, "commit", "-qm", "logs")
	git(origin, "clone", "-q", origin, clone)
	dir, path := filepath.Join(clone, "debug"), filepath.Join(t.TempDir(), "sessions.db")

	var all sync.WaitGroup
	for range 2 {
		process := exec.Command(os.Args[0])
		process.Env = append(os.Environ(), asProcess+"="+dir, "PAUSETUI_TEST_INDEX="+path)
		all.Go(func() {
			if out, err := process.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	journals, _ := filepath.Glob(filepath.Join(origin, "debug", "*.jsonl"))
	for i, from := range journals {
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(origin, "debug", fmt.Sprintf("20261101-00000%d-pulled.jsonl", i)), string(text))
		if i%2 == 0 {
			if err := os.Remove(from); err != nil {
				t.Fatal(err)
			}
		}
		git(origin, "add", "-A")
		git(origin, "commit", "-qm", "more")
		git(clone, "pull", "-q")
	}
	all.Wait()

	x := openAt(t, path, dir)
	refreshed(t, x)
	list, _, err := x.Search(t.Context(), index.Query{}, 1000, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, s := range list {
		got = append(got, s.Name)
	}
	entries, err := session.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		want = append(want, e.Name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) != 16+len(journals)+len(journals)/2 {
		t.Errorf("the index has %d sessions:\n%q\nof %d:\n%q", len(got), got, len(want), want)
	}
	if found := search(t, x, "target:./written"); len(found) != 16 {
		t.Errorf("%d of the 16 that were written are found", len(found))
	}
}

func gitFor(t *testing.T) func(dir string, args ...string) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	return func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
}
