package report

import (
	"fmt"
	"strconv"
	"strings"
)

// took are the figures of a column that are no shares: what its cells took, and
// how large the edits are. Times are medians; edits are relative to the reference.
var took = []struct {
	key     string // in CSV; those of times end with _ms
	words   string // with a verb for the figure; empty where others say it
	figure  func(Column) (float64, bool)
	timeful bool
}{
	{"requests", "", func(c Column) (float64, bool) { return each(c, c.Requests) }, false},
	{"rounds", "%.1f rounds a cell", func(c Column) (float64, bool) { return each(c, c.Rounds) }, false},
	{"lookups", "%.1f lookups a cell", func(c Column) (float64, bool) { return each(c, c.Lookups) }, false},
	{"edit_percent", "edits of %.0f %% of the reference", func(c Column) (float64, bool) { return middle(c.edits) }, false},
	{"first_token_ms", "first token after %s", func(c Column) (float64, bool) { return middle(c.firstToken) }, true},
	{"answering_ms", "answered in %s", func(c Column) (float64, bool) { return middle(c.answering) }, true},
	{"verified_ms", "verified after %s", func(c Column) (float64, bool) { return middle(c.verifying) }, true},
	{"total_ms", "%s a cell", func(c Column) (float64, bool) { return middle(c.total) }, true},
}

// each is the mean of a cell with a result.
func each(c Column, sum int64) (float64, bool) {
	if c.Done == 0 || sum == 0 {
		return 0, false
	}
	return float64(sum) / float64(c.Done), true
}

func middle(list []int32) (float64, bool) {
	m, ok := median(list)
	return float64(m), ok
}

// Took says in words what a column's cells took.
func (s *Summary) Took(column int, v View) string {
	c := s.Columns[column]
	var parts []string
	if c.PromptTokens+c.Tokens > 0 {
		parts = append(parts, tokens(c)+" tokens")
	}
	if c.Cost > 0 {
		parts = append(parts, fmt.Sprintf("cost %.2f", float64(c.Cost)/1e6))
	}
	for _, f := range took {
		n, ok := f.figure(c)
		switch {
		case !ok || f.words == "" || f.timeful && (!v.Times || n == 0):
		case f.timeful:
			parts = append(parts, fmt.Sprintf(f.words, milliseconds(int32(n))))
		default:
			parts = append(parts, fmt.Sprintf(f.words, n))
		}
	}
	return strings.Join(parts, ", ")
}

// tookFields are the figures for CSV; empty where there are none.
func (c Column) tookFields(times bool) []string {
	var row []string
	for _, f := range took {
		n, ok := f.figure(c)
		if !ok || f.timeful && !times {
			row = append(row, "")
			continue
		}
		row = append(row, strconv.FormatFloat(n, 'f', -1, 64))
	}
	return row
}
