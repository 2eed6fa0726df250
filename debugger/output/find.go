package output

import "strings"

// Find returns the completed rows that hold a text, in upper or lower case, of those
// that are kept: from a line on, counted from 0 over all that were printed, and at most
// the newest so many. next is the line to go on from.
func (b *Buffer) Find(text string, from int64, most int) (rows []string, next int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	want := strings.ToLower(text)
	kept := 0
	for _, c := range b.tail {
		kept += len(c.ends)
	}
	look := func(c *chunk, first int64) {
		for i := max(int(from-first), 0); i < len(c.ends); i++ {
			if row := c.row(i); strings.Contains(strings.ToLower(row), want) {
				rows = append(rows, row)
			}
		}
	}
	look(&b.head, 0)
	first := b.rows - int64(kept)
	for _, c := range b.tail {
		look(c, first)
		first += int64(len(c.ends))
	}
	return rows[max(len(rows)-most, 0):], b.rows
}
