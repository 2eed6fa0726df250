package main

import (
	"fmt"
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
		before := used(screen.PID())
		for range steps {
			if err := screen.Press("n"); err != nil {
				return 0, err
			}
			time.Sleep(stepTime)
		}
		return (used(screen.PID()) - before) / steps, nil
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

// settling is the time in which what is done once after a start comes to its end.
const settling = 2 * time.Second

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
	time.Sleep(settling)
	value, err := measure(screen)
	typeKeys(screen, []string{"q", "y"})
	return value, err
}

// memory: that of the process that holds a large program, after it has read its debug
// information, against dlv's.
func (b bench) memory() ([]two, error) {
	binary := filepath.Join(b.dir, "..", "large")
	if err := goCommand("", "build", "-ldflags=-compressdwarf=false", "-o", binary, "./cmd/pausetui"); err != nil {
		return nil, err
	}
	ours, err := b.atStop(func(screen *terminal.Terminal) (float64, error) {
		pid, err := debuggerBelow(screen.PID())
		return resident(pid), err
	}, "exec", "--break", "main.main", binary, "--", "version")
	if err != nil {
		return nil, err
	}
	screen, err := b.dlvScreen("break main.main\ncontinue\nstack\nlocals\n", binary, "--", "version")
	if err != nil {
		return nil, err
	}
	defer screen.End()
	if err := shows(screen, "[Breakpoint 1] main.main()"); err != nil {
		return nil, err
	}
	time.Sleep(settling)
	return []two{{ours, resident(screen.PID())}}, nil
}
