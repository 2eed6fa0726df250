package main

import (
	"bufio"
	"encoding/json"
	"errors"
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

// The size of each terminal.
const columns, rows = 120, 36

// bench is the place where both tools work on a copy of the program.
type bench struct {
	tool, dir string
	state     string // where the tool remembers things; empty: where it always does
}

// copyModule makes the program a module of its own.
func (b bench) copyModule(example string) error {
	if err := os.CopyFS(b.dir, os.DirFS(example)); err != nil {
		return err
	}
	return b.module()
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
	init, err := b.script(script)
	if err != nil {
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

func goCommand(dir string, args ...string) error {
	return commandEnv(dir, nil, "go", args...)
}

func commandEnv(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return nil
}

// seconds is a pair of wall times.
func seconds(ours, theirs time.Duration) []two { return []two{{ours.Seconds(), theirs.Seconds()}} }

// write makes the directory a module of one file.
func (b bench) write(program string) error {
	return errors.Join(os.MkdirAll(b.dir, 0o700), b.module(), os.WriteFile(filepath.Join(b.dir, "main.go"), []byte(program), 0o600))
}

func (b bench) module() error {
	return os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module example.org/perf\n\ngo 1.26\n"), 0o600)
}

// forDebugging builds the program as pausetui does, and returns the binary's name.
func (b bench) forDebugging() (string, error) {
	binary := b.dir + "-target"
	return binary, goCommand(b.dir, "build", "-gcflags=example.org/perf/...=-N -l", "-ldflags=-compressdwarf=false", "-o", binary, ".")
}

// script writes a script for dlv, and returns the file's name.
func (b bench) script(text string) (string, error) {
	name := b.dir + "-dlv-init"
	return name, os.WriteFile(name, []byte(text), 0o600)
}

// dlvScreen runs dlv on a terminal, where it stays after the script.
func (b bench) dlvScreen(script, binary string, args ...string) (*terminal.Terminal, error) {
	init, err := b.script(script)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("dlv", append([]string{"exec", "--init", init, binary}, args...)...)
	cmd.Dir = b.dir
	return terminal.Blind(cmd, columns, rows)
}

// dlvSpent is the processor time in seconds that a script for a binary takes dlv.
func (b bench) dlvSpent(script, binary string) (float64, error) {
	init, err := b.script(script)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command("dlv", "exec", "--allow-non-terminal-interactive=true", "--init", init, binary)
	cmd.Dir = b.dir
	processor, _, err := spent(cmd)
	return processor, err
}
