package execution

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/layout"
)

// MouseMode is what the terminal reports of the mouse: all motion only for a target
// that wants it.
func (ex *Execution) MouseMode() tea.MouseMode {
	if screen, drawn := ex.Panes.Output.Screen(); drawn && ex.TookOver() && screen.Mouse == output.Moves {
		return tea.MouseModeAllMotion
	}
	return tea.MouseModeCellMotion
}

// Point sends an event of the mouse to the target that has the whole terminal, if
// it has asked for it, and reports whether the event is the target's.
func (ex *Execution) Point(msg tea.Msg) bool {
	e, ok := msg.(tea.MouseMsg)
	screen, drawn := ex.Panes.Output.Screen()
	if !ok || !drawn || !ex.TookOver() || !ex.Facts().Running() {
		return false
	}
	at := ex.PaneInner(layout.Output)
	if m := e.Mouse(); at.Contains(m.X, m.Y) {
		if text := screenMouse(e, m.X-at.X, m.Y-at.Y, screen); text != "" {
			ex.Engine.Do(intent.Type{Text: text})
		}
	}
	return true
}

// TellFocus tells a target that has asked for it whether the terminal has the focus.
func (ex *Execution) TellFocus(msg tea.Msg) {
	screen, drawn := ex.Panes.Output.Screen()
	if !drawn || !screen.Focus || !ex.TookOver() || !ex.Facts().Running() {
		return
	}
	switch msg.(type) {
	case tea.FocusMsg:
		ex.Engine.Do(intent.Type{Text: ansi.Focus})
	case tea.BlurMsg:
		ex.Engine.Do(intent.Type{Text: ansi.Blur})
	}
}

// maxShort is the last column and row that the short sequences of the mouse can say.
const maxShort = 222

// screenMouse is what a terminal sends for an event of the mouse in a cell (xterm's
// control sequences); it is empty for what the target has not asked for.
func screenMouse(e tea.MouseMsg, x, y int, s output.Screen) string {
	m := e.Mouse()
	_, moved := e.(tea.MouseMotionMsg)
	_, released := e.(tea.MouseReleaseMsg)
	switch {
	case s.Mouse == output.NoMouse,
		moved && s.Mouse == output.Clicks,
		moved && m.Button == tea.MouseNone && s.Mouse == output.Drags,
		!s.LongMouse && max(x, y) > maxShort:
		return ""
	}
	button := m.Button
	if released && !s.LongMouse {
		button = tea.MouseNone
	}
	code := ansi.EncodeMouseButton(button, moved, m.Mod.Contains(tea.ModShift), m.Mod.Contains(tea.ModAlt), m.Mod.Contains(tea.ModCtrl))
	if s.LongMouse {
		return ansi.MouseSgr(code, x, y, released)
	}
	return ansi.MouseX10(code, x, y)
}
