package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// A program that is held stays held where a rebuild fails: the errors are a pane that
// esc closes, and steps work.
func TestAFailedRebuildLeavesTheStop(t *testing.T) {
	f := sceneStepped()
	f.add(&session.BuildStarted{Reason: "restart"})
	s := play(t, f, 120, 36)
	f.add(&session.BuildFailed{Message: "build \".\": 1 message of the compiler"})
	s.send(f.update())
	screen := func() string { return ansi.Strip(strings.Join(s.lines(), "\n")) }
	if text := screen(); !strings.Contains(text, "Build failed") || !strings.Contains(text, "back to the stop") || !strings.Contains(text, "held as it was") {
		t.Errorf("the errors, and the way back:\n%s", text)
	}
	s.press("esc")
	if text := screen(); strings.Contains(text, "Build failed") || !strings.Contains(text, "1 Source") {
		t.Errorf("esc returns to the stop:\n%s", text)
	}
	f.add(&session.Resumed{Motion: debugger.Next})
	s.send(f.update())
	if st := s.Ctx.State; st.Build != nil || st.Phase != session.PhaseRunning {
		t.Errorf("after a step: %s, %+v", st.Phase, st.Build)
	}
}
