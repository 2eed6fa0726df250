package inspect

import "github.com/pausetui/pausetui/debugger"

// Add takes in goroutines that were read elsewhere; more reports whether there
// are others.
func (g *Goroutines) Add(list []debugger.Goroutine, more bool) {
	g.keep(goroutinesResult{start: len(g.All), list: list, more: more})
}

// NewGoroutines returns a set without any.
func NewGoroutines() *Goroutines {
	g := newGoroutines()
	return &g
}
