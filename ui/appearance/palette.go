package appearance

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/preferences"
)

// Chosen is an action chosen in the palette.
type Chosen struct{ Action keymap.Action }

// Palette lists what can be done: what was chosen there before comes first, what
// can do nothing now last, with the reason.
func (ap *Appearance) Palette() dialog.Dialog {
	f := ap.Facts()
	d := &dialog.Choose{Head: "Commands"}
	var recent, other, disabled []dialog.Choice
	for _, b := range ap.Keys.Rows() {
		if b.Short == "" && b.Group == "Move" || b.Group == "Past sessions" && b.Action != keymap.Sessions || b.Action == keymap.Palette {
			continue // movements are keys, not commands
		}
		c := dialog.Choice{Words: b.Help, Also: b.Short + " " + dlvWords[b.Action], Key: keymap.Label(b.Keys), Why: b.Why(f), Do: Chosen{b.Action}}
		switch {
		case c.Why != "":
			disabled = append(disabled, c)
		case slices.Contains(ap.recent, string(b.Action)):
			recent = append(recent, c)
		default:
			other = append(other, c)
		}
	}
	slices.SortStableFunc(recent, func(a, b dialog.Choice) int { return ap.lately(a) - ap.lately(b) })
	d.Choices = slices.Concat(recent, other, disabled)
	d.Recent = len(recent)
	return d
}

// dlvWords are what who comes from dlv calls an action.
var dlvWords = map[keymap.Action]string{
	keymap.Continue: "run", keymap.StepOut: "stepout so", keymap.StepInstr: "step-instruction si", keymap.NextInstr: "next-instruction ni",
	keymap.Breakpoint: "break clear toggle", keymap.Breaks: "condition on clearall", keymap.RunTo: "until",
	keymap.Trace: "trace", keymap.Restart: "rebuild", keymap.Rewind: "rewind", keymap.Checkpoint: "checkpoint",
	keymap.Watch: "watch watchpoint", keymap.WatchExpr: "display print", keymap.SetValue: "assign",
	keymap.Pane1: "list", keymap.Pane2: "bt backtrace where frame up down deferred", keymap.Pane3: "args vars whatis print",
	keymap.Pane4: "grs threads", keymap.Find: "funcs types sources packages", keymap.Disassembly: "disassemble regs",
	keymap.Command: "print call set display args config source", keymap.Snapshot: "dump core", keymap.Quit: "exit detach",
	keymap.EditLine: "ed",
}

// lately is how many other commands were chosen since this one.
func (ap *Appearance) lately(c dialog.Choice) int {
	return slices.Index(ap.recent, string(c.Do.(Chosen).Action))
}

// UsedRecently keeps what was chosen.
func (ap *Appearance) UsedRecently(a keymap.Action) tea.Cmd {
	kept := preferences.Screen{Recent: ap.recent}
	kept.Use(string(a))
	ap.recent = kept.Recent
	return ap.Remember(func(s *preferences.Screen) { s.Use(string(a)) })
}
