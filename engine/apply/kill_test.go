package apply

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestKilledAtAnyMoment kills a session again and again while it applies candidates,
// takes them back and writes its log, and wants everything back: each file as
// one candidate makes it, all files of the same one, no temporary files, every
// event that was acknowledged, and a markdown log that is whole.
//
// PAUSETUI_KILLS and PAUSETUI_KILL_SEED change how often, and when. By default it
// is 60 times, and with PAUSETUI_WHOLE=1 500 times.
func TestKilledAtAnyMoment(t *testing.T) {
	kills := 60
	if testsupport.Whole() {
		kills = 500
	}
	kills = number("PAUSETUI_KILLS", kills)
	seed := uint64(number("PAUSETUI_KILL_SEED", 20261120))
	t.Logf("%d kills, seed %d", kills, seed)
	workers := min(runtime.NumCPU(), 4)
	for n := range workers {
		t.Run(fmt.Sprintf("worker %d", n), func(t *testing.T) {
			t.Parallel()
			k := &killing{t: t, dir: t.TempDir(), rand: rand.New(rand.NewPCG(seed, uint64(n)))}
			k.ws = module(k.dir)
			k.prepare()
			for i := range (kills + workers - 1) / workers {
				k.once(i)
				if t.Failed() {
					t.Fatalf("after kill %d", i+1)
				}
			}
			t.Logf("%d interrupted applies and undos were put in order", k.recovered)
			if k.recovered == 0 {
				t.Error("no kill has ever interrupted an apply: the test does not test what it should")
			}
		})
	}
}

func number(env string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
		return n
	}
	return otherwise
}

// killing is one worker's module and what is known of it.
type killing struct {
	t         *testing.T
	dir       string
	ws        workspace.Workspace
	rand      *rand.Rand
	recovered int
}

func (k *killing) prepare() {
	for _, name := range []string{"a.go", "sub/b.go"} {
		path := filepath.Join(k.ws.Root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			k.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("package m\n"), 0o640); err != nil {
			k.t.Fatal(err)
		}
	}
}

// once lets a writer work for a while, kills it, and looks.
func (k *killing) once(i int) {
	acknowledged := k.letWork(i%8 == 0)
	if len(acknowledged) > 1 {
		k.checkAcknowledged(acknowledged[1:])
	}
	for _, n := range Recover(context.Background(), logDir(k.ws), k.ws) {
		k.recovered++
		if n.Level == "error" {
			k.t.Errorf("recovery: %s (%s)", n.Text, n.Hint)
		}
	}
	k.checkLeftovers()
	if path := newestJournal(logDir(k.ws)); path != "" {
		events, err := session.ReadFile(path)
		if err != nil {
			k.t.Fatalf("%s: %v", path, err)
		}
		k.checkFiles(path, session.Fold(session.NewState(), events))
		k.checkMarkdown(strings.TrimSuffix(path, ".jsonl")+".md", events)
	}
}

