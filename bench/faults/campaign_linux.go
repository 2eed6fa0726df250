package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// order describes a run to the process that carries it out.
type order struct {
	Base, Bin string
	GoEnv     []string
	Seed      uint64
	Run       int
	Scenario  string // empty: drawn
	Fault     string // a part of the names of all faults
	Private   bool   // the process has mounts of its own
	Calm      bool   // without a fault
	Save      string // the directory to keep the project and the state of the end in
}

// result is what it found out.
type result struct {
	Run          int
	Scenario     string
	Fault        string // what happened, and to whom
	Moment       string
	Besides      []string // the disturbances, and the process that each happened to
	Missed       bool     // the program had ended before
	Skipped      string
	Failures     []string
	Screen       string // of the end, if it failed
	Milliseconds int64
	Repeat       string
}

// campaign makes the runs and returns how many failed.
func campaign(ctx context.Context, o options, out io.Writer) (int, error) {
	if o.scenario != "" && find(o.scenario) == nil {
		return 0, fmt.Errorf("there is no scenario %q; there are %s", o.scenario, strings.Join(scenarioNames(), ", "))
	}
	if !possible(o.fault) {
		return 0, fmt.Errorf("there is no fault whose name contains %q", o.fault)
	}
	base, err := os.MkdirTemp("", "pausetui-faults-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(base)
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return 0, err
	}
	c := &runs{options: o, order: order{Base: base, Bin: o.bin, Seed: o.seed, Scenario: o.scenario, Fault: o.fault, Private: mayMount()}, out: out}
	if !c.order.Private {
		c.jobs = 1 // all runs share a directory
		fmt.Fprintln(out, "no mount namespaces here: disks are not filled, one run at a time")
	}
	if err := c.prepare(ctx); err != nil {
		return 0, err
	}
	return c.all(ctx)
}

// runs is a campaign under way.
type runs struct {
	options
	order order
	out   io.Writer
	mu    sync.Mutex
	done  []result
}

// mayMount reports whether a process may have mounts of its own.
func mayMount() bool {
	cmd := exec.Command("true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	return cmd.Run() == nil
}

// prepare builds pausetui and makes the states that runs begin with.
func (c *runs) prepare(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	for i, name := range []string{"GOCACHE=", "GOMODCACHE=", "GOPATH=", "GOROOT="} {
		c.order.GoEnv = append(c.order.GoEnv, name+strings.Split(string(out), "\n")[i])
	}
	if c.order.Bin == "" {
		c.order.Bin = filepath.Join(c.order.Base, "pausetui")
		build := exec.CommandContext(ctx, "go", "build", "-o", c.order.Bin, "github.com/pausetui/pausetui/cmd/pausetui")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build pausetui: %w\n%s", err, out)
		}
	}
	if c.order.Bin, err = filepath.Abs(c.order.Bin); err != nil {
		return err
	}
	for _, name := range c.templates() {
		o := c.order
		o.Scenario, o.Calm, o.Save = name, true, filepath.Join(c.order.Base, "templates", name)
		if r := c.make(ctx, o); len(r.Failures) > 0 {
			return fmt.Errorf("scenario %s fails without a fault:\n%s\n%s", name, strings.Join(r.Failures, "\n"), r.Screen)
		} else if c.verbose {
			fmt.Fprintf(c.out, "prepared by %s in %d ms\n", name, r.Milliseconds)
		}
	}
	return nil
}

// templates are the scenarios whose ends the runs begin with.
func (c *runs) templates() []string {
	var names []string
	var need func(string)
	need = func(name string) {
		if name != "" && !slices.Contains(names, name) {
			need(find(name).from)
			names = append(names, name)
		}
	}
	for id := range c.ids() {
		o := c.order
		o.Run = id
		need(newRun(o).scenario.from)
	}
	return names
}

// ids are the numbers of the runs.
func (c *runs) ids() iter.Seq[int] {
	first, last := 0, c.n
	if c.run >= 0 {
		first, last = c.run, c.run+1
	}
	return func(yield func(int) bool) {
		for id := first; id < last && yield(id); id++ {
		}
	}
}

