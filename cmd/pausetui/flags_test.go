package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/cmd/pausetui/doctor"
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/verify/repro"
)

// testSystem is a system in an empty module, with state of its own.
func testSystem(t *testing.T, settings config.Config) *cli.System {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &cli.System{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, State: userstate.Open(t.TempDir()),
		Getwd: func() (string, error) { return dir, nil }, Config: func(string) (config.Config, error) { return settings, nil }}
}

// parse gives a command its arguments, and returns the options that it would run
// with.
func parse[O any](t *testing.T, make func(*cli.System, func(context.Context, *O) error) *cobra.Command, args ...string) (*O, error) {
	t.Helper()
	var got *O
	c := make(testSystem(t, config.Config{}), func(_ context.Context, o *O) error { got = o; return nil })
	c.SetArgs(append([]string{}, args...)) // nil would be the arguments of the test
	c.SilenceErrors, c.SilenceUsage = true, true
	return got, c.Execute()
}

func TestDebugOptions(t *testing.T) {
	o, err := parse(t, newDebug, "--tags", "a,b", "--race", "--env", "A=1", "--env", "B=2", "--break", "main.main", "--panics-in", "./x/...",
		"--model", "ollama/a", "--model", "ollama/b", "--allow", "network", "--plain", "--record", "./cmd/app", "--", "-v", "x")
	if err != nil {
		t.Fatal(err)
	}
	if o.pkg != "./cmd/app" || !slices.Equal(o.args, []string{"-v", "x"}) || o.test {
		t.Errorf("package %q, arguments %q, test %v", o.pkg, o.args, o.test)
	}
	if o.Tags != "a,b" || !o.Race || !slices.Equal(o.Env, []string{"A=1", "B=2"}) || o.Repeat != 1 {
		t.Errorf("build %+v, run %+v", o.Build, o.Run)
	}
	if !slices.Equal(o.Breaks, []string{"main.main"}) || !slices.Equal(o.PanicsIn, []string{"./x/..."}) || o.Panics != "auto" {
		t.Errorf("stops %+v", o.Stops)
	}
	if !slices.Equal(o.ModelNames, []string{"ollama/a", "ollama/b"}) || !slices.Equal(o.Allow, []string{"network"}) || !o.Plain || !o.record {
		t.Errorf("fixes %+v, plain %v, record %v", o.Fixes, o.Plain, o.record)
	}
}

func TestOptionsOfOtherCommands(t *testing.T) {
	test, err := parse(t, newTest, "--no-failures", ".", "--", "-run", "TestX")
	if err != nil || !test.test || !test.NoFailures || !slices.Equal(test.args, []string{"-test.run", "TestX"}) {
		t.Errorf("test: %+v, %v", test, err)
	}
	exec, err := parse(t, newExec, "--wd", "/tmp", "app", "--", "-v")
	if err != nil || exec.binary != "app" || exec.WorkDir != "/tmp" || !slices.Equal(exec.args, []string{"-v"}) {
		t.Errorf("exec: %+v, %v", exec, err)
	}
	attach, err := parse(t, newAttach, "--continue", "4711")
	if err != nil || attach.pid != 4711 || !attach.letRun {
		t.Errorf("attach: %+v, %v", attach, err)
	}
	core, err := parse(t, newCore, "app", "core.1")
	if err != nil || core.binary != "app" || core.core != "core.1" {
		t.Errorf("core: %+v, %v", core, err)
	}
	connect, err := parse(t, newConnect, ":4040")
	if err != nil || connect.addr != ":4040" || connect.letRun {
		t.Errorf("connect: %+v, %v", connect, err)
	}
	trace, err := parse(t, newTrace, "--nth", "2")
	if err != nil || trace.file != "-" || trace.nth != 2 {
		t.Errorf("trace: %+v, %v", trace, err)
	}
	fix, err := parse(t, newFix, "--apply", "--commit", "--test", "--json", "--timeout", "3s", "./x", "--", "-short")
	if err != nil || !fix.report.Apply || !fix.Commit || !fix.asJSON || fix.report.Timeout.Seconds() != 3 || fix.pkg != "./x" || !slices.Equal(fix.args, []string{"-test.short"}) {
		t.Errorf("fix: %+v, %v", fix, err)
	}
}

