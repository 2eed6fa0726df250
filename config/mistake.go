package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/editdistance"
)

// Mistake is one thing that is wrong in a configuration file.
type Mistake struct {
	File string
	Line int
	Key  string // "profiles.big.model"
	Text string
	Near string // the nearest valid value; empty when there is none

	number bool // Near stands without quotes in the file
}

// Error returns "file:line: key: text".
func (m Mistake) Error() string {
	text := m.Text
	if m.Key != "" && !strings.Contains(text, `"`+m.Key+`"`) {
		text = m.Key + ": " + text
	}
	if m.Line == 0 {
		return fmt.Sprintf("%s: %s", m.File, text)
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, text)
}

func (m Mistake) hint() string {
	switch {
	case m.Near == "":
		return ""
	case m.number:
		return fmt.Sprintf("did you mean %s?", m.Near)
	}
	return fmt.Sprintf("did you mean %q?", m.Near)
}

// Mistakes are all that is wrong, in the order of the file.
type Mistakes []Mistake

// Error returns a line for each.
func (all Mistakes) Error() string {
	var lines []string
	for _, m := range all {
		line := m.Error()
		if hint := m.hint(); hint != "" && len(all) > 1 {
			line += " (" + hint + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes the hint of a single mistake available.
func (all Mistakes) Unwrap() error {
	if len(all) != 1 || all[0].hint() == "" {
		return nil
	}
	return advice.Add(all[0], all[0].hint())
}

// orNil is no error where nothing is wrong, and else all in the order of the
// files.
func (all Mistakes) orNil() error {
	if len(all) == 0 {
		return nil
	}
	files := map[string]int{}
	for _, m := range all {
		if _, ok := files[m.File]; !ok {
			files[m.File] = len(files)
		}
	}
	slices.SortStableFunc(all, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// Nearest is the name that takes the fewest edits to get from name, the first
// of the sorted where several do; empty when all are too far to be meant.
func Nearest(name string, names []string) string {
	best, least := "", max(len(name), 4)
	for _, n := range slices.Sorted(slices.Values(names)) {
		d := editdistance.Distance(strings.ToLower(name), strings.ToLower(n))
		if strings.HasPrefix(n, name) || strings.HasPrefix(name, n) {
			d = min(d, 2)
		}
		if d < least {
			best, least = n, d
		}
	}
	return best
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
