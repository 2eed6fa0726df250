package patch

import (
	"cmp"
	"slices"
	"strings"
)

// Identity names the change that a candidate makes, so that equal changes
// of two proposers are recognized: the new contents of its files as gofmt writes
// them, whatever was said about them.
func Identity(c Candidate) string {
	edits := slices.Clone(c.Edits)
	slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.File, b.File) })
	var b strings.Builder
	for _, e := range edits {
		after := e.After
		if strings.HasSuffix(e.File, ".go") {
			if text, err := Gofmt(after); err == nil {
				after = text
			}
		}
		b.WriteString(e.File + "\x00" + Hash(after) + "\x00")
	}
	return b.String()
}
