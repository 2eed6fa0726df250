package prompt

import (
	"slices"
	"strings"
)

// MaxHistory bounds the lines that are remembered.
const MaxHistory = 1000

// History is the lines that were carried out, the newest last.
type History struct {
	lines []string
}

// Set replaces the lines.
func (h *History) Set(lines []string) { h.lines = lines[max(len(lines)-MaxHistory, 0):] }

// Add remembers a line; false for one that is not to be: an empty one, the last
// one again, or one that begins with a space.
func (h *History) Add(line string) bool {
	if strings.TrimSpace(line) == "" || line[0] == ' ' || len(h.lines) > 0 && h.lines[len(h.lines)-1] == line {
		return false
	}
	h.Set(append(slices.Clip(h.lines), line))
	return true
}

// Len is how many lines there are.
func (h *History) Len() int { return len(h.lines) }

// At is a line, counted from the oldest.
func (h *History) At(i int) string { return h.lines[i] }

// Before finds the newest line before a number that holds a text; -1 without
// one. Lower case finds upper case too.
func (h *History) Before(i int, text string) int {
	folded := strings.ToLower(text) == text
	for i--; i >= 0; i-- {
		line := h.lines[i]
		if folded {
			line = strings.ToLower(line)
		}
		if strings.Contains(line, text) {
			return i
		}
	}
	return -1
}
