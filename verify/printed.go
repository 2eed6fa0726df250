package verify

import (
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
)

// changesBefore reports whether what the program prints before the site may well be
// what the candidate is about: it changes code that runs before the site is
// reached, in another function or above it.
func (a *patched) changesBefore(s subject.Site) bool {
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || a.v.Subject.Workspace.Abs(e.File) != s.File {
			return true
		}
		first, last := functionLines(e.Before, s.Line)
		for _, h := range patch.Hunks(e) {
			at := h.OldStart - 1 // the line before, for what is added
			for _, l := range h.Lines {
				if l.Op != patch.Add {
					at = l.Old
				}
				if l.Op != patch.Same && (at < first || at > last || at < s.Line) {
					return true
				}
			}
		}
	}
	return false
}

// functionLines are the first and the last line of the function at a line; 0
// where there is none.
func functionLines(source string, line int) (first, last int) {
	f := syntax.Parse(source)
	if f == nil || f.At(line) == nil {
		return 0, 0
	}
	fn := f.At(line)
	return f.Line(fn.Pos()), f.Line(fn.End())
}
