package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/debugger/search"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// maxCopy bounds what is copied of a value, in bytes.
const maxCopy = 1 << 20

// copiedMsg is a value that was read to be copied.
type copiedMsg struct {
	name, text string
	whole      bool
	err        error
}

// value is the value that keys act on.
func (m *model) value() (debugger.Variable, bool) {
	if m.focus != layout.Locals || !m.ctx.Held {
		return debugger.Variable{}, false
	}
	return m.panes.locals.Selected()
}

// valueAction carries out what is done with the selected value.
func (m *model) valueAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.CopyPath:
		return m.copyPath(), true
	case keymap.Copy, keymap.SetValue, keymap.Watch:
	default:
		return nil, false
	}
	v, ok := m.value()
	if !ok {
		return nil, true
	}
	switch {
	case a == keymap.Copy:
		return m.copyValue(v), true
	case v.Expr == "":
		m.say("warn", text.Line(v.Name)+" cannot be named here, and so not be written to or watched")
	case a == keymap.SetValue:
		m.command.Open()
		m.command.Set(v.Expr + " = " + literal(v))
		m.commanding = true
	case a == keymap.Watch:
		m.face.Do(engine.SetBreakpoint{Breakpoint: debugger.Breakpoint{Watch: v.Expr, WatchKind: debugger.WatchWrite, At: m.ctx.At}})
	}
	return nil, true
}

// literal is a value as it would be typed; empty for one that cannot be.
func literal(v debugger.Variable) string {
	switch {
	case v.Nil:
		return "nil"
	case v.Kind == reflect.String && int64(len(v.Value)) == v.Len:
		return strconv.Quote(v.Value)
	case v.Kind >= reflect.Bool && v.Kind <= reflect.Float64:
		return search.Number(v.Value)
	}
	return ""
}

// copyValue reads the whole value, to copy it.
func (m *model) copyValue(v debugger.Variable) tea.Cmd {
	at, in := m.ctx.At, m.inspector()
	m.say("info", "reading "+text.Line(v.Name)+" …")
	return m.beside(func() tea.Msg {
		whole, all, err := format.Write(m.base, format.NewReader(in, at), v, maxCopy)
		return copiedMsg{v.Name, whole, all, err}
	})
}

// copied puts what was read into the clipboard.
func (m *model) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		m.say("error", fmt.Sprintf("%s could not be read: %v", text.Line(msg.name), msg.err))
		return nil
	}
	words := "copied " + text.Line(msg.name) + ", " + text.Plural(int64(len(msg.text)), "byte")
	if !msg.whole {
		words = "copied the first " + text.Plural(int64(len(msg.text)), "byte") + " of " + text.Line(msg.name)
	}
	m.say("info", words)
	return clipboard(msg.text)
}

// copyPath copies the expression of the value, or the place in the source.
func (m *model) copyPath() tea.Cmd {
	if v, ok := m.value(); ok && v.Expr != "" {
		m.say("info", "copied "+text.Line(v.Expr))
		return clipboard(v.Expr)
	}
	file, line, ok := m.panes.source.Line()
	if frame, known := m.ctx.Store.Frame(m.ctx.At); m.focus == layout.Stack && known {
		file, line, ok = frame.File, frame.Line, true
	}
	if !ok {
		m.say("info", "there is no value and no line to name")
		return nil
	}
	if rel, err := filepath.Rel(m.ctx.State.Started.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	}
	place := fmt.Sprintf("%s:%d", filepath.ToSlash(file), line)
	m.say("info", "copied "+text.Line(place))
	return clipboard(place)
}

// clipboard sets the terminal's clipboard (OSC 52). tmux passes that on by itself
// only where it was told to, so there it is wrapped as well.
func clipboard(s string) tea.Cmd {
	if os.Getenv("TMUX") == "" {
		return tea.SetClipboard(s)
	}
	return tea.Batch(tea.SetClipboard(s), tea.Raw(ansi.TmuxPassthrough(ansi.SetSystemClipboard(s))))
}
