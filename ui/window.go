package ui

import "github.com/pausetui/pausetui/ui/layout"

// window is where everything is on the terminal.
type window struct {
	width, height int
	lay           layout.Layout
	rows          [layout.Count + 1]int // that the layout was made for
	focus         int
	shape         shape
	reviewing     bool // a candidate is open; its hunks left out are ctx.Draft
}

func (w *window) setFocus(n int) { w.focus = n }

// inner is the room within a pane: only larger layouts have borders.
func (w *window) inner(r layout.Rect) layout.Rect {
	if r.Empty() {
		return layout.Rect{}
	}
	if !w.lay.Boxed {
		return layout.Rect{X: r.X + 1, Y: r.Y, W: max(r.W-2, 0), H: r.H}
	}
	in := r.Inner()
	return layout.Rect{X: in.X + 1, Y: in.Y, W: max(in.W-2, 0), H: in.H}
}

// paneInner is the room within a pane by its number. Source is right at its
// border: its first columns are marks.
func (w *window) paneInner(n int) layout.Rect {
	r := w.lay.Panes[n]
	if w.lay.Whole {
		return r
	}
	if n == layout.Source && w.lay.Boxed && !r.Empty() {
		return r.Inner()
	}
	return w.inner(r)
}

// preview is the pane in whose place the candidate under the cursor is shown, while
// the person looks through the fixes.
func (w *window) preview() (pane int, ok bool) {
	if w.reviewing || w.focus != layout.Fixes || w.lay.Panes[layout.Fixes].Empty() {
		return 0, false
	}
	for _, n := range []int{layout.Source, layout.Output, layout.Log} {
		if !w.lay.Panes[n].Empty() {
			return n, true
		}
	}
	return 0, false
}

// reviewInner is the room of the open candidate: below its title where there
// is no border.
func (w *window) reviewInner() layout.Rect {
	in := w.inner(w.lay.Review)
	if n, ok := w.preview(); ok {
		in = w.inner(w.lay.Panes[n])
	}
	if !w.lay.Boxed && in.H > 0 {
		in.Y, in.H = in.Y+1, in.H-1
	}
	return in
}

// shape is what the person has made of the layout, and is making of it now.
type shape struct {
	layout.Shape
	zoom bool
	drag *dragging // a border that the mouse holds; nil without one
}

// resized is the pane that the keys make larger: the open candidate is where
// the source does.
func (w *window) resized() int {
	if w.reviewing {
		return layout.Source
	}
	return w.focus
}
