package main

// History keeps the last lines that were added to it, up to its size.
type History struct {
	size  int
	lines []string // the oldest first
}

// NewHistory returns an empty history for size lines, at least one.
func NewHistory(size int) *History {
	size = max(size, 1)
	return &History{size: size, lines: make([]string, 0, size)}
}

// Add keeps a line, and forgets the oldest one when the history is full.
func (h *History) Add(line string) {
	if len(h.lines) == h.size {
		copy(h.lines, h.lines[1:])
		h.lines[h.size-1] = line
		return
	}
	h.lines = append(h.lines, line)
}

// Last returns the latest n lines that are kept, the oldest of them first.
// They may change with the next Add.
func (h *History) Last(n int) []string {
	return h.lines[len(h.lines)-n:]
}
