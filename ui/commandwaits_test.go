package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
)

// A line that takes long is shown with a clock that runs, and with those that wait for it,
// where nothing else is under way; ctrl+c says what it drops.
func TestALineUnderWayIsShownWithThoseThatWait(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		f := sceneStopped()
		s := play(t, f, size[0], size[1])
		if s.press(":"); s.busy() {
			t.Fatal("the clock runs for something else")
		}
		began := f.now()
		f.setLive(func(l *live.State) {
			l.Command = &live.Command{Line: "why c.Limits", Since: began, Progress: "recording the run", Waiting: []string{"p id", "stack", "frame 9", "p 2"}}
		})
		f.mu.Lock()
		f.clock = f.clock.Add(8 * time.Second)
		f.mu.Unlock()
		if s.send(f.update()); !s.busy() {
			t.Error("the clock does not run")
		}
		f.mu.Lock()
		f.clock = f.clock.Add(time.Second)
		f.mu.Unlock()
		s.send(tickMsg{})
		text := s.screenText()
		for _, want := range []string{"› why c.Limits  9.0 s  recording the run  ctrl+c ends it", "› p id  waits", "› stack  waits", "2 more lines wait"} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: without %q:\n%s", size, want, text)
			}
		}
		if s.press("esc"); s.Commanding || !strings.Contains(s.screenText(), ": why c.Limits 9.0 s") {
			t.Errorf("%v: the running command is not shown while the command line is closed:\n%s", size, s.screenText())
		}
		s.press(":", "ctrl+c")
		if got := f.last(); got != (intent.CancelCommand{}) || !strings.Contains(s.screenText(), "dropped 4 waiting lines: p id, stack, frame 9, p 2") {
			t.Errorf("%v: ctrl+c leads to %#v:\n%s", size, got, s.screenText())
		}
		f.setLive(func(l *live.State) { l.Command = nil })
		if s.send(f.update()); strings.Contains(s.screenText(), "why c.Limits") {
			t.Errorf("%v: it is shown after its end:\n%s", size, s.screenText())
		}
	}
}