func TestOptionsOfModelsPromptsConfigDoctor(t *testing.T) {
	list, err := parse(t, newModelsList, "--json", "--refresh")
	if err != nil || !list.AsJSON || !list.refresh {
		t.Errorf("models list: %+v, %v", list, err)
	}
	show, err := parse(t, newModelsShow, "ollama/a")
	if err != nil || show.AsJSON || show.name != "ollama/a" {
		t.Errorf("models show: %+v, %v", show, err)
	}
	pull, err := parse(t, newModelsPull, "qwen:7b")
	if err != nil || pull.id != "ollama/qwen:7b" {
		t.Errorf("models pull: %+v, %v", pull, err)
	}
	probe, err := parse(t, newModelsProbe, "a", "b")
	if err != nil || !slices.Equal(probe.names, []string{"a", "b"}) {
		t.Errorf("models probe: %+v, %v", probe, err)
	}
	check, err := parse(t, newPromptsCheck, "--json", "a.md")
	if err != nil || !check.AsJSON || !slices.Equal(check.files, []string{"a.md"}) {
		t.Errorf("prompts check: %+v, %v", check, err)
	}
	render, err := parse(t, newPromptsRender, "--without", "a,b", "--stop", "2", "minimal")
	if err == nil {
		t.Errorf("prompts render takes sections that there are not: %+v", render)
	}
	render, err = parse(t, newPromptsRender, "--sections", "--stop", "2", "minimal")
	if err != nil || render.name != "minimal" || render.stop != 2 || !render.sections {
		t.Errorf("prompts render: %+v, %v", render, err)
	}
	if o, err := parse(t, newConfig, "--json"); err != nil || !o.AsJSON {
		t.Errorf("config: %+v, %v", o, err)
	}
	if o, err := parse(t, newDoctor, "--json"); err != nil || !o.AsJSON {
		t.Errorf("doctor: %+v, %v", o, err)
	}
}

// The commands look at the system that they are given, not at the process.
func TestConfigOfSystem(t *testing.T) {
	sys := testSystem(t, config.Config{})
	sys.Config = func(string) (config.Config, error) { return config.Config{}, errors.New("a mistake") }
	c := newConfig(sys, nil)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{})
	if err := c.Execute(); err == nil || err.Error() != "a mistake" {
		t.Errorf("config: %v", err)
	}
	if f := (machine{sys}).lookAtConfig(t.Context()); f.Level != doctor.Bad || f.Found != "a mistake" {
		t.Errorf("doctor: %+v", f)
	}
}

func TestUsageOfCommands(t *testing.T) {
	wrong := func(name string, err error, want string) {
		t.Helper()
		if cli.ExitCode(err) != cli.ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want the usage error %q", name, err, want)
		}
	}
	_, err := parse(t, newDebug, "a", "b")
	wrong("two packages", err, "one package")
	_, err = parse(t, newExec)
	wrong("no binary", err, "pausetui exec BIN")
	_, err = parse(t, newAttach, "app")
	wrong("no number", err, `attach to "app"`)
	_, err = parse(t, newTrace, "--nth", "-1")
	wrong("no trace", err, "--nth -1")
	_, err = parse(t, newFix, "--commit")
	wrong("a commit of nothing", err, "--commit commits what --apply applies")
	_, err = parse(t, newFix, "--timeout", "0s")
	wrong("no time", err, "--timeout 0s")
	_, err = parse(t, newFix, "--trace", "x.log", "--apply")
	wrong("applied without a run", err, "--trace runs nothing")
}

// What the flags of a group say reaches the options of the session; a mistake in
// one is a mistake in the usage.
func TestPrepare(t *testing.T) {
	settings := config.Config{}
	settings.Limits.MaxRounds, settings.Limits.MaxCandidates, settings.Panics.In = 5, 4, []string{"./config/..."}
	sys := testSystem(t, settings)
	prepared := func(args ...string) (engine.Options, error) {
		o := &debugOptions{System: sys}
		c := &cobra.Command{}
		o.register(c.Flags())
		if err := c.Flags().Parse(append(args, "--offline")); err != nil {
			t.Fatal(err)
		}
		s, err := setup.Prepare(sys, &setup.Marks{}, &o.Fixes, &o.Log, &o.Build, &o.Run, &o.Stops)
		return s.Options, err
	}
	o, err := prepared("--build-flags", "-x -v", "--repro", "curl x", "--repro-after", "up", "--panics", "all", "--panics-in", "./a", "--log-dir", "l", "--max-rounds", "0")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Target.BuildFlags, []string{"-x", "-v"}) || o.Target.Repro != (repro.Plan{Command: "curl x", After: "up"}) || o.Target.Panics != debugger.PanicsAll || o.Log.Dir != "l" {
		t.Errorf("%+v", o)
	}
	if want := []string{"./config/...", "./a"}; !slices.Equal(o.Target.Filter.In, want) {
		t.Errorf("panics in %q, want %q", o.Target.Filter.In, want)
	}
	if o.Fixes.MaxRounds != -1 || o.Fixes.MaxCandidates != 4 || o.Choice.MaxRounds == nil {
		t.Errorf("rounds %d, fixes %d, choice %+v", o.Fixes.MaxRounds, o.Fixes.MaxCandidates, o.Choice)
	}
	if o, err := prepared(); err != nil || o.Fixes.MaxRounds != 5 || o.Target.Panics != debugger.PanicsAuto || o.Choice.MaxRounds != nil {
		t.Errorf("without flags: rounds %d, panics %q, %v", o.Fixes.MaxRounds, o.Target.Panics, err)
	}
	for _, args := range []string{"--env X", "--repeat -1", "--repro-after up", "--panics some", "--max-candidates -1", "--max-rounds -1", "--allow all"} {
		if _, err := prepared(strings.Fields(args)...); cli.ExitCode(err) != cli.ExitUsage {
			t.Errorf("%s: %v, want a usage error", args, err)
		}
	}
}
