package execution

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
)

// A target that draws a screen of its own is shown as it draws. While its keys are
// typed here it has the whole terminal, but for one line that says how to leave.

// fitted is the size of a pane for which the target's terminal was made.
type fitted struct{ cols, rows int }

// TookOver reports whether the target's screen is to fill the terminal, before the
// panes know.
func (ex *Execution) TookOver() bool { return ex.Typing && ex.Panes.Output.Draws(ex.Ctx) }

// FitTarget makes the target's terminal as large as the pane when it starts, and while it
// runs and draws. The host's pane decides in a shared session.
func (ex *Execution) FitTarget() {
	_, drawn := ex.Panes.Output.Screen()
	room := ex.PaneInner(layout.Output)
	phase := ex.Ctx.State.Phase
	fits := phase == session.PhaseStarting || phase == session.PhaseRunning && drawn // lines that are printed keep their width
	if !fits || room.Empty() || ex.Opts.Remote != nil || ex.Screen() != layout.Flow {
		return
	}
	if size := (fitted{room.W, room.H}); size != ex.fitted {
		ex.fitted = size
		ex.Engine.Do(intent.Resize{Cols: size.cols, Rows: size.rows})
	}
}

// pasted is what a terminal sends for a paste.
func (ex *Execution) pasted(s string) string {
	screen, drawn := ex.Panes.Output.Screen()
	if !drawn || !screen.Pastes {
		return s
	}
	const begin, end = "\x1b[200~", "\x1b[201~"
	return begin + strings.ReplaceAll(s, end, "") + end
}

// finals end the sequences of keys that take modifiers; a number is one of a
// sequence that ends with a tilde.
var finals = map[rune]string{
	tea.KeyUp: "A", tea.KeyDown: "B", tea.KeyRight: "C", tea.KeyLeft: "D", tea.KeyHome: "H", tea.KeyEnd: "F",
	tea.KeyF1: "P", tea.KeyF2: "Q", tea.KeyF3: "R", tea.KeyF4: "S",
	tea.KeyInsert: "2", tea.KeyDelete: "3", tea.KeyPgUp: "5", tea.KeyPgDown: "6",
	tea.KeyF5: "15", tea.KeyF6: "17", tea.KeyF7: "18", tea.KeyF8: "19", tea.KeyF9: "20", tea.KeyF10: "21", tea.KeyF11: "23", tea.KeyF12: "24",
}

// ScreenKey is what a terminal sends for a key: xterm's sequences, of which the engine makes
// those of the program's own TERM. arrows says whether application cursor keys are on. It is
// empty for keys that have no bytes.
func ScreenKey(k tea.KeyPressMsg, arrows bool) string {
	if k.Text != "" && k.Mod&(tea.ModAlt|tea.ModCtrl) == 0 {
		return k.Text
	}
	if final, ok := finals[k.Code]; ok {
		return cursorKey(k, final, arrows)
	}
	text := ""
	switch {
	case k.Code == tea.KeyTab && k.Mod&tea.ModShift != 0:
		text = "\x1b[Z"
	case k.Code == tea.KeyEnter || k.Code == tea.KeyTab || k.Code == tea.KeyEscape || k.Code == tea.KeyBackspace:
		text = string(k.Code) // these are characters
	case k.Mod&tea.ModCtrl != 0:
		text = controlKey(k.Code)
	case k.Code > ' ' && k.Code < tea.KeyExtended || k.Code == ' ':
		text = string(k.Code)
	}
	if text != "" && k.Mod&tea.ModAlt != 0 {
		text = "\x1b" + text
	}
	return text
}

// controlKey is the control character of a key; empty for keys that have none.
func controlKey(code rune) string {
	switch {
	case code >= 'a' && code <= 'z', code >= '[' && code <= '_':
		return string(code & 0x1f)
	case code == ' ' || code == '@':
		return "\x00"
	}
	return ""
}

func cursorKey(k tea.KeyPressMsg, final string, arrows bool) string {
	modifier := 1
	for mod, n := range map[tea.KeyMod]int{tea.ModShift: 1, tea.ModAlt: 2, tea.ModCtrl: 4} {
		if k.Mod&mod != 0 {
			modifier += n
		}
	}
	letter := final[0] >= 'A'
	switch {
	case !letter && modifier > 1:
		return "\x1b[" + final + ";" + strconv.Itoa(modifier) + "~"
	case !letter:
		return "\x1b[" + final + "~"
	case modifier > 1:
		return "\x1b[1;" + strconv.Itoa(modifier) + final
	case arrows || final[0] >= 'P':
		return "\x1bO" + final
	}
	return "\x1b[" + final
}
