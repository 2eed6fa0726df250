package syntax

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Break is the cell at which a row ends that shows a line from a cell on, in at most
// room cells: where a word ends in the last half of the row, else between graphemes;
// but not between brackets ("map[string][" and "]int"), which are read as one.
func Break(line string, from, room int) int {
	column, word, depth, bracket := 0, from, 0, from
	for g := graphemes.FromString(line); g.Next(); {
		w := ansi.StringWidth(g.Value())
		if column+w-from > room && column > from {
			switch {
			case word > from+room/2:
				return word
			case depth > 0 && bracket > from:
				return bracket
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
	}
	return max(column, from)
}
