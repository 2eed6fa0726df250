package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

const smallFix = "The index is one too high.\n```go\nfunc main() { fmt.Print([]int{1}[0]) }\n```\n"

// benchmark is what several runs of bench have in common.
type benchmark struct {
	t     *testing.T
	dir   string
	state string
	flags []string
}

func newBenchmark(t *testing.T, trials int, servers ...*ollamatest.Server) *benchmark {
	t.Helper()
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "cases", "index-out-of-range-read.txtar"),
		testsupport.Read(t, filepath.Join("..", "..", "bench", "testdata", "index-out-of-range-read.txtar")))
	var hosts []string
	for _, s := range servers {
		hosts = append(hosts, strings.TrimPrefix(s.URL, "http://"))
	}
	return &benchmark{t, dir, stateHome(t), []string{"bench", "run", "--yes", "--models", "builtin,ollama/*", "--prompts", "whole-function", "--cases", filepath.Join(dir, "cases"),
		"--rounds", "0", "--trials", strconv.Itoa(trials), "--hosts", strings.Join(hosts, ","), "--jobs", strconv.Itoa(len(servers))}}
}

func (b *benchmark) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	b.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), asMain+"=1", "PWD="+b.dir, b.state)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd, &out
}

// do runs a command that ends well.
func (b *benchmark) do(args ...string) string {
	b.t.Helper()
	cmd, out := b.command(args...)
	if err := cmd.Run(); err != nil {
		b.t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return out.String()
}

// part runs a part of the plan.
func (b *benchmark) part(dir string, more ...string) string {
	b.t.Helper()
	return b.do(append(append(b.flags[:len(b.flags):len(b.flags)], "--dir", dir), more...)...)
}

// killed runs a part and kills it as soon as a file of its directory has so many
// lines.
func (b *benchmark) killed(dir, file string, lines int, more ...string) {
	b.t.Helper()
	cmd, out := b.command(append(append(b.flags[:len(b.flags):len(b.flags)], "--dir", dir), more...)...)
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	testsupport.Eventually(b.t, "something to kill it after: "+file, func() bool {
		data, _ := os.ReadFile(filepath.Join(b.dir, dir, file))
		return bytes.Count(data, []byte("\n")) >= lines
	})
	_ = cmd.Process.Kill() // it may have ended
	if cmd.Wait() == nil {
		b.t.Logf("it had ended before it was killed: %s", out)
	}
}

// reports are a run in all formats.
func (b *benchmark) reports(dir string) map[string]string {
	b.t.Helper()
	all := map[string]string{}
	for _, format := range []string{"text", "csv", "markdown", "junit", "jsonl", "html"} {
		all[format] = b.do("bench", "report", dir, "--no-times", "--format", format)
	}
	return all
}

// One run that was killed and resumed, and eight parts, two of which were killed
// and started again, give the same bytes; and nothing is asked twice but what was
// being answered when it was killed.
func TestKilledRunsAndShardsGiveTheSameReports(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	var asked atomic.Int64
	server := ollamatest.New(t, ollamatest.Model{Name: "good:7b", Digest: "good", Capabilities: []string{"completion"}, Script: func(ollamatest.Request) []ollamatest.Step {
		text := smallFix
		if asked.Add(1)%2 == 0 { // the answers of a model differ; which cell gets which is its key's matter
			text = smallFix + "\n"
		}
		return []ollamatest.Step{{Text: text}}
	}})
	b := newBenchmark(t, 8, server)
	b.killed("one", "results.jsonl", 3)
	b.killed("one", "asked.jsonl", 2)
	if out := b.part("one"); !strings.Contains(out, "16 cells, complete") {
		t.Errorf("%s", out)
	}
	if n := asked.Load(); n < 8 || n > 10 {
		t.Errorf("8 cells of a model, two kills: it was asked %d times", n)
	}
	merge := []string{"bench", "merge", "--dir", "whole"}
	for i := 1; i <= 8; i++ {
		shard, dir := strconv.Itoa(i)+"/8", "shard"+strconv.Itoa(i)
		switch i {
		case 3:
			b.killed(dir, "results.jsonl", 1, "--shard", shard)
		case 6:
			b.killed(dir, "plan.json", 1, "--shard", shard)
		}
		b.part(dir, "--shard", shard)
		merge = append(merge, dir)
	}
	if out := b.do(merge...); !strings.Contains(out, "16 of 16 cells have a result") {
		t.Errorf("%s", out)
	}
	one, whole := b.reports("one"), b.reports("whole")
	for format := range one {
		if one[format] != whole[format] {
			t.Errorf("%s differs:\n%s\n%s", format, one[format], whole[format])
		}
	}
}

// Two servers share the cells of a model. One loses it half-way: the other does
// the rest, and nothing is without a result.
func TestAHostLosesTheModel(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]int{}
	model := func(host string) ollamatest.Model {
		return ollamatest.Model{Name: "good:7b", Digest: "good", Capabilities: []string{"completion"}, Script: func(ollamatest.Request) []ollamatest.Step {
			mu.Lock()
			defer mu.Unlock()
			asked[host]++
			return []ollamatest.Step{{Text: smallFix}}
		}}
	}
	fleeting, staying := ollamatest.New(t, model("fleeting")), ollamatest.New(t, model("staying"))
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for range time.Tick(10 * time.Millisecond) {
			mu.Lock()
			n := asked["fleeting"]
			mu.Unlock()
			if n > 0 || t.Context().Err() != nil {
				fleeting.Delete("good:7b")
				return
			}
		}
	}()
	b := newBenchmark(t, 6, fleeting, staying)
	out := b.part("run")
	<-gone
	if !strings.Contains(out, "12 cells, complete") || !strings.Contains(out, "good:7b") {
		t.Errorf("%s", out)
	}
	if !strings.Contains(out, "no result") {
		t.Errorf("that a server lost the model is not said:\n%s", out)
	}
	if asked["fleeting"] == 0 || asked["staying"] < 3 || asked["fleeting"]+asked["staying"] != 6 {
		t.Errorf("asked: %v", asked)
	}
	troubles, err := matrix.Troubles(filepath.Join(b.dir, "run"))
	if err != nil || len(troubles) != 1 {
		t.Errorf("%v %v", troubles, err)
	}
}
