package verify

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/build"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/supervise"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/workspace"
	"golang.org/x/tools/txtar"
)

func TestMain(m *testing.M) {
	supervise.Main()
	sandbox.Main()
	os.Exit(m.Run())
}

// fixture is a module of testdata, built, and stopped at its crash.
type fixture struct {
	dir     string
	subject Subject
}

// crashing lays a module out, builds it, and runs it to its crash.
func crashing(t testing.TB, name string, args ...string) fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := build.Spec{Dir: dir, Package: ".", Flags: []string{"-mod=mod"}, DebugPatterns: []string{w.Modules[0].Path + "/..."}, Output: filepath.Join(t.TempDir(), name)}
	built, err := build.Build(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{dir: dir, subject: Subject{Workspace: w, Build: s, Binary: built.Binary, Run: Run{Args: args, Env: os.Environ(), Dir: dir}}}
	f.subject.Stop = f.stop(t)
	return f
}

// stop runs the program and makes a stop of what it printed.
func (f fixture) stop(t testing.TB) debugger.Stop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, f.subject.Binary, f.subject.Run.Args...)
	cmd.Dir = f.dir
	out, _ := cmd.CombinedOutput() // it crashes
	c, ok := crash.Parse(out)
	if !ok {
		t.Fatalf("no crash in %q", out)
	}
	p := &debugger.Panic{Class: c.Class, Message: c.Message, Recovered: c.Recovered, Culprit: -1}
	v := &Verifier{subject: f.subject}
	if culprit, ok := c.Culprit(v.own); ok {
		p.Culprit = culprit.Index
	}
	return debugger.Stop{Reason: debugger.ReasonPanic, Panic: p, Goroutine: c.Goroutine(), Frames: c.Frames(), Selected: p.Culprit}
}

// edit makes a candidate that replaces text in files: file, old, new, file, …
func (f fixture) edit(t testing.TB, changes ...string) patch.Candidate {
	t.Helper()
	c := patch.Candidate{ID: "c1"}
	for i := 0; i < len(changes); i += 3 {
		before, err := os.ReadFile(filepath.Join(f.dir, changes[i]))
		if err != nil {
			t.Fatal(err)
		}
		after := strings.Replace(string(before), changes[i+1], changes[i+2], 1)
		if after == string(before) {
			t.Fatalf("%q is not in %s", changes[i+1], changes[i])
		}
		c.Edits = append(c.Edits, patch.Edit{File: changes[i], Before: string(before), After: after})
	}
	return c
}

