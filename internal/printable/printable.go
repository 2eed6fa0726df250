// Package printable removes what could steer the terminal from text of a target, a model,
// a repository or a server. Everything that is printed passes one of its functions; they
// share one rule, Hidden. It knows nothing of what is printed.
package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Hidden reports whether a character must not reach a terminal: controls, C0 and
// C1, and what is not seen there but reorders, joins or hides what is around
// it (CVE-2021-42574): bidirectional, zero-width and tag characters, line and
// paragraph separators, fillers. Newline and tab are hidden, too: the callers
// decide.
func Hidden(r rune) bool {
	switch {
	case r < 0x20 || r == 0x7f:
		return true
	case r < 0x7f:
		return false
	case r == 0xFE0E || r == 0xFE0F: // text or emoji: what they follow is seen
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, tags) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// tags is the block of tag characters, also those not assigned.
var tags = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}}}

// Joins reports whether a character only changes the emoji before it: the joiner, the
// emoji presentation, the tones of skin. Terminals differ in how many cells the two take;
// without it they agree.
func Joins(r rune) bool {
	return r == 0x200D || r == 0xFE0F || r >= 0x1F3FB && r <= 0x1F3FF
}

// Text strips control sequences and what is Hidden from text of several lines:
// newlines and tabs stay. Invalid bytes become U+FFFD. A sequence ends with its
// line, so that an open one hides nothing below it.
func Text(s string) string {
	if plain(s) {
		return s
	}
	if strings.IndexByte(s, 0x1b) >= 0 {
		lines := strings.SplitAfter(s, "\n")
		for i, l := range lines {
			if body, newline := strings.CutSuffix(l, "\n"); newline {
				lines[i] = ansi.Strip(body) + "\n"
			} else {
				lines[i] = ansi.Strip(l)
			}
		}
		s = strings.Join(lines, "")
	}
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && Hidden(r) {
			return -1
		}
		return r
	}, s)
}

// Line is Text folded into one line: white space becomes single blanks.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

// Folded is Text in one line that keeps the blanks within its lines: those of a value are part
// of it.
func Folded(s string) string {
	s = Text(s)
	if !strings.ContainsAny(s, "\n\t") {
		return strings.Trim(s, " ")
	}
	var words []string
	for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\t' }) {
		if line = strings.Trim(line, " "); line != "" {
			words = append(words, line)
		}
	}
	return strings.Join(words, " ")
}

// Screen drops what is Hidden from lines that are drawn, but for newlines and
// for the sequences of a style (SGR), which are ours by then: text in them has
// passed Text.
func Screen(s string) string {
	if !suspect(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for len(s) > 0 {
		if n := style(s); n > 0 {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		if r == '\n' || !Hidden(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// suspect reports whether Screen has anything to do.
func suspect(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == 0x1b:
			n := style(s[i:])
			if n == 0 {
				return true
			}
			i += n
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 || Hidden(r) {
				return true
			}
			i += n
		case c < 0x20 && c != '\n' || c == 0x7f:
			return true
		default:
			i++
		}
	}
	return false
}

// style is the length of the style sequence that s begins with; 0 for none.
func style(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && c != ':' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// plain reports whether s is printable ASCII, newlines and tabs.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\n' && c != '\t' && (c < 0x20 || c > 0x7e) {
			return false
		}
	}
	return true
}
