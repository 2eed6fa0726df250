package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/internal/reexec"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}

const archive = `Adds.
-- case.toml --
class = "index-out-of-range"
kind = "program"
stops_in = "main"
fault = "here"
[[hidden.run]]
stdout = "1"
-- go.mod --
module example.com/add

go 1.26
-- main.go --
package main

import "fmt"

func main() { fmt.Print([]int{1}[1]) }
-- fixed/main.go --
package main

import "fmt"

func main() { fmt.Print([]int{1}[0]) }
`

// The names decide which of the cases is closed.
const openName, closedName = "index-out-of-range-read", "index-out-of-range-shut"

func diffTo(main string) string {
	return "--- a/main.go\n+++ b/main.go\n@@ -3,3 +3,3 @@\n import \"fmt\"\n \n-func main() { fmt.Print([]int{1}[1]) }\n+" + main + "\n"
}

var (
	rightDiff  = diffTo("func main() { fmt.Print([]int{1}[0]) }")
	wrongDiff  = diffTo("func main() { fmt.Print(2) }")
	brokenDiff = diffTo("func main() { fmt.Print(one) }")
)

// Every candidate is judged on a fresh module, also below a repository, and a
// diff that comes again is not judged again.
func TestJudgeAll(t *testing.T) {
	c, err := bench.Parse(openName+".txtar", []byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	j := newJudge(c, filepath.Join(dir, "judge"))
	candidates := []candidate{{Diff: wrongDiff}, {Diff: rightDiff}, {Diff: brokenDiff}, {Diff: "no diff"}}
	for range 2 {
		if err := j.all(t.Context(), candidates); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{`want the output "1"`, "", "undefined: one", "does not apply"} {
			k := candidates[i]
			if k.Right != (want == "") || !strings.Contains(k.Wrong, want) {
				t.Errorf("candidate %d: right is %v: %s", i+1, k.Right, k.Wrong)
			}
		}
		candidates = append(candidates[:0:0], candidates...)
	}
	if len(j.known) != 4 {
		t.Errorf("%d judgments", len(j.known))
	}
}

// corpusOf writes the archive under both names, and a tool that reports the
// diffs whatever it is asked.
func corpusOf(t *testing.T, diffs ...string) (o options, stdout, stderr *bytes.Buffer) {
	t.Helper()
	if !(&bench.Case{Name: openName}).Open() || (&bench.Case{Name: closedName}).Open() {
		t.Fatal("the names do not decide as they should")
	}
	dir := t.TempDir()
	var candidates []map[string]any
	for _, d := range diffs {
		candidates = append(candidates, map[string]any{"provider": "builtin", "title": "an edit", "verified": true, "diff": d})
	}
	report, err := json.Marshal(map[string]any{"outcome": "verified", "candidates": candidates})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		openName + ".txtar": archive, closedName + ".txtar": archive,
		"report.json": string(report), "tool": fmt.Sprintf("#!/bin/sh\ncat '%s/report.json'\n", dir),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return options{jobs: 2, with: "builtin,strong", json: filepath.Join(dir, "cases.jsonl"), keep: filepath.Join(dir, "keep"),
		corpus: dir, tool: filepath.Join(dir, "tool"), stdout: stdout, stderr: stderr}, stdout, stderr
}

// Of a closed case nothing comes out but counts.
func TestClosedCasesStayClosed(t *testing.T) {
	o, stdout, stderr := corpusOf(t, wrongDiff, rightDiff)
	if err := measure(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(o.json)
	if err != nil {
		t.Fatal(err)
	}
	var kept strings.Builder
	err = filepath.WalkDir(o.keep, func(path string, _ fs.DirEntry, err error) error {
		kept.WriteString(path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String(), "-json": string(lines), "-keep": kept.String()} {
		if !strings.Contains(text, openName) {
			t.Errorf("%s: nothing about %s:\n%s", what, openName, text)
		}
		if strings.Contains(text, closedName) {
			t.Errorf("%s names %s:\n%s", what, closedName, text)
		}
	}
	if !strings.Contains(stderr.String(), "closed cases: 1/1 done") {
		t.Errorf("%s", stderr)
	}
	if !strings.Contains(stdout.String(), "| **right at first place** | **0 of 1**, 0 % (0–79) | – | – |") {
		t.Errorf("%s", stdout)
	}
	if n := strings.Count(string(lines), "\n"); n != 2 || !strings.Contains(string(lines), `"right":true`) {
		t.Errorf("%d lines:\n%s", n, lines)
	}
}

// What keeps a closed case from being measured is said without a word of it.
func TestErrorOfClosedCase(t *testing.T) {
	o, _, _ := corpusOf(t, rightDiff)
	// A file stands where the module should be judged: nothing can be laid out.
	c, err := bench.Parse(closedName+".txtar", []byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "case")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = runCase(t.Context(), c, o.tool, []setting{builtin}, dir)
	if err == nil || err.Error() != "a closed case could not be measured" {
		t.Errorf("%v", err)
	}
}

// The strong model of a setting is asked over Ollama's own protocol.
func TestCommandNamesTheModel(t *testing.T) {
	c, err := bench.Parse(openName+".txtar", []byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	m := &measurer{c: c}
	for s, want := range map[setting]string{builtin: "--offline", strong: "--model ollama/strong:32b", sloppy: "--model ollama/sloppy:7b"} {
		args, env, stop, err := m.command(s, t.TempDir(), bench.Answer{Text: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(args, " "), want) || strings.Contains(strings.Join(env, " "), "OLLAMA_HOST=http") != (s != builtin) {
			t.Errorf("%s: %q %q", s, args, env)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}
