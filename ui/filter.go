package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/pane"
)

func (m *model) startFilter() {
	f, ok := m.Panes.At(m.Focus).(pane.Filterer)
	if !ok {
		return
	}
	if b, ok := f.(interface{ BeginFilter() }); ok {
		b.BeginFilter()
	}
	m.Filtering = &common.Filter{Pane: f}
	m.Filtering.Line.Set(f.Filter())
}

// filterKey edits the filter, which acts at once; enter keeps it, esc drops it.
func (m *model) filterKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter":
		m.Filtering = nil
	case "esc", "ctrl+c":
		if d, ok := m.Filtering.Pane.(interface{ DropFilter() }); ok {
			d.DropFilter()
		} else {
			m.Filtering.Pane.SetFilter("")
		}
		m.Filtering = nil
	default:
		if m.Filtering.Line.Key(k) {
			m.applyFilter()
		}
	}
}

func (m *model) applyFilter() { m.Filtering.Pane.SetFilter(m.Filtering.Line.Text()) }
