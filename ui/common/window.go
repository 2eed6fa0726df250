package common

import "github.com/pausetui/pausetui/ui/layout"

// Window is where everything is on the terminal.
type Window struct {
	Width, Height int
	Lay           layout.Layout
	Rows          [layout.Count + 1]int // that the layout was made for
	Focus         int
	Shape         Shape
	Reviewing     bool // a candidate is open; its hunks left out are Ctx.Draft
}

// SetFocus gives a pane the focus, by its number.
func (w *Window) SetFocus(n int) { w.Focus = n }

// inner is the room within a pane: only larger layouts have borders.
func (w *Window) inner(r layout.Rect) layout.Rect {
	if r.Empty() {
		return layout.Rect{}
	}
	if !w.Lay.Boxed {
		return layout.Rect{X: r.X + 1, Y: r.Y, W: max(r.W-2, 0), H: r.H}
	}
	in := r.Inner()
	return layout.Rect{X: in.X + 1, Y: in.Y, W: max(in.W-2, 0), H: in.H}
}

// PaneInner is the room within a pane by its number. Source is right at its
// border: its first columns are marks.
func (w *Window) PaneInner(n int) layout.Rect {
	r := w.Lay.Panes[n]
	if w.Lay.Whole {
		return r
	}
	if n == layout.Source && w.Lay.Boxed && !r.Empty() {
		return r.Inner()
	}
	return w.inner(r)
}

// Preview is the pane in whose place the candidate under the cursor is shown, while
// the person looks through the fixes.
func (w *Window) Preview() (pane int, ok bool) {
	if w.Reviewing || w.Focus != layout.Fixes || w.Lay.Panes[layout.Fixes].Empty() {
		return 0, false
	}
	for _, n := range []int{layout.Source, layout.Output, layout.Log} {
		if !w.Lay.Panes[n].Empty() {
			return n, true
		}
	}
	return 0, false
}

// ReviewInner is the room of the open candidate: below its title where there
// is no border.
func (w *Window) ReviewInner() layout.Rect {
	in := w.inner(w.Lay.Review)
	if n, ok := w.Preview(); ok {
		in = w.inner(w.Lay.Panes[n])
	}
	if !w.Lay.Boxed && in.H > 0 {
		in.Y, in.H = in.Y+1, in.H-1
	}
	return in
}

// Shape is what the person has made of the layout, and is making of it now.
type Shape struct {
	layout.Shape
	Zoom bool
	Drag *Dragging // a border that the mouse holds; nil without one
}

// Resized is the pane that the keys make larger: the open candidate is where
// the source does.
func (w *Window) Resized() int {
	if w.Reviewing {
		return layout.Source
	}
	return w.Focus
}

// Dragging is a border under the mouse.
type Dragging struct {
	Divider layout.Divider
	X, Y    int          // where it was taken
	Before  layout.Shape // when it was taken
}
