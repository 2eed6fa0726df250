package fixer_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
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

// program is a fixture on disk: a module with one main package at its root.
type program struct {
	dir   string
	pkg   string // package pattern
	stdin string // file, or empty
	args  []string
}

// extract writes an archive out as a module.
func extract(t testing.TB, file string) program {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := program{dir: t.TempDir(), pkg: "."}
	if line, _, ok := strings.Cut(string(archive.Comment), "\n"); ok {
		if args, found := strings.CutPrefix(line, "args: "); found {
			p.args = strings.Fields(args)
		}
	}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.com/fixture\n\ngo 1.25\n")
	for _, f := range archive.Files {
		if f.Name == wantName {
			continue
		}
		write(t, filepath.Join(p.dir, f.Name), string(f.Data))
		if f.Name == "stdin.txt" {
			p.stdin = filepath.Join(p.dir, f.Name)
		}
	}
	return p
}

var write = testsupport.Write

func (p program) build(t testing.TB, name string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	args := append([]string{"build", "-o", out, "-buildvcs=false"}, flags...)
	cmd := exec.Command("go", append(args, p.pkg)...)
	cmd.Dir = p.dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, text)
	}
	return out
}

// stopped is a program paused at its panic.
type stopped struct {
	evidence.Case
	target *delve.Target
}

func (p program) pause(t testing.TB) stopped {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	space, err := workspace.Find(ctx, p.dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := space.Load(ctx, workspace.LoadSpec{Dir: p.dir, Patterns: []string{p.pkg}})
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, pattern := range space.DebugPatterns() {
		patterns = append(patterns, "-gcflags="+pattern+"=-N -l")
	}
	binary := p.build(t, "target", append(patterns, "-ldflags=-compressdwarf=false")...)
	config := delve.Config{Binary: binary, Dir: p.dir, Stdin: p.stdin, Args: p.args, UserDirs: space.UserDirs()}
	target, stop := launch(ctx, t, config)
	// A race does not show in every run: on one core the racing archives end
	// well more often than not.
	for again := 0; stop.Panic == nil && stop.Ended() && again < 5; again++ {
		t.Logf("the program ended without a panic: %+v; once more", stop.Exit)
		target, stop = launch(ctx, t, config)
	}
	if stop.Panic == nil {
		t.Fatalf("the program did not stop at a panic: %+v", stop)
	}
	return stopped{Case: evidence.Case{Stop: stop, Inspect: target, Workspace: space, Code: code}, target: target}
}

// launch runs a program under the debugger until it stops.
func launch(ctx context.Context, t testing.TB, config delve.Config) (*delve.Target, debugger.Stop) {
	t.Helper()
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
	return target, stop
}

// outcome is how a patched program went.
type outcome struct {
	problem string // "", or what failed: build, vet, panic, timeout
	exit    int
	output  string
}

// try applies a candidate to a copy, builds, vets and runs it.
func (p program) try(t testing.TB, c patch.Candidate) outcome {
	t.Helper()
	copied := p
	copied.dir = t.TempDir()
	if err := os.CopyFS(copied.dir, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Edits {
		write(t, filepath.Join(copied.dir, filepath.FromSlash(e.File)), e.After)
	}
	out := filepath.Join(t.TempDir(), "patched")
	if text, err := command(copied.dir, "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", out, p.pkg); err != nil {
		return outcome{problem: "build", output: text}
	}
	if text, err := command(copied.dir, "go", "vet", p.pkg); err != nil {
		return outcome{problem: "vet", output: text}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, out, p.args...)
	cmd.Dir = copied.dir
	if p.stdin != "" {
		data, err := os.ReadFile(p.stdin)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = bytes.NewReader(data)
	}
	text, err := cmd.CombinedOutput()
	o := outcome{output: string(text), exit: cmd.ProcessState.ExitCode()}
	switch {
	case ctx.Err() != nil:
		o.problem = "timeout"
	case strings.Contains(o.output, "goroutine ") && (strings.Contains(o.output, "panic: ") || strings.Contains(o.output, "fatal error: ")):
		o.problem = "panic"
	case err != nil && o.exit < 0:
		o.problem = err.Error()
	}
	return o
}

func command(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func describe(c patch.Candidate) string {
	if hides(c) {
		return "masking: " + c.Title
	}
	return c.Title
}

// leavesOut is the confidence of the candidates that leave the work out.
const leavesOut = -20

// hides reports whether the fixer itself put a candidate among those.
func hides(c patch.Candidate) bool { return c.Confidence <= leavesOut }

func diffOf(c patch.Candidate) string {
	var b strings.Builder
	for _, e := range c.Edits {
		before, after := strings.Split(e.Before, "\n"), strings.Split(e.After, "\n")
		i := 0
		for i < len(before) && i < len(after) && before[i] == after[i] {
			i++
		}
		j, k := len(before), len(after)
		for j > i && k > i && before[j-1] == after[k-1] {
			j, k = j-1, k-1
		}
		fmt.Fprintf(&b, "%s:%d\n", e.File, i+1)
		for _, l := range before[i:j] {
			b.WriteString("-" + l + "\n")
		}
		for _, l := range after[i:k] {
			b.WriteString("+" + l + "\n")
		}
	}
	return b.String()
}

// copyExample makes a module of its own out of an example.
func copyExample(t testing.TB, root, name string) program {
	t.Helper()
	p := program{dir: t.TempDir(), pkg: "."}
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(root, "examples", name))); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.dir, "go.mod"), "module example.com/"+name+"\n\ngo 1.25\n")
	if file := filepath.Join(p.dir, "stdin.txt"); exists(file) {
		p.stdin = file
	}
	return p
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
