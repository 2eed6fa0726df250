package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/prompt"
)

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
