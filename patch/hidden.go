package patch

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Hidden is a character of a text that are invisible in print: a control
// character, or one that has no width, reorders what stands around it, or
// belongs to no script ("Trojan Source", CVE-2021-42574).
type Hidden struct {
	Line, Column int // from 1; the column in bytes
	Rune         rune
}

// String names the character and what it does.
func (h Hidden) String() string {
	what := "which has no width"
	switch {
	case unicode.IsControl(h.Rune):
		what = "a control character"
	case unicode.Is(unicode.Bidi_Control, h.Rune):
		what = "which reorders the text around it"
	case h.Rune >= 0xE0000 && h.Rune <= 0xE007F:
		what = "a tag character"
	case unicode.Is(unicode.Variation_Selector, h.Rune):
		what = "a variation selector"
	}
	return fmt.Sprintf("U+%04X, %s", h.Rune, what)
}

// HiddenIn finds the hidden characters on those lines of after that before does
// not have as well.
func HiddenIn(before, after string) []Hidden {
	had := map[string]bool{}
	for line := range strings.Lines(before) {
		had[line] = true
	}
	var found []Hidden
	number := 0
	for line := range strings.Lines(after) {
		number++
		if had[line] {
			continue
		}
		eachHidden(line, func(at int, r rune) { found = append(found, Hidden{Line: number, Column: at + 1, Rune: r}) })
	}
	return found
}

// Visible writes hidden characters out, as ‹U+202E›; all others stay.
func Visible(text string) string {
	var b strings.Builder
	from := 0
	eachHidden(text, func(at int, r rune) {
		b.WriteString(text[from:at])
		b.WriteString(Shown(r))
		from = at + utf8.RuneLen(r)
	})
	if from == 0 {
		return text
	}
	return b.String() + text[from:]
}

// Shown is how a hidden character is written out.
func Shown(r rune) string { return fmt.Sprintf("‹U+%04X›", r) }

// eachHidden finds the hidden characters of a text, by their byte offsets.
func eachHidden(text string, found func(at int, r rune)) {
	before := rune(0)
	for at, r := range text {
		if r >= ' ' && r < 0x7f || r == '\n' || r == '\t' {
			before = r
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[min(at+utf8.RuneLen(max(r, 0)), len(text)):])
		if isHidden(r) && !joins(before, r, next) {
			found(at, r)
		}
		before = r
	}
}

func isHidden(r rune) bool {
	switch {
	case r == utf8.RuneError:
		return false // seen as such
	case unicode.IsControl(r), unicode.In(r, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return true
	case r == 0x2800: // braille without a dot
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// joins reports whether a hidden character has its ordinary place: the carriage
// return of a line's end, and what makes one emoji of several.
func joins(before, r, next rune) bool {
	symbol := func(r rune) bool { return unicode.Is(unicode.So, r) || r >= 0x1F3FB && r <= 0x1F3FF }
	const text, emoji, keycap = 0xFE0E, 0xFE0F, 0x20E3
	switch r {
	case '\r':
		return next == '\n'
	case text, emoji:
		return symbol(before) || next == keycap
	case 0x200D: // zero width joiner
		return (symbol(before) || before == emoji) && symbol(next)
	}
	return false
}