// prove checks the candidate and makes sure that the source stays untouched.
func (f fixture) prove(t testing.TB, opts Options, c patch.Candidate) proof.Verdict {
	t.Helper()
	before := f.snapshot(t)
	opts.TempDir = t.TempDir()
	v, err := New(f.subject, opts)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := v.Check(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if verdict.Binary != "" {
		if _, err := os.Stat(verdict.Binary); err != nil || verdict.Inputs == "" {
			t.Errorf("proved binary %q, inputs %q: %v", verdict.Binary, verdict.Inputs, err)
		}
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(opts.TempDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if after := f.snapshot(t); after != before {
		t.Error("the source was changed")
	}
	return verdict
}

func (f fixture) snapshot(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(f.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\x00" + string(text) + "\x00")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// expect tells what a check must say.
func expect(t *testing.T, v proof.Verdict, name string, status proof.Status, detail string) {
	t.Helper()
	c, ok := proof.Find(v.Checks, name)
	if !ok || c.Status != status || !strings.Contains(c.Detail, detail) {
		t.Errorf("%s is %s %q, want %s %q; all: %+v", name, c.Status, c.Detail, status, detail, v.Checks)
	}
}

const makeMap = "\treturn &Index{terms: map[string][]int{}}"

func TestAGoodFixIsVerified(t *testing.T) {
	f := crashing(t, "index")
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := f.prove(t, Options{MaxTier: tier}, f.edit(t, "index.go", "\treturn &Index{}", makeMap))
		for _, name := range []string{proof.Scope, proof.Parse, proof.Build, proof.Vet, proof.Masking} {
			expect(t, v, name, proof.Pass, "")
		}
		expect(t, v, proof.Rerun, proof.Pass, "ran to the end, exit 0")
		if !v.Verified || v.Masking {
			t.Errorf("%s: verdict %+v", tier, v)
		}
	}
}

func TestWhatRerunFinds(t *testing.T) {
	f := crashing(t, "index")
	for _, tt := range []struct {
		name    string
		changes []string
		status  proof.Status
		detail  string
	}{
		{"the same panic", []string{"index.go", "\tx.calls++", "\tx.calls += 2"}, proof.Fail, "it still happens: panic: assignment to entry in nil map in main.(*Index).Add (index.go:17)"},
		{"another panic", []string{"index.go", "\tx.calls++", "\tx.calls++\n\tvar p *int\n\t*p = x.calls"}, proof.Fail, "another crash: panic: runtime error: invalid memory address"},
		{"a panic over what the sandbox refuses", []string{"index.go", "\treturn &Index{}", makeMap, "main.go", "\tif err := report(x)", "\tif err := os.Mkdir(\"/etc/index\", 0o700); err != nil {\n\t\tpanic(err)\n\t}\n\tif err := report(x)"}, proof.Inconclusive, "read-only file system"},
		{"ends before the site", []string{"main.go", "\tx := NewIndex()", "\tx := NewIndex()\n\tif x.terms == nil {\n\t\tos.Exit(0)\n\t}"}, proof.Fail, "ended before the site"},
		{"other output", []string{"index.go", "\treturn &Index{}", makeMap, "main.go", "\"reading\"", "\"loading\""}, proof.Warn, "line 1 of the output differs before the site: \"loading\", was \"reading\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := f.prove(t, Options{}, f.edit(t, tt.changes...))
			expect(t, v, proof.Rerun, tt.status, tt.detail)
			if v.Verified != (tt.status == proof.Warn) {
				t.Errorf("verified %v", v.Verified)
			}
		})
	}
}

func TestWhatStaticChecksFind(t *testing.T) {
	f := crashing(t, "index")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "out.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "out.go"), filepath.Join(f.dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	one := func(e patch.Edit) patch.Candidate { return patch.Candidate{ID: "c2", Edits: []patch.Edit{e}} }
	changed := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	changed.Edits[0].Before += "\n"
	for _, tt := range []struct {
		name      string
		candidate patch.Candidate
		check     string
		status    proof.Status
		detail    string
	}{
		{"nothing", patch.Candidate{}, proof.Scope, proof.Fail, "changes nothing"},
		{"changed since", changed, proof.Scope, proof.Fail, "changed since the stop"},
		{"outside", one(patch.Edit{File: "../x.go", After: "package x\n", Create: true}), proof.Scope, proof.Fail, "outside"},
		{"absolute", one(patch.Edit{File: "/etc/x.go", After: "package x\n", Create: true}), proof.Scope, proof.Fail, "outside"},
		{"symlink", one(patch.Edit{File: "link.go", Before: "package main\n", After: "package main\n\nvar y = 1\n"}), proof.Scope, proof.Fail, "leads out"},
		{"vendored", one(patch.Edit{File: "vendor/other/other.go", Before: "package other\n", After: "package other\n\nvar y = 1\n"}), proof.Scope, proof.Fail, "vendored"},
		{"created twice", one(patch.Edit{File: "index.go", After: "package main\n", Create: true}), proof.Scope, proof.Fail, "exists already"},
		{"generated", f.edit(t, "gen.go", "true", "false"), proof.Scope, proof.Warn, "generated"},
		{"syntax", f.edit(t, "index.go", "\treturn &Index{}", "\treturn &Index{"), proof.Parse, proof.Fail, "index.go:15:26: missing"},
		{"format", f.edit(t, "index.go", "\treturn &Index{}", "return   &Index{}"), proof.Parse, proof.Warn, "gofmt"},
		{"types", f.edit(t, "index.go", "\treturn &Index{}", "\treturn Index{}"), proof.Build, proof.Fail, "index.go:11:9: cannot use Index{}"},
		{"vet", f.edit(t, "main.go", "fmt.Println(\"reading\")", "fmt.Printf(\"reading %d\\n\", \"x\")"), proof.Vet, proof.Fail, "main.go:11"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := f.prove(t, Options{}, tt.candidate)
			expect(t, v, tt.check, tt.status, tt.detail)
			if tt.status == proof.Fail && v.Verified {
				t.Error("verified")
			}
			if len(v.Checks) != 8 {
				t.Errorf("checks %+v", v.Checks)
			}
		})
	}
}

func TestWithoutASandboxRerunIsSkipped(t *testing.T) {
	f := crashing(t, "index")
	c := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	v := f.prove(t, Options{MaxTier: sandbox.None}, c)
	expect(t, v, proof.Rerun, proof.Skip, "no sandbox")
	if v.Verified {
		t.Error("verified without a rerun")
	}
	v = f.prove(t, Options{MaxTier: sandbox.None, AllowUnsandboxed: true}, c)
	expect(t, v, proof.Rerun, proof.Pass, "exit 0")
}

func TestCandidatesAreProvedAtTheSameTime(t *testing.T) {
	f := crashing(t, "index")
	v, err := New(f.subject, Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			verdict, err := v.Check(t.Context(), f.edit(t, "index.go", "\treturn &Index{}", makeMap), nil)
			if err != nil || !verdict.Verified {
				t.Errorf("verdict %+v: %v", verdict, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Check(ctx, f.edit(t, "index.go", "\treturn &Index{}", makeMap), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	wait.Wait()
}

func TestTheProbeTellsWhatCameAfterTheSite(t *testing.T) {
	f := crashing(t, "index")
	// The map is made, but nothing is ever counted: the program ends with 1.
	late := f.edit(t, "index.go", "\treturn &Index{}", makeMap, "main.go", "if len(x.terms) == 0 {", "if len(x.terms) == 2 {")
	v := f.prove(t, Options{}, late)
	expect(t, v, proof.Rerun, proof.Warn, `past the site, then it ended with exit code 1; it printed last: "report: nothing to report"`)
	if !v.Verified {
		t.Error("a warning still verifies")
	}
	early := f.edit(t, "main.go", "\tfor i, w", "\tif len(x.terms) == 0 {\n\t\tos.Exit(3)\n\t}\n\tfor i, w")
	v = f.prove(t, Options{}, early)
	expect(t, v, proof.Rerun, proof.Fail, `ended before the site: it ended with exit code 3; it printed last: "reading"`)
}

func TestAServerThatLivesOnPasses(t *testing.T) {
	f := crashing(t, "server")
	v := f.prove(t, Options{Timeout: 1500 * time.Millisecond}, f.edit(t, "main.go", "return &config{}", "return &config{limits: &limits{rate: 5}}"))
	expect(t, v, proof.Rerun, proof.Pass, "past the site")
	if !v.Verified {
		t.Errorf("verdict %+v", v)
	}
	stuck := f.edit(t, "main.go", "\tif n < 3 {\n\t\treturn", "\tif n == 3 {\n\t\tselect {}\n\t}\n\tif n < 3 {\n\t\treturn")
	v = f.prove(t, Options{Timeout: 1500 * time.Millisecond}, stuck)
	expect(t, v, proof.Rerun, proof.Fail, "another crash: fatal error: all goroutines are asleep")
	asleep := f.edit(t, "main.go", "\tif n < 3 {\n\t\treturn", "\tfor n == 3 {\n\t\ttime.Sleep(time.Second)\n\t}\n\tif n < 3 {\n\t\treturn")
	v = f.prove(t, Options{Timeout: 1500 * time.Millisecond}, asleep)
	expect(t, v, proof.Rerun, proof.Inconclusive, "has not come past the site")
}

func TestMaskingIsNamed(t *testing.T) {
	f := crashing(t, "index")
	guard := f.edit(t, "index.go", "\tx.calls++", "\tif x.terms == nil {\n\t\treturn\n\t}\n\tx.calls++")
	v := f.prove(t, Options{}, guard)
	expect(t, v, proof.Masking, proof.Warn, "returns zero values")
	expect(t, v, proof.Rerun, proof.Warn, "nothing to report")
	if !v.Masking {
		t.Error("the verdict does not say that it masks")
	}
	said := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	said.Masking = true
	v = f.prove(t, Options{}, said)
	expect(t, v, proof.Masking, proof.Warn, "its proposer says")
	if !v.Masking || !v.Verified {
		t.Errorf("verdict %+v", v)
	}
}

func TestAServedPanicIsFound(t *testing.T) {
	f := crashing(t, "service")
	if !f.subject.Stop.Panic.Recovered {
		t.Fatalf("stop %+v", f.subject.Stop.Panic)
	}
	v := f.prove(t, Options{}, f.edit(t, "main.go", "var visits map[string]int", "var visits = map[string]int{}"))
	expect(t, v, proof.Rerun, proof.Pass, "exit 0")
	v = f.prove(t, Options{}, f.edit(t, "main.go", "visits[", "visits[\"x\"+"))
	expect(t, v, proof.Rerun, proof.Fail, "it still happens")
	v = f.prove(t, Options{}, f.edit(t, "main.go", "var visits map[string]int", "var visits = map[string]int{}", "main.go", "fmt.Fprintln(w, ", "var p *int\n\tfmt.Fprintln(w, *p, "))
	expect(t, v, proof.Scope, proof.Fail, "edited twice")
}
