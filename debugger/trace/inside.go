package trace

import "strings"

// A library that catches a panic and raises it again puts the stack of the first
// place into its text. The runtime indents that; the goroutine that died follows.

// maxInside bounds the lines of a stack in a message.
const maxInside = 400

// beginsInside opens a block at a header that is in the message of a panic: it is
// indented, as are all lines since "panic: ", which is not.
func (s *scanner) beginsInside(text string, at int) bool {
	before, ok := strings.CutSuffix(text[:at], "\t")
	if !ok {
		return false
	}
	p := prefixBefore(before)
	for i := len(s.before) - 1; i >= max(0, len(s.before)-maxBefore); i-- {
		line := p.strip(s.before[i].text)
		if strings.HasPrefix(line, "panic: ") {
			s.start(p)
			s.insideGoesOn(p.strip(text))
			return true
		}
		if !strings.HasPrefix(line, "\t") && strings.TrimSpace(line) != "" {
			return false
		}
	}
	return false
}

// insideGoesOn takes a line of the message, or the header of the goroutine below it.
func (s *scanner) insideGoesOn(line string) bool {
	s.inside++
	at, number, state := headerOf(line)
	switch {
	case at == 0:
		s.inside = 0
		s.keep("")
		s.header(number, state)
	case s.inside > maxInside:
		return false
	case strings.TrimSpace(line) == "":
		s.keep("\t")
	case strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "[signal "):
		s.keep(line)
	default:
		return false
	}
	return true
}

// leaveInside makes the trace of what looked like a message: below it was no
// goroutine, so the program has indented all of it.
func (s *scanner) leaveInside() {
	if s.inside == 0 {
		return
	}
	for i, line := range s.block {
		s.block[i] = strings.TrimPrefix(line, "\t")
		if isHeader(s.block[i]) {
			s.heads++
		}
	}
	s.inside = 0
}
