package ui

import (
	"cmp"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// lineKeys are the keys that edit a text with alt.
const lineKeys = "bcdflu"

// keysOf is what a key press means. A terminal that does not tell keys apart sends alt and a
// letter as escape and that letter: where alt has no meaning with it, these were two keys.
func (m *model) keysOf(k tea.KeyPressMsg) []tea.KeyPressMsg {
	shift := k.Mod & tea.ModShift
	if k.Mod != tea.ModAlt|shift || !unicode.IsPrint(k.Code) || m.tellsKeys || m.typing || m.typesAhead() {
		return []tea.KeyPressMsg{k}
	}
	edits := m.dialog != nil || m.commanding || m.filtering != nil
	if _, bound := m.keys.Find(k.String()); edits && shift == 0 && strings.ContainsRune(lineKeys, k.Code) || !edits && bound {
		return []tea.KeyPressMsg{k}
	}
	return []tea.KeyPressMsg{{Code: tea.KeyEscape}, {Code: k.Code, ShiftedCode: k.ShiftedCode, Mod: shift, Text: string(cmp.Or(k.ShiftedCode, k.Code))}}
}

// pressed carries out a key press.
func (m *model) pressed(msg tea.KeyPressMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, k := range m.keysOf(msg) {
		cmds = append(cmds, m.key(k))
	}
	return tea.Batch(append(cmds, m.visit(m.ctx.Live.Past))...) // the past may have waited for the line
}