// all makes the runs, some at a time.
func (c *runs) all(ctx context.Context) (int, error) {
	ids := make(chan int)
	var workers sync.WaitGroup
	for range max(1, c.jobs) {
		workers.Go(func() {
			for id := range ids {
				o := c.order
				o.Run = id
				if r := c.make(ctx, o); ctx.Err() == nil { // else it was interrupted
					c.note(r)
				}
			}
		})
	}
	began := time.Now()
	for id := range c.ids() {
		if ctx.Err() != nil {
			break
		}
		ids <- id
	}
	close(ids)
	workers.Wait()
	return c.report(time.Since(began)), ctx.Err()
}

// make has a process of its own make a run: its mounts, and what it adopts, end with it.
func (c *runs) make(ctx context.Context, o order) (r result) {
	r = result{Run: o.Run, Scenario: o.Scenario}
	text, err := json.Marshal(o)
	if err != nil {
		r.Failures = []string{err.Error()}
		return r
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe", oneRun, string(text))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ctrl+c ends the campaign, which then ends the run
	if o.Private {
		cmd.SysProcAttr.Unshareflags = syscall.CLONE_NEWNS
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	var said, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &wrong
	began := time.Now()
	err = cmd.Run()
	if e := json.Unmarshal(said.Bytes(), &r); e != nil || err != nil {
		r.Failures = append(r.Failures, fmt.Sprintf("the run itself: %v: %s", errors.Join(err, e), wrong.String()))
	}
	r.Milliseconds = time.Since(began).Milliseconds()
	r.Repeat = fmt.Sprintf("go run ./bench/faults -seed %d -run %d", o.Seed, o.Run)
	if o.Scenario != "" {
		r.Repeat += " -scenario " + o.Scenario
	}
	if o.Fault != "" {
		r.Repeat += fmt.Sprintf(" -fault %q", o.Fault)
	}
	return r
}

// note keeps a result and prints it if it is a failure.
func (c *runs) note(r result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, r)
	what := fmt.Sprintf("run %d: %s, %s %s, and %d more", r.Run, r.Scenario, r.Fault, r.Moment, len(r.Besides))
	switch {
	case len(r.Failures) > 0:
		fmt.Fprintf(c.out, "FAIL %s\n  %s\n  before: %s\n  %s\n%s\n", what, strings.Join(r.Failures, "\n  "), strings.Join(r.Besides, ", "), r.Repeat, r.Screen)
	case c.verbose:
		fmt.Fprintf(c.out, "ok   %s, %d ms %s\n", what, r.Milliseconds, cmp.Or(r.Skipped, map[bool]string{true: "(too late)"}[r.Missed]))
	}
}

// kindOf is a fault without what it was done to.
func kindOf(fault string) string {
	fault, _, _ = strings.Cut(fault, " to ")
	fault, _, _ = strings.Cut(fault, " by ")
	return fault
}

// report prints how many runs there were of each kind, and returns how many failed.
func (c *runs) report(took time.Duration) int {
	type count struct{ runs, late, skipped, failed int }
	kinds, failed, total, faults := map[string]*count{}, 0, int64(0), 0
	for _, r := range c.done {
		if faults += len(r.Besides); r.Fault != "" && r.Fault != "none" && !r.Missed && r.Skipped == "" {
			faults++
		}
		fault := kindOf(r.Fault)
		of := []string{"1 scenario " + r.Scenario, "2 fault " + cmp.Or(fault, "none")}
		for _, d := range r.Besides {
			of = append(of, "3 survived "+kindOf(d))
		}
		for _, kind := range of {
			if kinds[kind] == nil {
				kinds[kind] = &count{}
			}
			k := kinds[kind]
			k.runs++
			if r.Missed {
				k.late++
			}
			if r.Skipped != "" {
				k.skipped++
			}
			if len(r.Failures) > 0 {
				k.failed++
			}
		}
		if len(r.Failures) > 0 {
			failed++
		}
		total += r.Milliseconds
	}
	fmt.Fprintf(c.out, "%-28s %6s %9s %8s %7s\n", "", "runs", "too late", "skipped", "failed")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[kind]
		fmt.Fprintf(c.out, "%-28s %6d %9d %8d %7d\n", kind[2:], k.runs, k.late, k.skipped, k.failed)
	}
	fmt.Fprintf(c.out, "seed %d: %d runs, %d faults, %d failed, in %s; %d ms a run\n", c.seed, len(c.done), faults, failed, took.Round(time.Second), total/int64(max(1, len(c.done))))
	return failed
}
