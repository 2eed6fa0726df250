package output

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Bounds of what the splitter keeps and lets through.
const (
	maxSequence = 64   // bytes of a control sequence
	maxString   = 4096 // bytes of a command string (OSC and others) until it is skipped
	maxDigits   = 4    // of a parameter
)

const esc = 0x1b

// splitter cuts what a program prints into text and control sequences, across
// writes. Sequences that are too long, or whose parameters are, are dropped.
type splitter struct {
	pending  []byte // the beginning of a sequence or a character
	skipping bool   // within a command string that is too long
}

// split calls each with the pieces in order: text that is valid UTF-8 and holds
// no escape character, or one sequence.
func (s *splitter) split(p []byte, each func(piece []byte)) {
	data := p
	if len(s.pending) > 0 {
		data = append(s.pending, p...)
		s.pending = nil
	}
	for len(data) > 0 {
		if s.skipping {
			i := bytes.IndexAny(data, "\a\x1b")
			if i < 0 {
				return
			}
			s.skipping = false
			if data = data[i:]; data[0] == '\a' {
				data = data[1:]
			}
			continue
		}
		if data[0] != esc {
			n := bytes.IndexByte(data, esc)
			if n < 0 {
				n = len(data) - openRune(data)
			}
			if n > 0 {
				each(bytes.ToValidUTF8(data[:n], []byte("?")))
			}
			if data = data[n:]; len(data) > 0 && data[0] != esc {
				s.pending = slices.Clone(data)
				return
			}
			continue
		}
		n, whole := sequence(data)
		if n == 0 {
			if len(data) > maxString {
				s.skipping = true
				return
			}
			s.pending = slices.Clone(data)
			return
		}
		if whole {
			each(data[:n])
		}
		data = data[n:]
	}
}

// openRune is how many bytes at the end begin a character that is not complete.
func openRune(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if b := p[len(p)-n]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// sequence is the length of the sequence that p begins with, 0 while it is not
// complete, and whether it is well formed.
func sequence(p []byte) (n int, whole bool) {
	if len(p) < 2 {
		return 0, false
	}
	switch p[1] {
	case '[':
		return controlSequence(p)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(p); i++ {
			switch {
			case p[i] == '\a':
				return i + 1, true
			case p[i] == esc && i+1 == len(p):
				return 0, false
			case p[i] == esc && p[i+1] == '\\':
				return i + 2, true
			case p[i] == esc:
				return i, false
			}
		}
		return 0, false
	}
	for i := 1; i < len(p); i++ {
		switch c := p[i]; {
		case c < 0x20 || c >= 0x7f || i > 4:
			return i, false
		case c >= 0x30:
			return i + 1, true
		}
	}
	return 0, false
}

func controlSequence(p []byte) (n int, whole bool) {
	digits, good := 0, true
	for i := 2; i < len(p); i++ {
		switch c := p[i]; {
		case c < 0x20 || c >= 0x7f || i > maxSequence:
			return i, false
		case c >= 0x40:
			return i + 1, good
		case c >= '0' && c <= '9':
			if digits++; digits > maxDigits {
				good = false
			}
		default:
			digits = 0
		}
	}
	return 0, false
}

// switchesScreen reports whether a sequence turns the alternate screen on or off.
func switchesScreen(seq []byte) (on, off bool) {
	body, found := bytes.CutPrefix(seq, []byte("\x1b[?"))
	if !found {
		return false, false
	}
	final := body[len(body)-1]
	for p := range bytes.SplitSeq(body[:len(body)-1], []byte(";")) {
		switch string(p) {
		case "47", "1047", "1049":
			return final == 'h', final == 'l'
		}
	}
	return false, false
}

// asks reports whether a sequence is a question to the terminal.
func asks(seq []byte) bool {
	if seq[1] == ']' {
		return bytes.Contains(seq, []byte(";?"))
	}
	return seq[1] == '[' && bytes.IndexByte([]byte("cnp"), seq[len(seq)-1]) >= 0
}

// addresses reports whether a sequence moves the cursor to another line, or clears
// the screen.
func addresses(seq []byte) bool {
	return seq[1] == '[' && bytes.IndexByte([]byte("AHfJ"), seq[len(seq)-1]) >= 0
}

// bounded is a sequence that repeats a character (REP), or goes from tab to tab, no more
// often than a row has columns; empty for one that does not say how often by a number.
func bounded(seq []byte, cols int) []byte {
	count, final := seq[2:max(len(seq)-1, 2)], seq[len(seq)-1]
	if seq[1] != '[' || bytes.IndexByte([]byte("bIZ"), final) < 0 || len(count) == 0 {
		return seq
	}
	n, err := strconv.Atoi(string(count))
	switch {
	case err != nil:
		return nil
	case n <= cols:
		return seq
	}
	return fmt.Appendf(nil, "\x1b[%d%c", cols, final)
}

// passes reports whether the emulator gets a sequence: of command strings only
// questions for colors.
func passes(seq []byte) bool {
	switch seq[1] {
	case 'P', 'X', '^', '_':
		return false
	case ']':
		return len(seq) <= maxSequence && asks(seq)
	}
	return true
}