// letWork runs the writer until it has made some progress, kills it a moment
// later, and returns the events that it had acknowledged.
func (k *killing) letWork(fresh bool) []string {
	exe, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asWriter+"="+k.dir, fmt.Sprintf("PAUSETUI_TEST_WRITER_SEED=%d", k.rand.Uint64()))
	if fresh {
		cmd.Env = append(cmd.Env, asFresh+"=1")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	var lines []string
	after := 1 + k.rand.IntN(14) // lines; the first is said before there is a log
	moment := time.Duration(k.rand.Int64N(int64(3 * time.Millisecond)))
	s := bufio.NewScanner(out)
	for s.Scan() {
		lines = append(lines, s.Text())
		if len(lines) == after {
			for began := time.Now(); time.Since(began) < moment; {
				runtime.Gosched()
			}
			_ = cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() >= 0 {
		k.t.Fatalf("the writer ended by itself: %v\n%s", err, stderr.String())
	}
	return lines
}

// checkAcknowledged wants every event in the journal that the log had taken.
func (k *killing) checkAcknowledged(lines []string) {
	name, _, _ := strings.Cut(lines[0], " ")
	path := k.journalOf(name)
	events, err := session.ReadFile(path)
	if err != nil {
		k.t.Errorf("%s: %v", path, err)
	}
	have := map[uint64]bool{}
	for _, e := range events {
		have[e.Seq] = true
	}
	for _, line := range lines {
		_, number, _ := strings.Cut(line, " ")
		if seq, err := strconv.ParseUint(number, 10, 64); err != nil || !have[seq] {
			k.t.Errorf("%s: event %q was acknowledged and is lost", path, line)
		}
	}
}

// journalOf finds a session's journal, which may have been renamed since.
func (k *killing) journalOf(markdown string) string {
	id := regexp.MustCompile(`^\d+-\d+(-\d+)?-`).FindString(markdown)
	found, _ := filepath.Glob(filepath.Join(logDir(k.ws), id+"[a-z]*.jsonl"))
	if len(found) != 1 {
		k.t.Fatalf("journals of %s: %q", markdown, found)
	}
	return found[0]
}

// checkFiles compares the source with what the newest session says of it.
func (k *killing) checkFiles(path string, state session.State) {
	if state.Pending != nil {
		k.t.Errorf("%s: %s is still open", path, state.Pending.Candidate)
	}
	i := state.CaseIndex()
	if i < 0 || len(state.Stops[i].Candidates) == 0 {
		return
	}
	all := state.Stops[i].Candidates
	want := map[string]string{} // what the session has found
	for _, e := range all[0].Edits {
		want[e.File] = e.Before
	}
	if a, ok := state.Undoable(); ok {
		c, _ := state.Candidate(a.Candidate)
		for _, e := range c.Edits {
			want[e.File] = e.After
		}
	}
	for _, c := range all {
		file := testFile(state.Started.ID, c.ID)
		if state.IsApplied(c.ID) {
			want[file] = c.Test().Edit.After
		} else if _, err := os.Lstat(filepath.Join(k.ws.Root, file)); err == nil {
			k.t.Errorf("%s: %s is not applied, but its test is there", path, c.ID)
		}
	}
	for file, content := range want {
		data, err := os.ReadFile(filepath.Join(k.ws.Root, file))
		if err != nil || string(data) != content {
			k.t.Errorf("%s: %s is neither old nor new (%v): %.60q, want %.60q", path, file, err, data, content)
		}
		if info, err := os.Stat(filepath.Join(k.ws.Root, file)); err == nil && want[file] != "" && !strings.HasSuffix(file, "_test.go") && info.Mode() != 0o640 {
			k.t.Errorf("%s has mode %v now", file, info.Mode())
		}
	}
}

// checkLeftovers wants no file that is half of something.
func (k *killing) checkLeftovers() {
	err := filepath.WalkDir(k.ws.Root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if strings.HasPrefix(name, ".") && name != ".gitignore" {
			k.t.Errorf("left over: %s", path)
		}
		return err
	})
	if err != nil {
		k.t.Error(err)
	}
	if ignore, err := os.ReadFile(filepath.Join(logDir(k.ws), ".gitignore")); err == nil && string(ignore) != "*\n" && len(ignore) > 0 {
		k.t.Errorf(".gitignore = %q", ignore)
	}
}

var lastNumber = regexp.MustCompile(`(?:note |### Fix c)(\d+)`)

// checkMarkdown wants the newest log to be that of some moment, or absent.
func (k *killing) checkMarkdown(path string, events []session.Event) {
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	from := 1
	if all := lastNumber.FindAllSubmatch(text, -1); len(all) > 0 {
		from, _ = strconv.Atoi(string(all[len(all)-1][1]))
	}
	for n := from; n <= len(events); n++ {
		if bytes.Equal(session.Markdown(events[:n]), text) {
			return
		}
	}
	k.t.Errorf("%s is not the log of any moment: %d bytes, after event %d", path, len(text), from)
}
