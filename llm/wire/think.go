package wire

import (
	"strings"
	"unicode"
)

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
	maxHeld    = 256 // bytes of white space before a tag
)

// ThinkFilter takes thinking out of the text of models whose template the server
// does not know: <think>…</think> at the very beginning.
type ThinkFilter struct {
	state int // 0 undecided, 1 thinking, 2 text
	held  string
}

// Split returns the part of a piece that is text, and the size of the thinking.
func (t *ThinkFilter) Split(piece string) (text string, thought int) {
	if t.state == 2 {
		return piece, 0
	}
	t.held += piece
	if t.state == 0 {
		start := strings.TrimLeftFunc(t.held, unicode.IsSpace)
		switch {
		case strings.HasPrefix(start, thinkOpen):
			t.state, t.held = 1, start[len(thinkOpen):]
		case strings.HasPrefix(thinkOpen, start) && len(t.held) < maxHeld:
			return "", 0 // may still become the tag
		default:
			t.state, text, t.held = 2, t.held, ""
			return text, 0
		}
	}
	if i := strings.Index(t.held, thinkClose); i >= 0 {
		text = strings.TrimLeftFunc(t.held[i+len(thinkClose):], unicode.IsSpace)
		t.state, t.held = 2, ""
		return text, i
	}
	keep := max(0, len(t.held)-len(thinkClose)+1) // the closing tag may come in pieces
	t.held = t.held[keep:]
	return "", keep
}

// Rest returns what was held back when the stream ended.
func (t *ThinkFilter) Rest() string {
	if t.state != 0 {
		return ""
	}
	return t.held
}
