package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/verify/sandbox"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

// archive is a small case.
const archive = "../testdata/index-out-of-range-read.txtar"

func diffTo(main string) string {
	return "--- a/main.go\n+++ b/main.go\n@@ -3,3 +3,3 @@\n import \"fmt\"\n \n-func main() { fmt.Print([]int{1}[1]) }\n+" + main + "\n"
}

func parseArchive() (*bench.Case, error) {
	text, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	return bench.Parse(filepath.Base(archive), text)
}

func parsed(t *testing.T) *bench.Case {
	t.Helper()
	c, err := parseArchive()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Every candidate is judged on a fresh module, also below a repository, and a
// diff that comes again is not judged again.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	j := newJudge(parsed(t), filepath.Join(dir, "judge"), &bench.Sandbox{AllowNone: runtime.GOOS != "linux"})
	for range 2 {
		for diff, want := range map[string]string{
			diffTo("func main() { fmt.Print([]int{1}[0]) }"): "", diffTo("func main() { fmt.Print(2) }"): `want the output "1"`,
			diffTo("func main() { fmt.Print(one) }"): "undefined: one", "no diff": "does not apply",
		} {
			wrong, err := j.wrong(t.Context(), diff)
			if err != nil || (wrong == "") != (want == "") || !strings.Contains(wrong, want) {
				t.Errorf("%s: %s %v", diff, wrong, err)
			}
		}
	}
	if len(j.known) != 4 {
		t.Errorf("%d judgments", len(j.known))
	}
}

// A candidate is a model's: the hidden check builds and runs it, too, where it
// changes no file and sees no variable of whoever measures.
func TestTheHiddenCheckRunsInTheSandbox(t *testing.T) {
	in := &bench.Sandbox{}
	if tier, why := sandbox.Detect(); tier == sandbox.None {
		_, err := newJudge(parsed(t), t.TempDir(), in).wrong(t.Context(), diffTo("func main() { fmt.Print([]int{1}[0]) }"))
		if !errors.Is(err, sandbox.ErrNoSandbox) {
			t.Errorf("%v without a sandbox (%v)", err, why)
		}
		return
	}
	t.Setenv("BENCH_API_KEY", "swordfish-9")
	outside := filepath.Join(t.TempDir(), "owned")
	imports := "--- a/main.go\n+++ b/main.go\n@@ -1,5 +1,8 @@\n package main\n \n-import \"fmt\"\n+import (\n+\t\"fmt\"\n+\t\"os\"\n+)\n \n-func main() { fmt.Print([]int{1}[1]) }\n+"
	for name, body := range map[string]string{
		"writes":  fmt.Sprintf("func main() { _ = os.WriteFile(%q, nil, 0o600); fmt.Print(1) }", outside),
		"reads":   `func main() { fmt.Print("1" + os.Getenv("BENCH_API_KEY")) }`,
		"at init": fmt.Sprintf("func init() { _ = os.Mkdir(%q, 0o700) }; func main() { fmt.Print(1) }", outside),
	} {
		wrong, err := newJudge(parsed(t), filepath.Join(t.TempDir(), "judge"), in).wrong(t.Context(), imports+body+"\n")
		if err != nil || wrong != "" {
			t.Errorf("%s: %v %s", name, err, wrong)
		}
		if _, err := os.Lstat(outside); err == nil {
			t.Fatalf("a candidate that %s changed a file outside of its module", name)
		}
	}
}

// One run through the real pipeline: a strong model is right, a hostile one is
// not, and a killed run asks for nothing that is stored.
func TestRun(t *testing.T) {
	testsupport.Slow(t)
	c := parsed(t)
	var columns []matrix.Column
	for _, info := range ScriptedModels() {
		if info.Name != "sloppy" {
			columns = append(columns, matrix.Column{Model: info.ID(), Info: info, Prompt: matrix.Auto})
		}
	}
	plan, err := matrix.NewPlan(columns, []matrix.Case{{Name: c.Name, Hash: "h", Class: c.Class, Fixable: true}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, err := matrix.Create(dir, plan)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	results := map[string]matrix.Result{}
	o := Options{Store: store, Cases: map[string]*bench.Case{c.Name: c}, Engine: options.Session{}, Jobs: 2, Limit: 5 * time.Minute,
		Report: func(p Progress) { results[plan.Columns[p.Cell.Column].Model] = p.Result }}
	if left, err := Run(t.Context(), o); err != nil || left != 0 {
		t.Fatal(left, err)
	}
	strong, hostile := results["scripted/strong"], results["scripted/hostile"]
	if !strong.Flags.Is(matrix.Class | matrix.Culprit | matrix.OwnUsable | matrix.OwnBuilds | matrix.OwnRight | matrix.Right) {
		t.Errorf("strong: %v", strong.Flags.Names())
	}
	if hostile.Flags.Is(matrix.OwnRight) || !hostile.Flags.Is(matrix.Class) {
		t.Errorf("hostile: %v", hostile.Flags.Names())
	}
	if strong.Requests == 0 || strong.Tokens == 0 || strong.Total == 0 {
		t.Errorf("%+v", strong)
	}
	for i := range plan.Cells(matrix.Shard{}) {
		if len(store.Answers(matrix.Cell{Column: i})) == 0 {
			t.Errorf("column %d has no stored answer", i)
		}
	}
	results = map[string]matrix.Result{}
	if left, err := Run(t.Context(), o); err != nil || left != 0 || len(results) != 0 {
		t.Errorf("a complete run: %d %v %v", left, err, results)
	}
}

// flaky is a model whose connection breaks once.
type flaky struct{ slow }

func (m *flaky) Complete(ctx context.Context, r llm.Request, onText func(string)) (llm.Answer, error) {
	if m.asked++; m.asked == 1 {
		return llm.Answer{}, llm.ErrCut
	}
	return llm.Answer{Text: "I cannot say."}, nil
}

// A cell that a provider's error left without a result is tried once more at the
// end. An answer of prose is a result: one that cannot be used.
func TestErrorsAreRetriedAtTheEnd(t *testing.T) {
	testsupport.Slow(t)
	c := parsed(t)
	plan, err := matrix.NewPlan([]matrix.Column{{Model: "p/m", Info: llm.Info{Provider: "p", Name: "m"}, Prompt: matrix.Auto}}, []matrix.Case{{Name: c.Name, Hash: "h", Class: c.Class, Fixable: true}}, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	store, err := matrix.Create(t.TempDir(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	m := &flaky{}
	var seen []Progress
	left, err := Run(t.Context(), Options{Store: store, Cases: map[string]*bench.Case{c.Name: c}, Models: map[string]Model{"p/m": {Lanes: []Lane{{Name: "p", Model: m}}}},
		Jobs: 1, Limit: 5 * time.Minute, Report: func(p Progress) { seen = append(seen, p) }})
	if err != nil || left != 0 || len(seen) != 2 || !errors.Is(seen[0].Err, llm.ErrCut) || !seen[1].Retrying || seen[1].Err != nil {
		t.Fatalf("%d left, %v, %+v", left, err, seen)
	}
	if f := seen[1].Result.Flags; f.Is(matrix.OwnUsable) || f.Is(matrix.OwnRight) || !f.Is(matrix.Class) {
		t.Errorf("%v", f.Names())
	}
	if seen[1].Result.Overhead > 200_000 {
		t.Errorf("the benchmark itself took %d µs", seen[1].Result.Overhead)
	}
}
