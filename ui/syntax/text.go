package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
)

// TabWidth is the number of cells from one tab stop to the next.
const TabWidth = 4

// Expand returns a line of source as Lines shows it: tabs as spaces up to the
// next stop, characters that cannot be seen written out, no invalid bytes, emoji apart
// that are joined, at most 16 KiB. It also returns where the given byte offsets of the
// line, which must ascend, are in the result: at the start of the grapheme that
// holds them.
func Expand(line string, offsets ...int) (text string, at []int) {
	at = make([]int, len(offsets))
	if clean(line) {
		for i, o := range offsets {
			at[i] = min(max(o, 0), len(line))
		}
		return line, at
	}
	text = expand(line, offsets, at)
	if len(at) > 0 && !ascii(text) {
		snap(text, at)
	}
	return text, at
}

// snap moves ascending offsets to the starts of the graphemes that hold them.
func snap(text string, at []int) {
	start, i := 0, 0
	for g := graphemes.FromString(text); g.Next(); {
		end := start + len(g.Value())
		for ; i < len(at) && at[i] < end; i++ {
			at[i] = start
		}
		start = end
	}
}

// expand does the work of Expand for a line that is not clean, writing the
// places of the offsets into at.
func expand(line string, offsets, at []int) string {
	var b strings.Builder
	next, from, column := 0, 0, 0 // from: where the text after the last tab begins
	hidden := unseen(line)
	for i, r := range line {
		for ; next < len(offsets) && offsets[next] <= i; next++ {
			at[next] = b.Len()
		}
		switch {
		case b.Len() > maxLine:
			b.WriteString("…")
			for ; next < len(offsets); next++ {
				at[next] = b.Len()
			}
			return b.String()
		case r == '\t':
			column += ansi.StringWidth(b.String()[from:])
			pad := TabWidth - column%TabWidth
			b.WriteString("    "[:pad])
			column += pad
			from = b.Len()
		case r == '\r' && i == len(line)-1: // of the line's end, and the last of the hidden
		case len(hidden) > 0 && hidden[0].Column == i+1:
			hidden = hidden[1:]
			b.WriteString(patch.Shown(r))
		case printable.Joins(r):
		case r == '\n': // of a name
			b.WriteString(patch.Shown(r))
		default:
			b.WriteRune(r) // invalid bytes come as U+FFFD
		}
	}
	for ; next < len(offsets); next++ {
		at[next] = b.Len()
	}
	return b.String()
}

// clean reports whether a line can be shown as it is.
func clean(line string) bool {
	if len(line) > maxLine {
		return false
	}
	for i := range len(line) {
		if c := line[i]; c < ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// unseen finds the characters of a line that cannot be seen: they are written
// out, for code must not be other than it looks ("Trojan Source",
// CVE-2021-42574).
func unseen(line string) []patch.Hidden {
	line = line[:min(len(line), maxLine+utf8.UTFMax)] // no more is shown
	for i := range len(line) {
		if c := line[i]; c < ' ' && c != '\t' || c >= 0x7f {
			return patch.HiddenIn("", line)
		}
	}
	return nil
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// align moves the borders of spans to those of graphemes, each of which takes
// the kind of its first byte, so that spans are as wide together as alone.
func align(text string, spans []Span) []Span {
	var out []Span
	span, end := 0, 0 // the span that holds the current byte, and its end
	pos := 0
	for g := graphemes.FromString(text); g.Next(); {
		for span < len(spans) && end+len(spans[span].Text) <= pos {
			end += len(spans[span].Text)
			span++
		}
		kind := Plain
		if span < len(spans) {
			kind = spans[span].Kind
		}
		out = push(out, g.Value(), kind)
		pos += len(g.Value())
	}
	return out
}

// Width returns the number of cells that a line takes.
func Width(line []Span) int {
	n := 0
	for _, s := range line {
		n += width(s.Text)
	}
	return n
}

func width(s string) int {
	if ascii(s) {
		return len(s) // spans hold no control characters
	}
	return ansi.StringWidth(s)
}

// Cut returns the part of a line from the cell from on, at most width cells
// wide. Where a wide character straddles a border, the cells of it that are
// within come as spaces, so that everything else keeps its column.
func Cut(line []Span, from, width int) []Span {
	if width <= 0 {
		return nil
	}
	from = max(from, 0)
	var out []Span
	column, end := 0, from+width
	for _, s := range line {
		if column >= end {
			break
		}
		text, wide := cutText(s.Text, from-column, end-column)
		if text != "" {
			out = push(out, text, s.Kind)
		}
		column += wide
	}
	return out
}

// cutText returns what is in the cells from–to of a text, and the width of
// all of it; of a text that goes on past to, only that it does.
func cutText(s string, from, to int) (string, int) {
	from = max(from, 0)
	if ascii(s) {
		return s[min(from, len(s)):min(to, len(s))], len(s)
	}
	var b strings.Builder
	column := 0
	for g := graphemes.FromString(s); column < to && g.Next(); {
		w := 1
		if v := g.Value(); len(v) > 1 {
			w = ansi.StringWidth(v)
		}
		start, end := column, column+w
		column = end
		switch {
		case w == 0 && start >= from && start < to || w > 0 && start >= from && end <= to:
			b.WriteString(g.Value())
		case end > from && start < to:
			b.WriteString(strings.Repeat(" ", min(end, to)-max(start, from)))
		}
	}
	return b.String(), column
}
