package main

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli"
)

// A terminal that cannot show a full screen, or whose kind is unknown, gets an error that says so.
func TestATerminalWithoutAScreen(t *testing.T) {
	t.Parallel()
	for value, why := range map[string]string{"dumb": "TERM is dumb", "": "TERM is not set"} {
		x := startTerminal(t, program(t, emptyMapProgram), 90, 30, []string{"TERM=" + value}, "debug", "--offline", ".")
		if code := x.exit(); code != cli.ExitFailure {
			t.Errorf("TERM=%q: exit code %d", value, code)
		}
		x.wait(why, "--plain works in lines")
		if text := string(x.Written(0)); strings.Contains(text, "\x1b[?1049h") {
			t.Errorf("TERM=%q: %q", value, text)
		}
	}
}
