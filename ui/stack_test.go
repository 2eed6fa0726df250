package ui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
)

// cursorOn moves down the stack until the text of the cursor's row is there.
func (s *stage) cursorOn(words string) {
	s.t.Helper()
	s.press("2", "g")
	for range 30 {
		plain := s.Panes.Stack.View(false)
		for i, line := range s.Panes.Stack.View(true) {
			if line != plain[i] && strings.Contains(ansi.Strip(line), words) {
				return
			}
		}
		s.press("j")
	}
	s.t.Fatalf("no row with %q:\n%s", words, s.screenText())
}

// A goroutine opens in the frame that its row names, not in runtime.gopark, and so does
// the goroutine that a command selects.
func TestAGoroutineOpensWhereItsRowSays(t *testing.T) {
	for id, one := range map[debugger.GoroutineID]struct {
		down  []string
		frame int
		place string
	}{31: {nil, 3, "index.go:27"}, 32: {[]string{"j"}, 1, "signal_unix.go:23"}} {
		s := play(t, sceneWaits(), 80, 24)
		s.press("4")
		s.press(one.down...)
		s.press("enter")
		if s.Ctx.At != (debugger.FrameRef{Goroutine: id, Frame: one.frame}) {
			t.Errorf("goroutine %d opens at %+v", id, s.Ctx.At)
		}
		selected := func() string {
			for i, line := range s.Panes.Stack.View(false) {
				if strings.Contains(ansi.Strip(line), "▸") {
					return ansi.Strip(s.Panes.Stack.View(false)[i])
				}
			}
			return ""
		}
		line := one.place[strings.IndexByte(one.place, ':'):]
		if row := selected(); !strings.Contains(row, line) {
			t.Errorf("the stack is at %q, want %s", row, one.place)
		}
		s.press("4")
		if row := ansi.Strip(s.Panes.Goroutines.View(true)[0]); !strings.Contains(row, fmt.Sprint(id)) || !strings.Contains(row, line) {
			t.Errorf("the row is %q, want %s", row, one.place)
		}
	}
	s := play(t, sceneWaits(), 80, 24)
	s.fake.add(&session.Evaluated{Input: "goroutine 31", Select: &debugger.FrameRef{Goroutine: 31, Frame: -1}})
	s.catchUp()
	if s.Ctx.At.Goroutine != 31 || s.Ctx.At.Frame != 3 {
		t.Errorf("a command leads to %+v", s.Ctx.At)
	}
}

func TestRowsBesideTheStackLeadToCode(t *testing.T) {
	f := sceneAround()
	s := play(t, f, 160, 48)
	s.press("4", "2") // the goroutines are read
	s.cursorOn("deferred calls")
	s.press("enter")
	s.cursorOn("defer (*Index)")
	s.press("enter")
	if file, line, _ := s.Panes.Source.Line(); s.Focus != layout.Source || filepath.Base(file) != "index.go" || line != 25 {
		t.Fatalf("a deferred call leads to %s:%d", file, line)
	}
	s.press("esc")
	if s.Panes.Source.Away() {
		t.Error("esc does not lead back")
	}
	s.cursorOn("started by watch")
	s.press("enter")
	if file, line, _ := s.Panes.Source.Line(); filepath.Base(file) != "load.go" || line != 8 {
		t.Errorf("the go statement is in %s:%d", file, line)
	}
	s.press("esc")
	s.cursorOn("started by watch")
	s.press("space")
	s.cursorOn("goroutine 1: 1 frame")
	s.press("space", "j", "enter")
	if file, line, _ := s.Panes.Source.Line(); filepath.Base(file) != "main.go" || line != 15 {
		t.Errorf("an ancestor's frame leads to %s:%d", file, line)
	}
	s.press("esc")
	s.cursorOn("goroutine 18 is still running")
	s.press("enter")
	if s.Ctx.At.Goroutine != 18 {
		t.Errorf("who started it is not shown, but %+v", s.Ctx.At)
	}
}

func TestAncestorsThatAreNotRecorded(t *testing.T) {
	f := sceneAround()
	f.inspect.ancestors = nil
	s := play(t, f, 160, 48)
	s.cursorOn("started by")
	if strings.Contains(s.screenText(), "tracebackancestors") {
		t.Error("they were read unasked")
	}
	s.press("l")
	if !strings.Contains(s.screenText(), "GODEBUG") {
		t.Errorf("it is not said how:\n%s", s.screenText())
	}
	s.press("h")
	if strings.Contains(s.screenText(), "GODEBUG") {
		t.Error("it does not fold again")
	}
}

// One key leads back from wherever a person has looked.
func TestBackToTheStop(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	at := s.Ctx.At
	s.press("0")
	if got := strings.Join(s.lines(), "\n"); !strings.Contains(got, "this is where it stopped") {
		t.Errorf("at the stop, it says\n%s", got)
	}
	s.press("2", "j", "enter", "1", "d", "0")
	if s.Ctx.At != at || s.Panes.Source.Away() {
		t.Errorf("it is at %v, want %v", s.Ctx.At, at)
	}
}

// A selected frame that is folded is marked where it is.
func TestAFoldedFrameIsMarked(t *testing.T) {
	f := sceneWaits()
	s := play(t, f, 80, 24)
	for i := range f.inspect.stacks[31][:2] {
		f.inspect.stacks[31][i].Runtime = true
	}
	s.press("4", "enter")
	for frame, want := range map[int]string{0: "▸ ⋯ frame 0 of 2 runtime frames", 1: "▸ ⋯ frame 1 of 2 runtime frames", 3: "  ⋯ 2 runtime frames"} {
		s.Ctx.At.Frame = frame
		s.sync()
		rows := ansi.Strip(strings.Join(s.Panes.Stack.View(false), "\n"))
		if !strings.Contains(rows, want) || strings.Count(rows, "▸") != 1 {
			t.Errorf("frame %d: without %q, or marked twice:\n%s", frame, want, rows)
		}
	}
}
