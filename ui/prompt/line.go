// Package prompt has the one-line editor, and the command line made with it: history and
// completion. It must not carry a line out or read the target: it returns what was
// entered, and completion is a source that its user gives.
package prompt

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/text"
)

// maxLine bounds what can be typed, in runes.
const maxLine = 4096

// Line is a line being edited.
type Line struct {
	runes  []rune
	pos    int
	chosen int // runes before the cursor that what is typed next replaces
}

// Text is what was typed.
func (l *Line) Text() string { return string(l.runes) }

// Set replaces the text and puts the cursor at its end.
func (l *Line) Set(s string) {
	l.runes = []rune(text.Line(s))
	l.pos, l.chosen = len(l.runes), 0
}

// SetChosen replaces the text by two: what is typed next takes the place of the second.
func (l *Line) SetChosen(s, chosen string) {
	l.Set(s + chosen)
	l.chosen = len([]rune(text.Line(chosen)))
}

// Chosen is what is typed next takes the place of; empty for nothing.
func (l *Line) Chosen() string { return string(l.runes[l.pos-l.chosen : l.pos]) }

// Head is the text before the cursor.
func (l *Line) Head() string { return string(l.runes[:l.pos]) }

// ReplaceHead replaces the text before the cursor.
func (l *Line) ReplaceHead(s string) {
	head := []rune(s)
	l.runes = append(head, l.runes[l.pos:]...)
	l.pos, l.chosen = len(head), 0
}

// Insert puts text at the cursor, as far as there is room.
func (l *Line) Insert(s string) {
	l.remove(l.pos-l.chosen, l.pos)
	add := []rune(strings.ReplaceAll(text.Clean(s), "\n", " "))
	if room := maxLine - len(l.runes); len(add) > room {
		add = add[:max(room, 0)]
	}
	rest := append([]rune(nil), l.runes[l.pos:]...)
	l.runes = append(append(l.runes[:l.pos:l.pos], add...), rest...)
	l.pos += len(add)
}

// Key edits the line; false when the key is no editing key.
func (l *Line) Key(k tea.KeyPressMsg) bool {
	if chosen := l.chosen; chosen > 0 && k.Text == "" {
		l.chosen = 0
		switch k.String() {
		case "backspace", "ctrl+h", "delete":
			l.remove(l.pos-chosen, l.pos)
			return true
		}
	}
	switch k.String() {
	case "left", "ctrl+b":
		l.pos = max(l.pos-1, 0)
	case "right", "ctrl+f":
		l.pos = min(l.pos+1, len(l.runes))
	case "home", "ctrl+a":
		l.pos = 0
	case "end", "ctrl+e":
		l.pos = len(l.runes)
	case "backspace", "ctrl+h":
		l.remove(l.pos-1, l.pos)
	case "delete":
		l.remove(l.pos, l.pos+1)
	case "ctrl+u":
		l.remove(0, l.pos)
	case "ctrl+k":
		l.remove(l.pos, len(l.runes))
	case "ctrl+w", "alt+backspace":
		l.remove(l.wordStart(), l.pos)
	case "ctrl+left", "alt+b":
		l.pos = l.wordStart()
	default:
		if k.Text == "" {
			return false
		}
		l.Insert(k.Text)
	}
	return true
}

func (l *Line) remove(from, to int) {
	from, to = max(from, 0), min(to, len(l.runes))
	if from >= to {
		return
	}
	l.runes = append(l.runes[:from], l.runes[to:]...)
	l.pos, l.chosen = from, 0
}

func (l *Line) wordStart() int {
	i := l.pos
	for i > 0 && unicode.IsSpace(l.runes[i-1]) {
		i--
	}
	for i > 0 && !unicode.IsSpace(l.runes[i-1]) {
		i--
	}
	return i
}

// View is the part of the line around the cursor that fits in w cells, and the
// cell of the cursor in it.
func (l *Line) View(w int) (line string, cursor int) {
	head := string(l.runes[:l.pos])
	if text.Width(head) >= w {
		head = text.CutLeft(head, w-1)
	}
	cursor = text.Width(head)
	return text.Cut(head+string(l.runes[l.pos:]), w), cursor
}
