package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// version: what starting and doing nothing costs.
func (b bench) version() ([]two, error) {
	const runs = 15
	var sums two
	for range runs {
		ours, _, err := spent(exec.Command(b.tool, "version"))
		if err != nil {
			return nil, err
		}
		theirs, _, err := spent(exec.Command("dlv", "version"))
		if err != nil {
			return nil, err
		}
		sums.ours, sums.theirs = sums.ours+ours/runs, sums.theirs+theirs/runs
	}
	return []two{sums}, nil
}

// steps is how many are made, and how long each may take.
const (
	steps    = 20
	stepTime = 200 * time.Millisecond
)

// step: what a step costs until everything is shown, against a step, stack and locals.
func (b bench) step() ([]two, error) {
	c := bench{tool: b.tool, dir: filepath.Join(b.dir, "..", "stepping")}
	if err := c.write(strings.ReplaceAll(loop, "HITS", fmt.Sprint(hits))); err != nil {
		return nil, err
	}
	binary, err := c.forDebugging()
	if err != nil {
		return nil, err
	}
	ours, err := c.atStop(func(screen *terminal.Terminal) (float64, error) {
		before := used(tree(screen.PID()))
		for range steps {
			if err := screen.Press("n"); err != nil {
				return 0, err
			}
			time.Sleep(stepTime)
		}
		return (used(tree(screen.PID())) - before) / steps, nil
	}, "exec", "--break", "main.main", binary)
	if err != nil {
		return nil, err
	}
	without, err := c.dlvSpent("break main.main\ncontinue\nexit\n", binary)
	if err != nil {
		return nil, err
	}
	with, err := c.dlvSpent("break main.main\ncontinue\n"+strings.Repeat("next\nstack\nlocals\n", 10*steps)+"exit\n", binary)
	return []two{{ours, (with - without) / (10 * steps)}}, err
}

// atStop has a session of ours measured when it has stopped and drawn it.
func (b bench) atStop(measure func(*terminal.Terminal) (float64, error), args ...string) (float64, error) {
	cmd, file := b.timed(args...)
	screen, err := terminal.Blind(cmd, columns, rows)
	if err != nil {
		return 0, err
	}
	defer screen.End()
	if _, err := await(file, "stop_painted"); err != nil {
		return 0, err
	}
	time.Sleep(2 * time.Second) // what is done once after a start is over
	value, err := measure(screen)
	typeKeys(screen, []string{"q", "y"})
	return value, err
}

// memory: that of the process that holds a large program, after it has read its debug
// information, against dlv's.
func (b bench) memory() ([]two, error) {
	binary := filepath.Join(b.dir, "..", "large")
	if err := command("", "go", "build", "-ldflags=-compressdwarf=false", "-o", binary, "./cmd/pausetui"); err != nil {
		return nil, err
	}
	ours, err := b.atStop(func(screen *terminal.Terminal) (float64, error) {
		return heldBy(tree(screen.PID()), b.tool)
	}, "exec", "--break", "main.main", binary, "--", "version")
	if err != nil {
		return nil, err
	}
	script := filepath.Join(b.dir, "..", "dlv-init")
	if err := os.WriteFile(script, []byte("break main.main\ncontinue\nstack\nlocals\n"), 0o600); err != nil {
		return nil, err
	}
	dlv := exec.Command("dlv", "exec", "--init", script, binary, "--", "version")
	screen, err := terminal.Blind(dlv, columns, rows)
	if err != nil {
		return nil, err
	}
	defer screen.End()
	time.Sleep(5 * time.Second)
	return []two{{ours, resident(screen.PID())}}, nil
}

// heldBy is the memory of the process of the tool that traces another.
func heldBy(pids []int, tool string) (float64, error) {
	for _, pid := range pids {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(string(data), "TracerPid:\t")
		if tracer, _, _ := strings.Cut(rest, "\n"); tracer != "" && tracer != "0" {
			var id int
			if _, err := fmt.Sscan(tracer, &id); err != nil {
				return 0, err
			}
			return resident(id), nil
		}
	}
	return 0, errors.New("no process of " + tool + " traces another")
}
