package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/supervise"
)

// limit is how long pausetui may take over one case.
const limit = 5 * time.Minute

// result is what pausetui made of one case.
type result struct {
	c        *bench.Case
	class    bool // the stop was classified as it should be
	culprit  bool // in the right function
	verified bool // the best candidate was, and was more than masking
	right    bool // the hidden check passed afterwards
	masking  bool // there were candidates, and nothing verified but masking
	test     bool // the best candidate brought a regression test
	first    time.Duration
	total    time.Duration
	wrong    string // what the hidden check found
	err      error  // what kept the case from being measured
}

// line is the result for the person who waits.
func (r result) line() string {
	if r.err != nil {
		return fmt.Sprintf("%-50s %v", r.c.Name, r.err)
	}
	text := fmt.Sprintf("%-50s %6.1fs", r.c.Name, r.total.Seconds())
	for _, f := range r.flags() {
		if f.holds {
			text += " " + f.name
		}
	}
	if r.verified && !r.right {
		text += "\n    " + firstLines(r.wrong, 300)
	}
	return text
}

type figure struct {
	name  string
	holds bool
}

func (r result) flags() []figure {
	return []figure{{"class", r.class}, {"culprit", r.culprit}, {"verified", r.verified}, {"right", r.right}, {"masking", r.masking}, {"test", r.test}}
}

func firstLines(s string, n int) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
	return s[:min(n, len(s))]
}

// fixed is what is read of pausetui's report.
type fixed struct {
	Outcome string `json:"outcome"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error"`
	Stop *struct {
		Class    string `json:"class"`
		Function string `json:"function"`
	} `json:"stop"`
	Candidates []struct {
		Masking  bool            `json:"masking"`
		Verified bool            `json:"verified"`
		Test     json.RawMessage `json:"test"`
	} `json:"candidates"`
	Applied *struct {
		Undone bool `json:"undone"`
	} `json:"applied"`
	Timings struct {
		Verified *int64 `json:"verified_ms"`
	} `json:"timings"`
}

func runCase(ctx context.Context, tool, dir string, c *bench.Case) result {
	r := result{c: c}
	module := filepath.Join(dir, "module")
	if r.err = c.Layout(module); r.err != nil {
		return r
	}
	began := time.Now()
	report, err := runFix(ctx, tool, dir, c)
	if err != nil {
		r.err = err
		return r
	}
	r.total = time.Since(began)
	r.judge(report)
	if !c.CanBeFixed() {
		r.right = report.Applied == nil || report.Applied.Undone
		return r
	}
	wrong := (*bench.WrongError)(nil)
	switch err := c.Right(ctx, module); {
	case err == nil:
		r.right = true
	case errors.As(err, &wrong):
		r.wrong = wrong.What
	default:
		r.err = err
	}
	return r
}

func (r *result) judge(report fixed) {
	if s := report.Stop; s != nil {
		r.class = s.Class == r.c.Class
		r.culprit = bench.FunctionName(s.Function) == r.c.StopsIn
	}
	if len(report.Candidates) == 0 {
		return
	}
	best := report.Candidates[0]
	r.verified = best.Verified && !best.Masking
	r.masking = best.Verified && best.Masking
	r.test = len(best.Test) > 0 && string(best.Test) != "null"
	if ms := report.Timings.Verified; ms != nil {
		r.first = time.Duration(*ms) * time.Millisecond
	}
}

// runFix runs pausetui on the module below dir and reads its report, which
// stays there beside the module.
func runFix(ctx context.Context, tool, dir string, c *bench.Case) (fixed, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{"fix", "--offline", "--json", "--apply", "--log-dir", filepath.Join(dir, "log")}
	if c.Kind == bench.Test {
		args = append(args, "--test")
	}
	if c.Stdin != "" {
		args = append(args, "--stdin", filepath.FromSlash(c.Stdin))
	}
	for _, kv := range c.Env {
		args = append(args, "--env", kv)
	}
	args = append(append(args, c.Target(), "--"), c.Args...)
	var stdout, stderr bytes.Buffer
	cmd := supervise.Command(ctx, tool, args...)
	cmd.Dir = filepath.Join(dir, "module")
	// A configuration of the user's has no say in the figures.
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "XDG_STATE_HOME="+filepath.Join(dir, "state"), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	failed := cmd.Run() // its exit code tells the outcome, which is in the report too
	if err := os.WriteFile(filepath.Join(dir, "report.json"), stdout.Bytes(), 0o600); err != nil {
		return fixed{}, err
	}
	var report fixed
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		return fixed{}, fmt.Errorf("pausetui %s: %w: %s", strings.Join(args, " "), errors.Join(failed, ctx.Err(), err), firstLines(stderr.String(), 2000))
	}
	if report.Outcome == "failed" && report.Error != nil {
		return fixed{}, fmt.Errorf("pausetui failed: %s", report.Error.Message)
	}
	return report, nil
}
