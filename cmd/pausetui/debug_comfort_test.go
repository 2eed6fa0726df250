package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/ui/preferences"
)

// column is where a text begins on the screen; it has to be there.
func (x *terminal) column(text string) int {
	x.t.Helper()
	x.wait(text)
	for _, l := range strings.Split(x.text(), "\n") {
		if before, _, ok := strings.Cut(l, text); ok {
			return ansi.StringWidth(before)
		}
	}
	x.t.Fatalf("%q is gone", text)
	return 0
}

// row is the line of the screen that a text is on.
func (x *terminal) row(text string) int {
	x.t.Helper()
	x.wait(text)
	return slices.IndexFunc(strings.Split(x.text(), "\n"), func(l string) bool { return strings.Contains(l, text) })
}

// until waits for something to become so.
func (x *terminal) until(otherwise string, so func() bool) {
	x.t.Helper()
	testsupport.Until(x.t, func() string {
		if so() {
			return ""
		}
		return otherwise + ":\n" + x.text()
	})
}

// wrote tells whether the program has written a sequence.
func (x *terminal) wrote(seq string) bool {
	return bytes.Contains(x.Written(0), []byte(seq))
}

// Panes are zoomed, resized by keys and by mouse; the layout and the theme come
// back in the next session, and the hint of the first start goes once it was
// used.
func TestDebugRemembersTheScreen(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	state := t.TempDir()
	dir := program(t, endlessProgram)
	start := func() *terminal {
		x := startTerminal(t, dir, 120, 36, []string{"XDG_STATE_HOME=" + state}, "debug", "--offline", ".")
		x.wait("started")
		return x
	}
	x := start()
	x.wait("first time here?")
	x.keys("\x03")
	x.wait("■ halted")
	x.wait("3 Locals")
	x.keys("3", "z")
	x.gone("1 Source")
	x.keys("z")
	x.wait("1 Source")
	locals := x.row("3 Locals")
	x.keys("+", "+")
	x.until("the locals are not larger", func() bool { return x.row("3 Locals") < locals })
	stack := x.column("2 Stack")
	border := stack - 1 // counted from 1, as the mouse does
	x.keys(fmt.Sprintf("\x1b[<0;%d;10M", border), fmt.Sprintf("\x1b[<32;%d;10M", border-6), fmt.Sprintf("\x1b[<0;%d;10m", border-6))
	x.until("the border is where it was", func() bool { return x.column("2 Stack") == stack-6 })
	x.keys("?")
	x.wait("Here: the program is held")
	x.keys(escape)
	x.gone("Here: the program is held")
	if strings.Contains(x.text(), "first time here?") {
		t.Error("the hint stays after the help was seen")
	}
	x.keys("T")
	x.wait("high-contrast")
	x.keys("j", "\r")
	x.gone("as much contrast as there is")
	high, left := x.row("3 Locals"), x.column("2 Stack")
	if high >= locals || left >= stack {
		t.Errorf("the locals begin at %d, were at %d; the stack begins at %d, was at %d", high, locals, left, stack)
	}
	if !x.wrote("\x1b]2;pausetui · ■ halted") {
		t.Error("the terminal's title does not say what the program does")
	}
	x.leave()

	y := start()
	y.keys("\x03")
	y.wait("■ halted")
	if h, l := y.row("3 Locals"), y.column("2 Stack"); h >= locals || l != left { // not the same line: the hint of the first start took one
		t.Errorf("the next session: %d and %d, want %d and %d", h, l, high, left)
	}
	if strings.Contains(y.text(), "first time here?") {
		t.Error("the hint is back")
	}
	if !y.wrote("38;2;140;196;255") { // its accent
		t.Error("the theme is not back")
	}
	y.leave()
	if info, err := os.Stat(filepath.Join(state, "pausetui", "screen.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if kept, err := (&preferences.File{Path: filepath.Join(state, "pausetui", "screen.json")}).Load(); err != nil || kept.Theme != "high-contrast" || !kept.Hinted {
		t.Errorf("kept %+v, %v", kept, err)
	}
}

// In a small terminal everything is still there.
func TestDebugInASmallTerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, program(t, twoBugsProgram), 40, 12, nil, "debug", "--offline", ".")
	x.wait("[1 Source]")
	x.wait("s.books = nil map")
	x.keys("6")
	x.wait("✗", "✓")
	x.keys("\r")
	x.wait("Fix 1 ·")
	x.fits(40, 12)
	x.keys(escape)
	x.wait("[6 Fixes")
	x.keys("3")
	x.wait("[3 Locals]")
	x.keys("z")
	x.gone("[3 Locals]")
	x.fits(40, 12)
	x.leave()
}
