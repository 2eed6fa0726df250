//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// twoCommands is a module with two commands, of which the second panics.
func twoCommands(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testsupport.Files(t, dir, map[string]string{
		"go.mod":             "module example.org/two\n\ngo 1.26\n",
		"cmd/quiet/main.go":  "package main\n\nfunc main() {}\n",
		"cmd/server/main.go": "package main\n\nfunc main() { panic(\"at the start\") }\n",
	})
	return dir
}

// Where a module has several commands, the person chooses one.
func TestSeveralCommandsAreOffered(t *testing.T) {
	x := startTerminal(t, twoCommands(t), 80, 24, nil, "debug", "--offline")
	x.wait("Which command?")
	x.wait("func main() {}")
	if s := x.text(); !strings.Contains(s, "./cmd/server") {
		t.Errorf("the screen shows:\n%s", s)
	}
	x.keys("s", "e", "r", "v")
	x.wait("panic(\"at the start\")")
	x.keys("\r")
	x.wait("● ", "■ ")
	x.wait("at the start")
	x.keys("q")
	x.wait("Quit?")
	x.keys("y")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// Without arguments, what a module has is offered: all of it, however much that is.
func TestAModuleIsOffered(t *testing.T) {
	dir := twoCommands(t)
	for i := range 12 {
		testsupport.Files(t, dir, map[string]string{fmt.Sprintf("zoo/number%02d/main.go", i): "package main\n\nfunc main() {}\n"})
	}
	x := startTerminal(t, dir, 80, 24, nil)
	x.wait("What should be debugged?")
	for _, want := range []string{"debug ./cmd/server", "more"} {
		if !strings.Contains(x.text(), want) {
			t.Errorf("%q is not offered:\n%s", want, x.text())
		}
	}
	x.keys("1", "1")
	x.wait("debug ./zoo/number11")
	x.keys("\x15", "s", "e", "s", "s")
	x.wait("all of them")
	x.keys(escape)
	if code := x.exit(); code != cli.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// A server that is not there yet can be tried again with a key, which is named.
func TestConnectIsTriedAgain(t *testing.T) {
	x := startTerminal(t, twoCommands(t), 80, 24, nil, "connect", "127.0.0.1:1")
	x.wait("connection refused")
	x.wait("r try again")
	if strings.Contains(x.text(), "build again") {
		t.Errorf("a build is offered:\n%s", x.text())
	}
	x.keys("r")
	x.wait("connection refused")
	x.keys("q")
	x.exit()
}

// On a terminal the report of fix is in colors, unless that is not wanted.
func TestFixInColor(t *testing.T) {
	dir := twoCommands(t)
	x := startTerminal(t, dir, 100, 50, nil, "fix", "--offline", "./cmd/server")
	x.exit()
	x.wait("log: debug")
	if raw := string(x.Written(0)); !strings.Contains(raw, "\x1b[31;1mpanic:") && !strings.Contains(raw, "\x1b[1;31mpanic:") {
		t.Errorf("no colors in %q", raw)
	}
	testsupport.Slow(t)
	x = startTerminal(t, dir, 100, 50, []string{"NO_COLOR=1"}, "fix", "--offline", "./cmd/server")
	x.exit()
	x.wait("log: debug")
	if raw := string(x.Written(0)); strings.Contains(raw, "\x1b[31") || strings.Contains(raw, "\x1b[1;31") {
		t.Errorf("colors in %q", raw)
	}
}

// The help fits the terminal and names what a flag takes.
func TestHelpFits(t *testing.T) {
	x := startTerminal(t, t.TempDir(), 80, 200, nil, "debug", "--help")
	x.exit()
	x.wait("--wd DIR")
	for _, want := range []string{"--break LOCATION", "--profile NAME", "--repeat N"} {
		if !strings.Contains(x.text(), want) {
			t.Errorf("no %q in\n%s", want, x.text())
		}
	}
	if strings.Contains(x.text(), "`") {
		t.Errorf("placeholders are marked:\n%s", x.text())
	}
	for _, line := range strings.Split(x.text(), "\n") {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "  ") {
			t.Errorf("the terminal wraps it: %q", line)
		}
	}
}
