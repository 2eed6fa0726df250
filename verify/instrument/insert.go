// Package instrument changes source text so that a run of it can be observed. What it
// puts in stands on lines that exist: no line gets another number.
package instrument

import (
	"slices"
	"strings"
)

// Insert puts texts into a source text, each at its offset.
func Insert(text string, at map[int]string) string {
	offsets := make([]int, 0, len(at))
	for offset := range at {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	var out strings.Builder
	last := 0
	for _, offset := range offsets {
		out.WriteString(text[last:offset])
		out.WriteString(at[offset])
		last = offset
	}
	out.WriteString(text[last:])
	return out.String()
}
