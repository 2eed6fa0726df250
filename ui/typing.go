package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/prompt"
)

// terminalKeys is what a terminal sends for keys that are no text.
var terminalKeys = map[string]string{
	"enter": "\n", "tab": "\t", "backspace": "\x7f", "delete": "\x1b[3~",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
	"shift+tab": "\x1b[Z", "ctrl+space": "\x00",
}

func (m *model) startTyping() {
	m.typing = true
	m.leaveReview()
	m.setFocus(layout.Output)
	m.panes.output.SetTyping(true)
}

func (m *model) stopTyping() {
	m.typing = false
	m.panes.output.SetTyping(false)
}

// typeKey sends a key to the target; esc leaves.
func (m *model) typeKey(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	if key == "esc" {
		m.stopTyping()
		return nil
	}
	if !m.facts().Running() {
		m.stopTyping()
		m.say("info", "the target is not running any more")
		return nil
	}
	switch {
	case k.Text != "":
		m.face.Do(engine.Type{Text: k.Text})
	case terminalKeys[key] != "":
		m.face.Do(engine.Type{Text: terminalKeys[key]})
	case len(key) == len("ctrl+c") && strings.HasPrefix(key, "ctrl+"):
		if c := key[len(key)-1]; c >= 'a' && c <= 'z' {
			m.face.Do(engine.Type{Text: string(rune(c - 'a' + 1))})
		}
	}
	return nil
}

// filter is the filter of a pane being typed.
type filter struct {
	line prompt.Line
	pane pane.Filterer
}

func (m *model) startFilter() {
	f, ok := m.panes.at(m.focus).(pane.Filterer)
	if !ok {
		return
	}
	if b, ok := f.(interface{ BeginFilter() }); ok {
		b.BeginFilter()
	}
	m.filtering = &filter{pane: f}
	m.filtering.line.Set(f.Filter())
}

// filterKey edits the filter, which acts at once; enter keeps it, esc drops it.
func (m *model) filterKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter":
		m.filtering = nil
	case "esc", "ctrl+c":
		if d, ok := m.filtering.pane.(interface{ DropFilter() }); ok {
			d.DropFilter()
		} else {
			m.filtering.pane.SetFilter("")
		}
		m.filtering = nil
	default:
		if m.filtering.line.Key(k) {
			m.applyFilter()
		}
	}
}

func (m *model) applyFilter() { m.filtering.pane.SetFilter(m.filtering.line.Text()) }
