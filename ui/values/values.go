// Package values looks at the values of variables as the person says: it copies, sets
// and watches them, and asks when they were set.
package values

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/commandline"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/timeline"
)

// Values acts on the selected value: copies, sets and watches it.
type Values struct {
	*common.Common
	Command  *commandline.CommandLine
	Timeline *timeline.Timeline
}

// maxCopy bounds what is copied of a value, in bytes.
const maxCopy = 1 << 20

// CopiedMsg is a value that was read to be copied.
type CopiedMsg struct {
	name, text string
	whole      bool
	err        error
}

// Value is the value that keys act on.
func (va *Values) Value() (debugger.Variable, bool) {
	if va.Focus != layout.Locals || !va.Ctx.Held {
		return debugger.Variable{}, false
	}
	return va.Panes.Locals.Selected()
}

// Action carries out what is done with the selected value.
func (va *Values) Action(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.CopyPath:
		return va.copyPath(), true
	case keymap.WatchExpr:
		va.watch()
		return nil, true
	case keymap.History:
		va.why()
		return nil, true
	case keymap.Copy, keymap.SetValue, keymap.Watch:
	default:
		return nil, false
	}
	v, ok := va.Value()
	if !ok {
		return nil, true
	}
	switch {
	case a == keymap.Copy:
		return va.copyValue(v), true
	case v.Expr == "":
		va.Say("warn", text.Line(v.Name)+" has no name here, so it cannot be set or watched")
	case a == keymap.SetValue:
		va.Command.OpenCommand()
		va.Command.SetChosen(v.Expr+" = ", literal(v))
	case a == keymap.Watch && slices.ContainsFunc(va.Ctx.State.Breakpoints, func(b debugger.Breakpoint) bool { return b.Watch == v.Expr && b.At.Goroutine == va.Ctx.At.Goroutine }):
		va.Say("info", text.Line(v.Expr)+" is watched already: "+va.Keys.Key(keymap.Breaks)+" lists and clears it")
	case a == keymap.Watch:
		va.Engine.Do(intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Watch: v.Expr, WatchKind: debugger.WatchWrite, At: va.Ctx.At}})
	}
	return nil, true
}

// why shows the history of the selected value or, without one, of what made the program
// panic, and has it recorded where that is not known.
func (va *Values) why() {
	v, _ := va.Value()
	va.SetFocus(layout.Why)
	if v.Expr != "" || !va.Panes.Why.Own() {
		va.Engine.Do(intent.Evaluate{At: va.Ctx.At, Input: strings.TrimSpace("why " + v.Expr), Seen: va.Ctx.State.Seq})
	}
}

// GoesBackToEvent goes back to the event that the cursor of the history is on; false where there
// is none.
func (va *Values) GoesBackToEvent() bool {
	row, ok := va.Panes.Why.Row()
	if va.Focus != layout.Why || va.Reviewing || !ok {
		return false
	}
	va.Command.OpenAnswer() // it shows how far the run is
	va.Engine.Do(intent.Evaluate{At: va.Ctx.At, Input: "back " + strconv.Itoa(row), Seen: va.Ctx.State.Seq})
	return true
}

// watch asks for an expression to watch; with the cursor on one that is watched, it
// is watched no more.
func (va *Values) watch() {
	if name, ok := va.Panes.Locals.Watched(); ok && va.Focus == layout.Locals {
		id, expr, _ := strings.Cut(name, ": ")
		va.Engine.Do(intent.Evaluate{At: va.Ctx.At, Input: "display -d " + id})
		va.Say("info", text.Line(expr)+" is not watched any more")
		return
	}
	at := va.Ctx.At
	d := &dialog.Input{Head: "Watch an expression", Body: "It is evaluated at every stop and shown above the locals.", Enter: "watches it",
		Make: func(expr string) any {
			if expr = strings.TrimSpace(expr); expr == "" {
				return nil
			}
			return intent.Evaluate{At: at, Input: "display -a " + expr}
		}}
	if v, ok := va.Value(); ok {
		d.Paste(v.Expr)
	}
	va.Dialog = d
}

// literal is a value as it would be typed; empty for one that cannot be.
func literal(v debugger.Variable) string {
	switch {
	case v.Nil:
		return "nil"
	case v.Kind == reflect.String && int64(len(v.Value)) == v.Len:
		return strconv.Quote(v.Value)
	case v.Kind >= reflect.Bool && v.Kind <= reflect.Float64:
		return debugger.Number(v.Value)
	}
	return ""
}

// copyValue reads the whole value, to copy it.
func (va *Values) copyValue(v debugger.Variable) tea.Cmd {
	at, in := va.Ctx.At, va.Timeline.Inspector()
	va.Say("info", "reading "+text.Line(v.Name)+" …")
	return va.InBackground(func() tea.Msg {
		whole, all, err := format.Write(va.Base, format.NewReader(in, at), v, maxCopy)
		return CopiedMsg{v.Name, whole, all, err}
	})
}

// Copied puts what was read into the clipboard.
func (va *Values) Copied(msg CopiedMsg) tea.Cmd {
	if msg.err != nil {
		va.Say("error", fmt.Sprintf("%s could not be read: %v", text.Line(msg.name), msg.err))
		return nil
	}
	words := "copied " + text.Line(msg.name) + ", " + text.Plural(int64(len(msg.text)), "byte")
	if !msg.whole {
		words = "copied the first " + text.Plural(int64(len(msg.text)), "byte") + " of " + text.Line(msg.name)
	}
	va.Say("info", words)
	return Clipboard(msg.text)
}

// copyPath copies the expression of the value, or the place in the source.
func (va *Values) copyPath() tea.Cmd {
	if v, ok := va.Value(); ok && v.Expr != "" {
		va.Say("info", "copied "+text.Line(v.Expr))
		return Clipboard(v.Expr)
	}
	file, line, ok := va.Panes.Source.Line()
	if frame, known := va.Ctx.Store.Frame(va.Ctx.At); va.Focus == layout.Stack && known {
		file, line, ok = frame.File, frame.Line, true
	}
	if !ok {
		va.Say("info", "there is no value and no line to name")
		return nil
	}
	if rel, err := filepath.Rel(va.Ctx.State.Started.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	}
	place := fmt.Sprintf("%s:%d", filepath.ToSlash(file), line)
	va.Say("info", "copied "+text.Line(place))
	return Clipboard(place)
}

// Clipboard sets the terminal's clipboard (OSC 52). tmux passes that on by itself
// only where its configuration says so, so there it is wrapped as well.
func Clipboard(s string) tea.Cmd {
	if os.Getenv("TMUX") == "" {
		return tea.SetClipboard(s)
	}
	return tea.Batch(tea.SetClipboard(s), tea.Raw(ansi.TmuxPassthrough(ansi.SetSystemClipboard(s))))
}
