package layout

// What a pane or a region needs to be of use, with its border.
const (
	minWidth  = 20
	minHeight = 4
	minSource = 40
)

// wide shows several panes with borders.
func (l *Layout) wide(in Input, area Rect) {
	if in.Card > 0 {
		l.Card = area.top(min(in.Card, 6) + 2)
	}
	side := within(in.Width*29/100, 35, 54)
	switch {
	case in.Review:
		l.cutRight(in, &area, side, Source, Fixes)
		l.Review = area
	case in.Screen == Flow:
		l.Panes[in.Focus] = area
	case in.Screen == Gone:
		l.gone(in, area, side)
	default:
		l.held(in, area, side)
	}
}

// gone shows the output next to the fixes, or next to another pane that was
// asked for.
func (l *Layout) gone(in Input, area Rect, side int) {
	other := Log
	if in.Focus == Fixes || in.Focus == Log {
		other = in.Focus
	} else if in.Focus != Output {
		l.Panes[in.Focus] = area
		return
	}
	l.cutRight(in, &area, side+6, Output, other)
	l.Panes[Output] = area
}

// cutRight cuts one pane off the right of what another one has.
func (l *Layout) cutRight(in Input, area *Rect, side, large, pane int) {
	high := area.W - minSource
	w := cells(in.Shape.Right, in.Width, side, minWidth, high)
	l.divide(*area, own{DivideRight, w, minWidth, high, in.Width, []int{large}, []int{pane}})
	l.Panes[pane] = area.right(w)
}

// held shows the source with panes at its left and right, and below all of
// them. A pane without a place takes that of the last one below while it has
// the focus.
func (l *Layout) held(in Input, area Rect, side int) {
	left, right, below := in.Shape.at(in, Left), in.Shape.at(in, Right), in.Shape.at(in, Below)
	if in.Focus != Source && in.Shape.place(in, in.Focus) == Hidden {
		below = append(below[:max(len(below)-1, 0)], in.Focus)
	}
	middle := []int{Source}
	if len(below) > 0 {
		high := area.H - 2*minHeight
		h := cells(in.Shape.Below, area.H, within(area.H*30/100, 6, 16), minHeight, high)
		l.divide(area, own{DivideBelow, h, minHeight, high, area.H, middle, below})
		l.row(in, area.bottom(h), below, side)
	}
	room := area.W - minSource
	if len(left) > 0 {
		high := room
		if len(right) > 0 {
			high -= minWidth
		}
		w := cells(in.Shape.Left, in.Width, within(in.Width*25/100, 31, 46), minWidth, high)
		room -= w
		l.divide(area, own{DivideLeft, w, minWidth, high, in.Width, left, middle})
		l.column(in, area.left(w), left)
	}
	if len(right) > 0 {
		w := cells(in.Shape.Right, in.Width, side, minWidth, room)
		l.divide(area, own{DivideRight, w, minWidth, room, in.Width, middle, right})
		l.column(in, area.right(w), right)
	}
	l.Panes[Source] = area
}

// column puts panes one below the other, by their shares.
func (l *Layout) column(in Input, r Rect, panes []int) {
	panes = in.fitting(panes, r.H/minHeight)
	for ; len(panes) > 1; panes = panes[1:] {
		h := in.Shape.part(r.H, panes, minHeight)
		l.divideShare(r, h, minHeight, panes, true)
		l.Panes[panes[0]] = r.top(h)
	}
	l.Panes[panes[0]] = r
}

// row puts panes side by side, by their shares. The log is below the panes
// at the right, which are side cells wide, until the person moves it.
func (l *Layout) row(in Input, r Rect, panes []int, side int) {
	panes = in.fitting(panes, r.W/minWidth)
	for ; len(panes) > 1; panes = panes[1:] {
		w := in.Shape.part(r.W, panes, minWidth)
		if len(panes) == 2 && panes[1] == Log && in.Shape.Shares[Log] == 0 && in.Width >= roomyWidth {
			w = within(r.W-side, minWidth, r.W-minWidth)
		}
		l.divideShare(r, w, minWidth, panes, false)
		l.Panes[panes[0]] = r.left(w)
	}
	l.Panes[panes[0]] = r
}

// fitting is as many of the panes as there is room for, with the focused one if
// it is among them.
func (in Input) fitting(panes []int, room int) []int {
	room = max(room, 1)
	if len(panes) <= room {
		return panes
	}
	kept := panes[:room:room]
	if has(panes[room:], in.Focus) {
		kept = append(kept[:room-1], in.Focus)
	}
	return kept
}
