package syntax

import "sync"

// cached is the number of sources a Cache remembers: the two sides of a few
// edits.
const cached = 16

// Cache remembers the lines of the sources it saw last, so that drawing the
// same file again costs nothing. The zero value is ready, and safe for
// concurrent use.
type Cache struct {
	mu      sync.Mutex
	entries []entry // the latest last
}

type entry struct {
	source string
	lines  [][]Span
}

// Lines returns Lines(source). The result is shared: callers must not change it.
func (c *Cache) Lines(source string) [][]Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, e := range c.entries {
		if e.source == source {
			c.entries = append(append(c.entries[:i:i], c.entries[i+1:]...), e)
			return e.lines
		}
	}
	e := entry{source, Lines(source)}
	if len(c.entries) >= cached {
		c.entries = c.entries[1:]
	}
	c.entries = append(c.entries, e)
	return e.lines
}
