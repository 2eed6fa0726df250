package main

import (
	"os"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

// A run is opened on a terminal, down to a diff; with a flag, and without a
// terminal, it is printed.
func TestARunOnTheTerminal(t *testing.T) {
	t.Parallel()
	dir := clitest.StoredRun(t)
	work := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), asMain+"=1", stateHome(t), "TERM=xterm-256color")
	x := startProgram(t, work, 100, 30, env, exe, "bench", "report", dir, "--only", "*")
	x.wait("a  ollama/good:7b minimal")
	x.keys("\r")
	x.wait("1 closed case is counted in the matrix")
	x.wait("nil-b")
	x.keys("j", "\r")
	x.wait("Fix 1: right, set a")
	x.wait("var a = 2")
	x.wait("because of a")
	x.keys("q")
	if code := x.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	y := startProgram(t, work, 100, 30, env, exe, "bench", "report", dir, "--no-color")
	y.wait("In parentheses")
	if code := y.exit(); code != 0 {
		t.Errorf("exit %d", code)
	}
	stdout, stderr, code := run(t, work, "bench", "report", dir)
	if code != 0 || !strings.Contains(stdout, "11 of 12 cells have a result") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// Failures have another exit code than errors, and wrong usage has its own.
func TestBenchExitCodes(t *testing.T) {
	t.Parallel()
	dir, work := clitest.StoredRun(t), t.TempDir()
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{0, []string{"report", dir, "--fail-under", "usable=0.5", "--only", "class:nil*"}, "right by class"},
		{6, []string{"report", dir, "--fail-under", "right=0.9"}, "below 0.90"},
		{2, []string{"report", dir, "--fail-under", "wrong=1"}, "one of the scores"},
		{2, []string{"report", dir, "--cell", "none"}, "no result of an open case"},
		{1, []string{"report", "nowhere"}, "read the plan"},
		{1, []string{"merge", dir, "--dir", dir}, "there is a run already"},
	} {
		stdout, stderr, code := run(t, work, append([]string{"bench"}, c.args...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.says) {
			t.Errorf("%q: exit %d: %s%s", c.args, code, stdout, stderr)
		}
	}
}
