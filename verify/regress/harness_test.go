package regress

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

func TestMain(m *testing.M) {
	reexec.Main()
	flag.Parse()
	os.Exit(m.Run())
}

// program is a module on disk and how it is run.
type program struct {
	dir   string
	pkg   string // package pattern
	stdin string // file, or empty
	args  []string
	env   []string // K=V, added to this process's
	test  bool     // run its tests
}

// extract writes an archive out as a module. Its comment may hold the lines
// "args: …", in which $MODULE is the
// module's directory and $OUTSIDE that of the archive's files below outside/,
// "pkg: …" and "test".
func extract(t testing.TB, file string) (program, *txtar.Archive) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := program{dir: realDir(t), pkg: "."}
	outside := realDir(t)
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if args, ok := strings.CutPrefix(line, "args: "); ok {
			p.args = strings.Fields(strings.NewReplacer("$MODULE", p.dir, "$OUTSIDE", outside).Replace(args))
		}
		if pkg, ok := strings.CutPrefix(line, "pkg: "); ok {
			p.pkg = pkg
		}
		p.test = p.test || line == "test"
	}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "fix/") || strings.HasSuffix(f.Name, ".golden") {
			continue
		}
		if name, ok := strings.CutPrefix(f.Name, "outside/"); ok {
			write(t, filepath.Join(outside, name), string(f.Data))
			continue
		}
		write(t, filepath.Join(p.dir, f.Name), string(f.Data))
	}
	if file := filepath.Join(p.dir, "stdin.txt"); exists(file) {
		p.stdin = file
	}
	return p, archive
}

var realDir = testsupport.TempDir

var write = testsupport.Write

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// pause runs the program up to its panic.
func (p program) pause(t testing.TB) evidence.Case {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	space, err := workspace.Find(ctx, p.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := space.Load(ctx, workspace.LoadSpec{Dir: p.dir, Patterns: []string{p.pkg}, Tests: p.test})
	if err != nil {
		t.Fatal(err)
	}
	config := delve.Config{Binary: p.build(t, space), Dir: p.workDir(), Env: append(os.Environ(), p.env...), Stdin: p.stdin, Args: p.args, UserDirs: space.UserDirs(), Panics: debugger.PanicsAuto}
	target, err := delve.Launch(ctx, config)
	if errors.Is(err, debugger.ErrPtrace) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	stop, err := target.Resume(ctx, debugger.Continue)
	if err != nil {
		t.Fatal(err)
	}
	if stop.Panic == nil {
		t.Fatalf("the program did not stop at a panic: %+v", stop)
	}
	return evidence.Case{Stop: stop, Inspect: target, Workspace: space, Code: code}
}

func (p program) build(t testing.TB, space workspace.Workspace) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "target")
	args := []string{"build"}
	if p.test {
		args = []string{"test", "-c"}
	}
	args = append(args, "-o", out, "-buildvcs=false", "-ldflags=-compressdwarf=false")
	for _, pattern := range space.DebugPatterns() {
		args = append(args, "-gcflags="+pattern+"=-N -l")
	}
	cmd := exec.Command("go", append(args, p.pkg)...)
	cmd.Dir = p.dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, text)
	}
	return out
}

// run is how the program was run, for Make.
func (p program) run() Run {
	return Run{Args: p.args, Env: p.env, Dir: p.workDir(), Stdin: p.stdin, Test: p.test}
}

// workDir is where the program runs: tests run in their package.
func (p program) workDir() string {
	if p.test {
		return filepath.Join(p.dir, p.pkg)
	}
	return p.dir
}

// ends of a generated test.
const (
	passes     = "passes"
	fails      = "fails"
	notBuilt   = "does not build"
	notVetted  = "vet complains"
	notStopped = "does not end"
)

// try runs a generated test in a copy of the program with some files replaced.
func (p program) try(t testing.TB, made patch.RegressionTest, fixed map[string]string) (result, output string) {
	t.Helper()
	dir := realDir(t)
	if err := os.CopyFS(dir, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	for name, text := range fixed {
		write(t, filepath.Join(dir, name), text)
	}
	file := filepath.Join(dir, filepath.FromSlash(made.Edit.File))
	write(t, file, made.Edit.After)
	if text, err := command(t, filepath.Dir(file), "gofmt", "-l", file); err != nil || text != "" && made.Edit.Create {
		t.Errorf("gofmt of %s: %v %s", made.Edit.File, err, text)
	}
	binary := filepath.Join(t.TempDir(), "test")
	if text, err := command(t, filepath.Dir(file), "go", "test", "-c", "-o", binary, "."); err != nil {
		return notBuilt, text
	}
	if text, err := command(t, filepath.Dir(file), "go", "vet", "."); err != nil {
		return notVetted, text
	}
	text, err := command(t, filepath.Dir(file), binary, "-test.run=^"+made.Name+"$", "-test.v", "-test.timeout=15s")
	switch {
	case strings.Contains(text, "panic: test timed out"):
		return notStopped, text
	case err != nil:
		return fails, text
	case !strings.Contains(text, "--- PASS: "+made.Name):
		t.Errorf("the test %s did not run:\n%s", made.Name, text)
	}
	return passes, text
}

func command(t testing.TB, dir, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}
