package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// The screen follows the terminal's size.
func TestDebugIsResized(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := startTerminal(t, program(t, twoBugsProgram), 120, 36, nil, "debug", "--offline", ".")
	x.wait("2 Stack")
	x.wait("? unproved") // the other bug comes next: a rerun cannot be clean
	x.resize(80, 24)
	x.waitMatch(regexp.MustCompile(`(?m)^╭ 1 Source .{40,70}2 Stack ─+╮$`)) // two columns
	x.fits(80, 24)
	x.resize(40, 10)
	x.wait("pausetui needs")
	x.gone("Source")
	x.fits(40, 10)
	x.resize(200, 60)
	x.wait("7 Log")
	x.gone("pausetui needs")
	x.fits(200, 60)
	for _, pane := range []string{"1 Source", "2 Stack", "3 Locals", "4 Goroutines", "6 Fixes"} {
		if n := strings.Count(x.text(), pane); n != 1 {
			t.Errorf("%q is %d times on the screen:\n%s", pane, n, x.text())
		}
	}
	x.leave()
}

// fits wants lines within the screen, and whole boxes.
func (x *terminal) fits(cols, rows int) {
	x.t.Helper()
	screen := x.text()
	lines := strings.Split(screen, "\n")
	if len(lines) > rows {
		x.t.Errorf("%d lines on %d rows", len(lines), rows)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(strings.TrimRight(l, " ")); w > cols {
			x.t.Errorf("%d cells in %d columns: %q", w, cols, l)
		}
	}
	for open, end := range map[string]string{"╭": "╮", "╰": "╯"} {
		if strings.Count(screen, open) != strings.Count(screen, end) || strings.Count(screen, "╭") != strings.Count(screen, "╰") {
			x.t.Errorf("broken boxes:\n%s", screen)
		}
	}
}

// color matches select-graphic-rendition sequences that set a color.
var color = regexp.MustCompile(`\x1b\[(?:[0-9;:]*[;:])?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)

// NO_COLOR is obeyed; without it there are colors.
func TestDebugWithoutColors(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for name, env := range map[string]string{"colors": "NO_COLOR=", "none": "NO_COLOR=1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := offline(t, program(t, twoBugsProgram), env)
			x.wait("make books in NewShelf")
			x.keys("6", "\r")
			x.wait("Fix 1 ·")
			x.keys("?")
			x.wait("breakpoint on the cursor's line")
			x.keys(escape)
			x.gone("breakpoint on the cursor's line")
			found := color.Find(x.Written(0))
			if colored := found != nil; colored != (name == "colors") {
				t.Errorf("color sequence %q", found)
			}
			x.leave()
		})
	}
}

// The help overlay and the palette know the keys, and the palette runs them.
func TestDebugHelpAndPalette(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := startTerminal(t, program(t, endlessProgram), 80, 24, nil, "debug", "--offline", ".")
	x.wait("started")
	x.keys("?")
	x.wait("halt; when stopped")
	x.keys(escape)
	x.gone("halt; when stopped")
	x.keys("\x10") // ctrl+p
	x.wait("Commands")
	x.keys("h", "a", "l", "t", "\r")
	x.wait("■ halted")
	x.keys("\x10")
	x.wait("Commands")
	x.keys("s", "t", "a", "c", "k", "\r")
	x.wait("[2 Stack]", "2 Stack")
	x.wait("main.go:")
	x.leave()
}
