package inspect

import (
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/ui/syntax"
)

// Found is a place in a source where a text is.
type Found struct {
	Line  int
	Cell  int // where it is drawn, from 0
	Width int
}

// maxFound bounds how many places are kept.
const maxFound = 100_000

// Find lists where a text is, without regard to case unless the text has
// capitals. Text in two lines is not found.
func (s *Source) Find(text string) []Found {
	if text == "" || s.Err != "" {
		return nil
	}
	fold := !strings.ContainsFunc(text, unicode.IsUpper)
	var out []Found
	for i := range s.Lines {
		line := s.Plain(i + 1)
		searched := line
		if fold {
			searched = strings.ToLower(line)
			if len(searched) != len(line) { // folding has moved the bytes
				line = searched
			}
		}
		for from := 0; len(out) < maxFound; {
			at := strings.Index(searched[from:], text)
			if at < 0 {
				break
			}
			at += from
			from = at + len(text)
			out = append(out, Found{i + 1, cells(line[:at]), cells(line[at:from])})
		}
	}
	return out
}

func cells(s string) int { return syntax.Width([]syntax.Span{{Text: s}}) }
