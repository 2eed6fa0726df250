package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Break is the cell at which a row ends that shows a line from a cell on, in at most
// room cells: where a word ends in the last half of the row, else where a name does, but
// not between brackets ("map[string][" and "]int"), which are read as one. A name is
// broken only where it is wider than the row.
func Break(line string, from, room int) int {
	column, word, name, depth, bracket := 0, from, from, 0, from
	for g := graphemes.FromString(line); g.Next(); {
		w := ansi.StringWidth(g.Value())
		if column+w-from > room && column > from {
			switch {
			case word > from+room/2:
				return word
			case depth > 0 && bracket > from:
				return bracket
			case name > from+1:
				return name
			}
			return column
		}
		start := column
		if column += w; start < from {
			continue
		}
		switch {
		case g.Value() == "[":
			if depth++; depth == 1 {
				bracket = start
			}
		case g.Value() == "]" && depth > 0:
			depth--
		case depth == 0 && strings.ContainsAny(g.Value(), " ,;(){}"):
			word = column
		}
		// Between wide characters text is broken anywhere.
		if blank := strings.TrimLeft(g.Value(), " ") == ""; (w > 1 || !inName(g.Value())) && (!blank || name > from) {
			name = column
		}
	}
	return max(column, from)
}

// inName reports whether a character can be part of a name.
func inName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
