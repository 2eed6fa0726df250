package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/bench/perf/manysessions"
	"github.com/pausetui/pausetui/internal/testsupport/terminal"
	"github.com/pausetui/pausetui/session/index"
)

// What is asked of past sessions, at the largest number of them.
const (
	wantPainted = 100 * time.Millisecond // from the start of the process
	wantSearch  = 50 * time.Millisecond  // from the key to the screen, as below
	wantStats   = 100 * time.Millisecond
	wantMemory  = 150 // MB
)

// queries are searched for in the browser.
var queries = []string{
	"nil map", "clo", "remember7", "class:nil* outcome:fixed", "model:qwen* since:2023-02-01", "file:pool.go function:Close1*", "prompt:terse service07",
}

// pastSessions measures the browser of past sessions and the index below it, with
// a quarter of n sessions, half of them, and all; all have mb megabytes.
func pastSessions(n, mb, runs int) error {
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	p := past{tool: filepath.Join(temp, "pausetui"), logs: filepath.Join(temp, "logs"), state: filepath.Join(temp, "state"), runs: runs}
	if err := goCommand("", "build", "-o", p.tool, "./cmd/pausetui"); err != nil {
		return err
	}
	if err := os.Mkdir(p.logs, 0o700); err != nil {
		return err
	}
	fmt.Println("Wall time, with processor time in brackets. Limits are for the largest number of sessions.")
	made := 0
	for _, upTo := range []int{n / 4, n / 2, n} {
		bytes, err := manysessions.Make(p.logs, "debug", made, upTo, int64(mb)*1e6/int64(n))
		if err != nil {
			return err
		}
		p.bytes += bytes
		p.count, made = upTo, upTo
		if err := p.report(); err != nil {
			return err
		}
	}
	return nil
}

// past is a directory of sessions, and the program that shows them.
type past struct {
	tool, logs, state string
	count, runs       int
	bytes             int64
}

func (p *past) report() error {
	load, _ := os.ReadFile("/proc/loadavg") // empty where the system has none
	average, _, _ := strings.Cut(string(load), " ")
	fmt.Printf("\n%d sessions, %.0f MB; load of the machine %s\n", p.count, float64(p.bytes)/1e6, average)
	if err := p.index(); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	var painted, stats []taken
	searches := map[string][]taken{}
	memory := 0
	for range p.runs {
		b, err := p.browse(searches)
		if err != nil {
			return fmt.Errorf("browse: %w", err)
		}
		painted, stats, memory = append(painted, b.painted), append(stats, b.stats), max(memory, b.memory)
	}
	line := func(name string, t []taken, want time.Duration) {
		fmt.Printf("  %-44s %s   want ≤ %v\n", name, spread(t), want)
	}
	line("start to the painted list, warm index", painted, wantPainted)
	for _, q := range queries {
		line("search "+q, searches[q], wantSearch)
	}
	line("statistics", stats, wantStats)
	fmt.Printf("  %-44s %d MB   want ≤ %d MB\n", "memory, browsing and searching (peak)", memory, wantMemory)
	return nil
}

// index reads all journals into an index that is not there yet.
func (p *past) index() error {
	if err := os.RemoveAll(p.state); err != nil {
		return err
	}
	cmd := p.command("search", "--limit", "1", "class:none")
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	took := time.Since(began)
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	mb := float64(p.bytes) / 1e6
	fmt.Printf("  %-44s %.1f s (%.1f s): %.0f MB/s (%.0f MB/s)", "reading all journals into the index", took.Seconds(), used.Seconds(), mb/took.Seconds(), mb/used.Seconds())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		fmt.Printf(", %d MB of memory", usage.Maxrss>>10)
	}
	fmt.Println()
	return nil
}

func (p *past) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.tool, append([]string{"sessions", "--log-dir", p.logs}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "XDG_STATE_HOME="+p.state)
	return cmd
}

// browsed is what one visit of the browser took.
type browsed struct {
	painted, stats taken
	memory         int // MB
}

// browse opens the browser, searches, walks through the list, opens a session and
// counts, as a person does.
func (p *past) browse(searches map[string][]taken) (b browsed, err error) {
	ctx := context.Background()
	shown, err := terminal.Open(p.command(), columns, rows, nil)
	if err != nil {
		return b, err
	}
	t := browser{shown}
	defer t.End()
	listed := fmt.Sprintf("%s sessions", thousands(p.count))
	if _, err := t.Wait(ctx, listed, "│"); err != nil {
		return b, err
	}
	b.painted = taken{time.Since(t.Began()), t.used()}
	time.Sleep(time.Second) // the directory is looked at
	for _, q := range queries {
		found, err := p.found(q)
		if err != nil {
			return b, err
		}
		took, err := t.timed(ctx, "\x1b[200~"+q+"\x1b[201~", "› "+q, found)
		if err != nil {
			return b, err
		}
		searches[q] = append(searches[q], took)
		if _, err := t.Type(ctx, "\x1b", listed); err != nil {
			return b, err
		}
	}
	for range 300 {
		if _, err := t.Type(ctx, "\x1b[B"); err != nil {
			return b, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := t.Type(ctx, "\r", "301 of "); err != nil {
		return b, err
	}
	if _, err := t.Type(ctx, "\x1b", listed); err != nil {
		return b, err
	}
	if b.stats, err = t.timed(ctx, "\x14", "applied fixes that held"); err != nil {
		return b, err
	}
	b.memory, err = t.Memory()
	return b, err
}

// found is what the browser says of how many sessions a query finds.
func (p *past) found(query string) (string, error) {
	ctx := context.Background()
	x, err := index.Open(ctx, filepath.Join(p.state, "pausetui", "sessions.db"), p.logs)
	if err != nil {
		return "", err
	}
	defer x.Close()
	q, err := index.ParseQuery(query, time.Now())
	if err != nil {
		return "", err
	}
	_, n, err := x.Search(ctx, q, 1, 0)
	switch {
	case err != nil:
		return "", err
	case n == 0 || n == p.count:
		return "", fmt.Errorf("query %q finds %d sessions, the number that was shown before it", query, n)
	}
	if n == 1 {
		return "1 session", nil
	}
	return thousands(n) + " sessions", nil
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// taken is a wall time, and the processor time meanwhile.
type taken struct{ wall, used time.Duration }

// browser is the browser of past sessions on a terminal.
type browser struct{ *terminal.Terminal }

// timed is Type with the processor time of the program.
func (t browser) timed(ctx context.Context, keys string, words ...string) (taken, error) {
	time.Sleep(200 * time.Millisecond) // what the key before began has ended
	before := t.used()
	wall, err := t.Type(ctx, keys, words...)
	return taken{wall, t.used() - before}, err
}

// used is the processor time of the program so far.
func (t browser) used() time.Duration {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", t.PID()))
	var total time.Duration
	for _, f := range files {
		text, _ := os.ReadFile(f) // a thread may have ended
		var ns int64
		if n, _ := fmt.Sscan(string(text), &ns); n == 1 {
			total += time.Duration(ns)
		}
	}
	return total
}

// spread tells the median and the largest.
func spread(all []taken) string {
	of := func(which func(taken) time.Duration) (median, most time.Duration) {
		list := make([]time.Duration, len(all))
		for i, t := range all {
			list[i] = which(t).Round(time.Millisecond)
		}
		slices.Sort(list)
		return list[len(list)/2], list[len(list)-1]
	}
	wall, slowest := of(func(t taken) time.Duration { return t.wall })
	used, _ := of(func(t taken) time.Duration { return t.used })
	return fmt.Sprintf("%v (%v), at most %v", wall, used, slowest)
}
