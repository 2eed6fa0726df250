package common

import (
	"github.com/pausetui/pausetui/ui/pane"
)

// Panes are all panes, by name and by number.
type Panes struct {
	Source     *pane.Source
	Stack      *pane.Stack
	Locals     *pane.Locals
	Goroutines *pane.Goroutines
	Output     *pane.Output
	Fixes      *pane.Fixes
	Log        *pane.Log
	Why        *pane.Why
	Review     *pane.Review
	Broken     *pane.Broken
}

// NewPanes returns panes that show nothing yet.
func NewPanes() Panes {
	return Panes{pane.NewSource(), pane.NewStack(), pane.NewLocals(), pane.NewGoroutines(), pane.NewOutput(),
		pane.NewFixes(), pane.NewLog(), pane.NewWhy(), pane.NewReview(), pane.NewBroken()}
}

// At returns the pane of a number.
func (p *Panes) At(n int) pane.Pane {
	return []pane.Pane{p.Source, p.Source, p.Stack, p.Locals, p.Goroutines, p.Output, p.Fixes, p.Log, p.Why}[n]
}
