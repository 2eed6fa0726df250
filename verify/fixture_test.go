package verify

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
	"go.uber.org/goleak"
	"golang.org/x/tools/txtar"
)

// fixtures are the modules that tests share: what is built of one is in the
// build cache for the next. Nothing may be written to them.
var fixtures struct {
	dir string
	mu  sync.Mutex // held while one is built, so that it is built once
	all map[string]fixture
}

func TestMain(m *testing.M) {
	reexec.Main()
	code := 1
	if dir, err := os.MkdirTemp("", "pausetui-fixtures-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		fixtures.dir, fixtures.all = dir, map[string]fixture{}
		code = m.Run()
		_ = os.RemoveAll(dir)
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// fixture is a module of testdata, built, and stopped at its crash.
type fixture struct {
	dir     string
	flags   []string // of builds, too
	subject subject.Subject
}

// crashing is a module of testdata, built, and run to its crash.
func crashing(t testing.TB, name string, args ...string) fixture {
	t.Helper()
	fixtures.mu.Lock()
	defer fixtures.mu.Unlock()
	key := strings.Join(append([]string{name}, args...), " ")
	if f, ok := fixtures.all[key]; ok {
		return f
	}
	f := lay(t, name, filepath.Join(fixtures.dir, fmt.Sprint(len(fixtures.all), name)))
	f.build(t, ".", false, args...)
	fixtures.all[key] = f
	return f
}

// crashingAlone is crashing for tests that write to the module.
func crashingAlone(t testing.TB, name string) fixture {
	t.Helper()
	f := lay(t, name, t.TempDir())
	f.build(t, ".", false)
	return f
}

// lay lays a module of testdata out.
func lay(t testing.TB, name, dir string) fixture {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	testsupport.Extract(t, dir, archive)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fixture{dir: dir, subject: subject.Subject{Workspace: w}}
}

// build builds the package, or its tests, and runs it to its crash.
func (f *fixture) build(t testing.TB, pkg string, test bool, args ...string) {
	t.Helper()
	f.compile(t, pkg, test, args...)
	f.subject.Stop = f.stop(t)
}

// compile builds the package, or its tests.
func (f *fixture) compile(t testing.TB, pkg string, test bool, args ...string) {
	t.Helper()
	s := build.Spec{Dir: f.dir, Package: pkg, Test: test, Flags: append([]string{"-mod=mod"}, f.flags...), Output: filepath.Join(t.TempDir(), "program")}
	if strings.HasPrefix(f.dir, fixtures.dir) {
		s.Output = f.dir + "-program"
	}
	for _, m := range f.subject.Workspace.Modules {
		s.DebugPatterns = append(s.DebugPatterns, m.Path+"/...")
	}
	built, err := build.Build(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.subject.Build, f.subject.Binary = s, built.Binary
	f.subject.Run = subject.Run{Args: args, Env: os.Environ(), Dir: filepath.Join(f.dir, pkg)}
}

// stop runs the program and makes a stop of what it printed.
func (f fixture) stop(t testing.TB) debugger.Stop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, f.subject.Binary, f.subject.Run.Args...)
	cmd.Dir = f.subject.Run.Dir
	var typed strings.Builder
	for _, k := range f.subject.Run.Input {
		typed.WriteString(k.Text)
	}
	cmd.Stdin = strings.NewReader(typed.String())
	out, _ := cmd.CombinedOutput() // it crashes
	c, ok := crash.Parse(out)
	if !ok {
		t.Fatalf("no crash in %q", out)
	}
	p := &debugger.Panic{Class: c.Class, Message: c.Message, Recovered: c.Recovered, Culprit: -1}
	v := &subject.Target{Subject: f.subject}
	if culprit, ok := c.Culprit(v.Own); ok {
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
func (f fixture) prove(t testing.TB, opts execute.Options, c patch.Candidate) verdict.Verdict {
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
func expect(t *testing.T, v verdict.Verdict, name string, status verdict.Status, detail string) {
	t.Helper()
	c, ok := verdict.Find(v.Checks, name)
	if !ok || c.Status != status || !strings.Contains(c.Detail, detail) {
		t.Errorf("%s is %s %q, want %s %q; all: %+v", name, c.Status, c.Detail, status, detail, v.Checks)
	}
}

// verifier proves several candidates of the fixture: what they share is made
// once.
func (f fixture) verifier(t testing.TB, opts execute.Options) *Verifier {
	t.Helper()
	opts.TempDir = t.TempDir()
	v, err := New(f.subject, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(opts.TempDir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return v
}

func check(t *testing.T, v *Verifier, c patch.Candidate) verdict.Verdict {
	t.Helper()
	verdict, err := v.Check(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// edits is edit for several changes of one file.
func (f fixture) edits(t testing.TB, changes ...string) patch.Candidate {
	t.Helper()
	c := patch.Candidate{ID: "c1"}
	at := map[string]int{}
	for i := 0; i < len(changes); i += 3 {
		file := changes[i]
		if _, ok := at[file]; !ok {
			before, err := os.ReadFile(filepath.Join(f.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			at[file] = len(c.Edits)
			c.Edits = append(c.Edits, patch.Edit{File: file, Before: string(before), After: string(before)})
		}
		e := &c.Edits[at[file]]
		after := strings.Replace(e.After, changes[i+1], changes[i+2], 1)
		if after == e.After {
			t.Fatalf("%q is not in %s", changes[i+1], file)
		}
		e.After = after
	}
	return c
}

func needSandbox(t testing.TB) {
	t.Helper()
	if tier, reasons := sandbox.Detect(); tier == sandbox.None {
		t.Skipf("there is no sandbox here: %v", reasons)
	}
}
