package debug

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/clitest"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/verify/repro"
)

func TestDebugOptions(t *testing.T) {
	o, err := clitest.Parse(t, NewDebug, "--tags", "a,b", "--race", "--env", "A=1", "--env", "B=2", "--break", "main.main", "--panics-in", "./x/...",
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
	test, err := clitest.Parse(t, NewTest, "--no-failures", ".", "--", "-run", "TestX")
	if err != nil || !test.test || !test.NoFailures || !slices.Equal(test.args, []string{"-test.run", "TestX"}) {
		t.Errorf("test: %+v, %v", test, err)
	}
	exec, err := clitest.Parse(t, NewExec, "--wd", "/tmp", "app", "--", "-v")
	if err != nil || exec.binary != "app" || exec.WorkDir != "/tmp" || !slices.Equal(exec.args, []string{"-v"}) {
		t.Errorf("exec: %+v, %v", exec, err)
	}
	attach, err := clitest.Parse(t, NewAttach, "--continue", "4711")
	if err != nil || attach.pid != 4711 || !attach.letRun {
		t.Errorf("attach: %+v, %v", attach, err)
	}
	core, err := clitest.Parse(t, NewCore, "app", "core.1")
	if err != nil || core.binary != "app" || core.core != "core.1" {
		t.Errorf("core: %+v, %v", core, err)
	}
	connect, err := clitest.Parse(t, NewConnect, ":4040")
	if err != nil || connect.addr != ":4040" || connect.letRun {
		t.Errorf("connect: %+v, %v", connect, err)
	}
}

func TestUsage(t *testing.T) {
	_, err := clitest.Parse(t, NewDebug, "a", "b")
	clitest.WantUsage(t, "two packages", err, "one package")
	_, err = clitest.Parse(t, NewExec)
	clitest.WantUsage(t, "no binary", err, "pausetui exec BIN")
	_, err = clitest.Parse(t, NewAttach, "app")
	clitest.WantUsage(t, "no number", err, `attach to "app"`)
}

// What the flags of a group say reaches the options of the session; a mistake in
// one is a mistake in the usage.
func TestPrepare(t *testing.T) {
	configured := config.Config{}
	configured.Limits.MaxRounds, configured.Limits.MaxCandidates, configured.Panics.In = 5, 4, []string{"./config/..."}
	sys := clitest.System(t, configured)
	prepared := func(args ...string) (options.Session, error) {
		o := &settings{System: sys}
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
