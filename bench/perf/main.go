// Command perf compares pausetui with dlv doing the same work on the same
// program in the same run, and prints ratios (CONTRIBUTING.md, "Speed").
// Absolute times are noise;
// each figure is the median of pairs taken in turn.
//
//	go run ./bench/perf [-n 5] [-example examples/inventory] [-only goroutines]
//
// It needs dlv in PATH: go install github.com/go-delve/delve/cmd/dlv@v1.27.2
//
//	go run ./bench/perf -sessions 10000 -mb 1000
//
// instead measures the browser of past sessions on a real terminal, with that
// many sessions, half of them and a quarter.
//
//	go run ./bench/perf -growth bench/perf/growth.json [-only breakpoints]
//
// instead measures how costs grow with the size of what is debugged, compares them with
// those in the file, and replaces the file.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

func main() {
	n := flag.Int("n", 5, "pairs of runs")
	example := flag.String("example", "examples/inventory", "directory of a program that panics")
	only := flag.String("only", "", "only figures whose name holds this")
	sessions := flag.Int("sessions", 0, "measure the browser with so many past sessions instead")
	mb := flag.Int("mb", 1000, "megabytes of their journals")
	curves := flag.String("growth", "", "measure how costs grow instead, and keep the figures in this file")
	flag.Parse()
	if *curves != "" {
		if err := grow(*curves, *only); err != nil {
			fmt.Fprintln(os.Stderr, "perf:", err)
			os.Exit(1)
		}
		return
	}
	if *sessions > 0 {
		if err := pastSessions(*sessions, *mb, *n); err != nil {
			fmt.Fprintln(os.Stderr, "perf:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*n, *example, *only); err != nil {
		fmt.Fprintln(os.Stderr, "perf:", err)
		os.Exit(1)
	}
}

// The size of each terminal.
const columns, rows = 120, 36

const keysName = "keys, from the painted stop on"

// bench is the place where both tools work on a copy of the program.
type bench struct {
	tool, dir string
	state     string // where the tool remembers things; empty: where it always does
}

func run(n int, example, only string) error {
	if _, err := exec.LookPath("dlv"); err != nil {
		return fmt.Errorf("%w: go install github.com/go-delve/delve/cmd/dlv@v1.27.2", err)
	}
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b := bench{tool: filepath.Join(temp, "pausetui"), dir: filepath.Join(temp, "module")}
	if err := command("", "go", "build", "-o", b.tool, "./cmd/pausetui"); err != nil {
		return err
	}
	if err := b.copyModule(example); err != nil {
		return err
	}
	figures := []struct {
		name, want string
		pair       func() (ours, theirs time.Duration, err error)
	}{
		{"first debug build, ordinary build cached", "≤ 0.10 of dlv debug's", b.firstBuild},
		{"start of exec to the painted stop", "≤ 0.80 of dlv exec + continue + stack + locals", b.startToStop},
		{"5,000 hits of a conditional breakpoint", "≤ 1.05 of dlv's", b.conditional},
		{"restart after approving", "≤ 0.50 of dlv's rebuild", b.restart},
		{"100,000 goroutines grouped", "≤ 1 of dlv's goroutines -group", b.goroutines},
	}
	for _, f := range figures {
		if !strings.Contains(f.name, only) {
			continue
		}
		if err := report(f.name, f.want, n, f.pair); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if len(firstPages) > 0 {
		fmt.Printf("first page of 100,000 goroutines, after the painted stop: %s   want ≤ 50ms\n", writtenPages())
	}
	if !strings.Contains(keysName, only) {
		return nil
	}
	ours, echo, err := b.keys(n)
	if err != nil {
		return fmt.Errorf("%s: %w", keysName, err)
	}
	fmt.Printf("%s: %v   want ≤ %v\n  (an echo by cat meanwhile: %v)\n", keysName, ours, wanted, echo)
	return nil
}

func report(name, want string, n int, pair func() (time.Duration, time.Duration, error)) error {
	var ours, theirs []time.Duration
	var ratios []float64
	for range n {
		a, b, err := pair()
		if err != nil {
			return err
		}
		ours, theirs, ratios = append(ours, a), append(theirs, b), append(ratios, float64(a)/float64(b))
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	slices.Sort(ratios)
	fmt.Printf("%-42s ratio %.2f (%.2f–%.2f)  ours %v  dlv %v   want %s\n", name, ratios[n/2], ratios[0], ratios[n-1],
		ours[n/2].Round(time.Millisecond), theirs[n/2].Round(time.Millisecond), want)
	return nil
}

// copyModule makes the program a module of its own.
func (b bench) copyModule(example string) error {
	if err := os.CopyFS(b.dir, os.DirFS(example)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module example.org/perf\n\ngo 1.26\n"), 0o600)
}

// firstBuild compares the two ways to build for debugging with a build cache
// that holds the ordinary build of everything and nothing else.
func (b bench) firstBuild() (ours, theirs time.Duration, err error) {
	measure := func(gcflags string) (time.Duration, error) {
		cache, err := os.MkdirTemp("", "pausetui-perf-cache-")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(cache)
		env := append(os.Environ(), "GOCACHE="+cache)
		if err := commandEnv(b.dir, env, "go", "build", "-o", os.DevNull, "."); err != nil {
			return 0, err
		}
		began := time.Now()
		err = commandEnv(b.dir, env, "go", "build", "-buildvcs=false", gcflags, "-ldflags=-compressdwarf=false", "-o", filepath.Join(cache, "out"), ".")
		return time.Since(began), err
	}
	if ours, err = measure("-gcflags=example.org/perf/...=-N -l"); err != nil {
		return 0, 0, err
	}
	theirs, err = measure("-gcflags=all=-N -l")
	return ours, theirs, err
}

// startToStop: from the start of the process to the painted stop of a binary,
// against dlv exec with the same questions asked.
func (b bench) startToStop() (ours, theirs time.Duration, err error) {
	binary := filepath.Join(b.dir, "..", "target")
	if err := command(b.dir, "go", "build", "-gcflags=example.org/perf/...=-N -l", "-ldflags=-compressdwarf=false", "-o", binary, "."); err != nil {
		return 0, 0, err
	}
	marks, err := b.command("stop_painted", nil, "exec", binary)
	if err != nil {
		return 0, 0, err
	}
	theirs, err = b.dlv("continue\nstack\nlocals\nexit\n", "exec", binary)
	return marks["stop_painted"], theirs, err
}

// restart: from the files being written to the target running again, against
// the time that dlv's rebuild adds to a session.
func (b bench) restart() (ours, theirs time.Duration, err error) {
	source := snapshot(b.dir)
	marks, err := b.session([]string{"a", "y"})
	if err != nil {
		return 0, 0, err
	}
	if err := source.restore(); err != nil {
		return 0, 0, err
	}
	without, err := b.fastest("continue\nexit\n", "debug", ".")
	if err != nil {
		return 0, 0, err
	}
	with, err := b.fastest("continue\nrebuild\nexit\n", "debug", ".")
	return marks["restarted"] - marks["applied"], max(with-without, time.Millisecond), err
}

// fastest is the shortest of three runs of dlv. The first may have to compile,
// and Delve waits 200 ms more where the program is not yet held when it looks.
func (b bench) fastest(script string, args ...string) (time.Duration, error) {
	shortest := time.Duration(math.MaxInt64)
	for range 3 {
		took, err := b.dlv(script, args...)
		if err != nil {
			return 0, err
		}
		shortest = min(shortest, took)
	}
	return shortest, nil
}

func (b bench) dlv(script string, args ...string) (time.Duration, error) {
	init := filepath.Join(b.dir, "..", "dlv-init")
	if err := os.WriteFile(init, []byte(script), 0o600); err != nil {
		return 0, err
	}
	began := time.Now()
	var own []string // what follows -- is the target's
	if i := slices.Index(args, "--"); i >= 0 {
		args, own = args[:i], args[i:]
	}
	cmd := exec.Command("dlv", slices.Concat(args, []string{"--allow-non-terminal-interactive=true", "--init", init}, own)...)
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "panic") {
		return 0, fmt.Errorf("dlv: %w: %s", err, out)
	}
	return time.Since(began), nil
}

// session runs pausetui in a terminal until the stop is painted and a
// candidate is verified, types the keys, waits for the restart, and quits.
func (b bench) session(keys []string) (map[string]time.Duration, error) {
	last := "stop_painted"
	if len(keys) > 0 {
		last = "verified"
	}
	return b.marked(last, keys)
}

// marked is session until some mark, with further arguments.
func (b bench) marked(last string, keys []string, args ...string) (map[string]time.Duration, error) {
	return b.command(last, keys, append([]string{"debug", "."}, args...)...)
}

// timed is a command of ours that writes its timings to a file.
func (b bench) timed(args ...string) (cmd *exec.Cmd, file string) {
	file = filepath.Join(b.dir, "..", "timings")
	_ = os.Remove(file)
	cmd = exec.Command(b.tool, slices.Insert(args, 1, "--offline", "--timings", file)...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color")
	if b.state != "" {
		cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+b.state)
	}
	return cmd, file
}

// command runs a command of ours until some mark.
func (b bench) command(last string, keys []string, args ...string) (map[string]time.Duration, error) {
	cmd, file := b.timed(args...)
	screen, err := terminal.Blind(cmd, columns, rows)
	if err != nil {
		return nil, err
	}
	defer screen.End()
	marks, err := await(file, last)
	if err != nil {
		return nil, err
	}
	typeKeys(screen, keys)
	if len(keys) > 0 {
		if marks, err = await(file, "restarted"); err != nil {
			return nil, err
		}
	}
	typeKeys(screen, []string{"q", "y"})
	return marks, screen.Err()
}

func typeKeys(t *terminal.Terminal, keys []string) {
	for _, k := range keys {
		time.Sleep(500 * time.Millisecond) // dialogs ignore keys for 300 ms
		_ = t.Press(k)
	}
}

// await reads the timings until the mark is there.
func await(file, mark string) (map[string]time.Duration, error) {
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		marks := map[string]time.Duration{}
		if f, err := os.Open(file); err == nil {
			for s := bufio.NewScanner(f); s.Scan(); {
				var line struct {
					Mark string
					Ms   float64
				}
				if json.Unmarshal(s.Bytes(), &line) == nil {
					marks[line.Mark] = time.Duration(line.Ms * float64(time.Millisecond))
				}
			}
			f.Close()
		}
		if _, ok := marks[mark]; ok {
			return marks, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, fmt.Errorf("no mark %q within a minute", mark)
}

// sources are the files of a directory as they were.
type sources map[string][]byte

func snapshot(dir string) sources {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	s := sources{}
	for _, f := range files {
		s[f], _ = os.ReadFile(f)
	}
	return s
}

func (s sources) restore() error {
	for f, data := range s {
		if err := os.WriteFile(f, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func command(dir, name string, args ...string) error {
	return commandEnv(dir, nil, name, args...)
}

func commandEnv(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}
