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
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// limit is how long pausetui may take over one case.
const limit = 5 * time.Minute

// setting is who proposes fixes with the built-in fixer.
type setting string

const (
	builtin setting = "builtin" // no model
	strong  setting = "strong"  // a scripted model whose answer is right
	sloppy  setting = "sloppy"  // one of whose answers half are wrong
)

var settings = []setting{builtin, strong, sloppy}

// models are what the scripted models of the settings are called. The sizes
// decide which prompt they get.
var models = map[setting]ollamatest.Model{
	strong: {Name: "strong:32b", Parameters: "32B", Loaded: true},
	sloppy: {Name: "sloppy:7b", Parameters: "7B", Loaded: true},
}

// answer is what the model of a setting replies; false where it has none.
func (s setting) answer(ctx context.Context, c *bench.Case, dir string) (bench.Answer, bool, error) {
	switch {
	case s == strong && c.CanBeFixed():
		a, err := c.Strong()
		return a, true, err
	case s == sloppy:
		a, err := c.Sloppy(ctx, dir, 0)
		return a, true, err
	}
	return bench.Answer{}, false, nil
}

// measurer runs pausetui on one case in each setting.
type measurer struct {
	tool  string
	dir   string // of the case
	c     *bench.Case
	judge *judge
}

// run returns the results of those settings that the case has an answer for.
func (m *measurer) run(ctx context.Context, wanted []setting) ([]result, error) {
	var results []result
	for _, s := range wanted {
		dir := filepath.Join(m.dir, string(s))
		a, ok, err := s.answer(ctx, m.c, filepath.Join(dir, "answer"))
		if err != nil {
			return nil, err
		}
		if !ok && s != builtin {
			continue
		}
		r, err := m.fix(ctx, s, dir, a)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, ctx.Err()
}

// fix runs pausetui in one setting and judges what it proposes.
func (m *measurer) fix(ctx context.Context, s setting, dir string, a bench.Answer) (result, error) {
	r := result{c: m.c, setting: s, answer: a.Kind}
	if err := m.c.Layout(filepath.Join(dir, "module")); err != nil {
		return r, err
	}
	args, env, stop, err := m.command(s, dir, a)
	if err != nil {
		return r, err
	}
	began := time.Now()
	report, failed := runTool(ctx, m.tool, dir, args, env)
	r.total = time.Since(began)
	if err := errors.Join(stop(), ctx.Err()); err != nil {
		return r, err
	}
	if failed != nil { // pausetui's own failure is a result: nothing was found
		r.failed = failed.Error()
		return r, nil //nolint:nilerr // see above
	}
	r.take(report)
	if m.c.CanBeFixed() {
		err = m.judge.all(ctx, r.candidates)
	}
	return r, err
}

// command is how pausetui is called, and what ends the server it asks.
func (m *measurer) command(s setting, dir string, a bench.Answer) (args, env []string, stop func() error, err error) {
	args, stop = []string{"fix", "--json", "--log-dir", filepath.Join(dir, "log")}, func() error { return nil }
	// A configuration of the user's has no say in the figures.
	env = []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "XDG_STATE_HOME=" + filepath.Join(dir, "state")}
	if model, ok := models[s]; ok {
		model.Script = ollamatest.Answer(a.Text)
		server, err := ollamatest.Start("127.0.0.1:0", model)
		if err != nil {
			return nil, nil, nil, err
		}
		stop, env = server.Close, append(env, "OLLAMA_HOST="+server.URL)
		args = append(args, "--model", "ollama/"+model.Name)
	} else {
		args = append(args, "--offline")
	}
	if m.c.Kind == bench.Test {
		args = append(args, "--test")
	}
	if m.c.Stdin != "" {
		args = append(args, "--stdin", filepath.FromSlash(m.c.Stdin))
	}
	for _, kv := range m.c.Env {
		args = append(args, "--env", kv)
	}
	return append(append(args, m.c.Target(), "--"), m.c.Args...), env, stop, nil
}

// runTool runs pausetui on the module below dir and reads its report, which
// stays there next to the module.
func runTool(ctx context.Context, tool, dir string, args, env []string) (fixed, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := supervise.Command(ctx, tool, args...)
	cmd.Dir = filepath.Join(dir, "module")
	cmd.Env = append(append(os.Environ(), env...), "PWD="+cmd.Dir)
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

func firstLines(s string, n int) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
	return s[:min(n, len(s))]
}
