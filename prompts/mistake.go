package prompts

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/internal/editdistance"
)

// Mistake is something wrong in a profile's file.
type Mistake struct {
	File string `json:"file"`
	Line int    `json:"line"` // 1-based; 0 for a file that cannot be read
	Key  string `json:"key"`  // of the front matter, "requires.parameters"; empty for the body
	Text string `json:"text"` // what is wrong, and what would be right
}

// Error is "file:line: key: text".
func (m Mistake) Error() string {
	if m.Line == 0 {
		return strings.TrimPrefix(m.File+": "+m.Text, ": ")
	}
	if m.Key == "" {
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
	}
	return fmt.Sprintf("%s:%d: %s: %s", m.File, m.Line, m.Key, m.Text)
}

// Mistakes are all that is wrong with one file; there is at least one.
type Mistakes []Mistake

// Error has a line for each.
func (m Mistakes) Error() string {
	lines := make([]string, len(m))
	for i := range m {
		lines[i] = m[i].Error()
	}
	return strings.Join(lines, "\n")
}

// nearest is the name with the smallest edit distance; one that begins as name
// does is near.
func nearest[S ~string](name string, names []S) S {
	var best S
	least := 1 << 30
	for _, n := range names {
		d := editdistance.Distance(name, string(n))
		if len(name) > 2 && strings.HasPrefix(string(n), name) {
			d = 1
		}
		if d < least {
			best, least = n, d
		}
	}
	return best
}
