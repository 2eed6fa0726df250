package ui

import (
	"cmp"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// lineKeys are the keys that edit a text with alt.
const lineKeys = "bcdflu"

// keysOf returns the keys of a key press. Most terminals send alt and a letter as escape and the
// letter, so that these two keys, typed fast, look the same: where alt and the letter are not
// bound, they are taken for two keys.
func (m *model) keysOf(k tea.KeyPressMsg) []tea.KeyPressMsg {
	shift := k.Mod & tea.ModShift
	if k.Mod != tea.ModAlt|shift || !unicode.IsPrint(k.Code) || m.tellsKeys || m.Typing || m.TypesAhead() {
		return []tea.KeyPressMsg{k}
	}
	edits := m.Dialog != nil || m.Commanding || m.Filtering != nil
	if _, bound := m.Keys.Find(k.String()); edits && shift == 0 && strings.ContainsRune(lineKeys, k.Code) || !edits && bound {
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
	return tea.Batch(append(cmds, m.visit(m.Ctx.Live.Past))...) // the past may have waited for the line
}
