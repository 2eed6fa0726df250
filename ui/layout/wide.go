package layout

import "slices"

// What a pane or a region needs to be of use, with its border.
const (
	minWidth    = 20
	minHeight   = 4
	minSource   = 40
	leastRows   = 8   // of a pane in two columns, unless it is made smaller
	twoBelow    = 26  // rows from which there are two panes below the source
	localsInRow = 800 // share of the locals next to others
	rowWidth    = 138 // from here on, the panes below are side by side
)

// several shows several panes with borders.
func (l *Layout) several(in Input, area Rect) {
	l.CardBox = in.Width >= cardWidth && in.Height >= cardHeight
	switch {
	case !l.CardBox:
		l.card(in, &area)
	case in.Card > 0:
		l.Card = area.top(min(in.Card, 6) + 2)
	}
	side := within(in.Width*29/100, 35, 54)
	roomy := in.Width >= cardWidth
	switch {
	case in.Review && in.Screen == Held && in.Width >= besideWidth && in.Height >= besideHeight:
		l.reviewed(in, area)
	case in.Review && roomy && in.Width-side >= in.ReviewWidth:
		l.cutRight(in, &area, side, Source, Fixes)
		l.Review = area
	case in.Review:
		l.Review = area
	case in.Screen == Held && in.wide():
		l.Around = true
		l.held(in, area, side)
	case in.Screen == Held:
		l.Around = true
		l.columns(in, area)
	case !roomy:
		l.alone(in, area)
	case in.Screen == Flow:
		l.Panes[in.Focus] = area
	default:
		l.gone(in, area, side)
	}
}

// wide reports whether there is room for three columns.
func (in Input) wide() bool { return in.Width >= wideWidth && in.Height >= wideHeight }

// columns shows the source above the locals, and the other panes in a column at
// the right.
func (l *Layout) columns(in Input, area Rect) {
	left, right, below := in.regions()
	if l.low(in, area, &below) {
		return
	}
	if slices.Equal(below, []int{Why}) {
		high := area.H - minHeight
		h := cells(in.Shape.Below, area.H, within(in.Rows[Why]+2, area.H*36/100, area.H*50/100), minHeight, high)
		l.divide(area, own{DivideBelow, h, minHeight, high, area.H, []int{Source}, below})
		l.Panes[Why], below = area.bottom(h), nil
	}
	if len(right) > 0 {
		high := area.W - minSource
		w := cells(in.Shape.Right, in.Width, in.rightWidth(right), minWidth, high)
		l.divide(area, own{DivideRight, w, minWidth, high, in.Width, []int{Source}, right})
		l.column(in, area.right(w), right, leastRows)
	}
	if len(below) > 0 {
		high := area.H - minHeight*min(area.H/minHeight-1, 2)
		rows, inRow := area.H*36/100, in.Width >= rowWidth
		switch {
		case inRow:
		case area.H >= twoBelow:
			below = in.fitting(below, 2)
			rows = area.H * len(below) / 4
		default:
			below = in.fitting(below, 1)
		}
		if !inRow && slices.Equal(below, []int{Locals, Output}) { // what both have to show, where the source can spare it
			rows = max(rows, min(in.Values+in.Rows[Output]+4, area.H*58/100))
		}
		rows = max(rows, area.H*36/100)
		if slices.Equal(below, []int{Output}) && in.Rows[Output] > 0 {
			rows = min(rows, in.Rows[Output]+2)
		}
		if in.grows(below) && !inRow { // the focused one, to what it has to show
			rows = max(rows, min(in.shows(in.Focus)+2+(len(below)-1)*minHeight, area.H*64/100))
		}
		h := cells(in.Shape.Below, area.H, rows, minHeight, high)
		l.divide(area, own{DivideBelow, h, minHeight, high, area.H, []int{Source}, below})
		if r := area.bottom(h); inRow {
			l.row(in, r, below, r.W/2)
		} else {
			l.column(in, r, below, minHeight)
		}
	}
	if len(left) > 0 {
		high := area.W - minSource
		w := cells(in.Shape.Left, in.Width, 31, minWidth, high)
		l.divide(area, own{DivideLeft, w, minWidth, high, in.Width, left, []int{Source}})
		l.column(in, area.left(w), left, leastRows)
	}
	l.Panes[Source] = area
}

// low leaves out what is below the source where only one of the two has rows; true where
// that is a pane below, which has the area for itself.
func (l *Layout) low(in Input, area Rect, below *[]int) bool {
	if area.H >= 2*minHeight {
		return false
	}
	if slices.Contains(*below, in.Focus) {
		l.Panes[in.Focus] = area
		return true
	}
	*below = nil
	return false
}

// grows reports whether one of some panes has the focus, and room is made for it: in
// small terminals, until the person says what is how large.
func (in Input) grows(panes []int) bool {
	return in.Width < cardWidth && slices.Contains(panes, in.Focus) && in.Shape.Shares == Shape{}.Shares
}

// shows is how many lines a pane has to show; very many where that is not known.
func (in Input) shows(pane int) int {
	n := in.Rows[pane]
	if pane == Locals {
		n = in.Values
	}
	if n == 0 {
		return in.Height
	}
	return n
}

// rightWidth is how wide the panes at the right are: half of a small terminal while
// the person is in one of those whose rows name places.
func (in Input) rightWidth(right []int) int {
	w := within(in.Width*36/100, 30, 60)
	if in.grows(right) && in.Focus != Fixes {
		w = max(w, in.Width/2)
	}
	return w
}

// The size from which the source and the variables stand beside an open candidate, and
// the width that they need.
const (
	besideWidth, besideHeight = 150, 36
	minBeside                 = 56
)

// reviewed shows an open candidate with the fixes, the source and the variables of the
// stop beside it.
func (l *Layout) reviewed(in Input, area Rect) {
	high := area.W - minSource
	side := in.Width - max(in.ReviewWidth, in.Width*55/100)
	w := cells(in.Shape.Right, in.Width, max(side, minBeside), minWidth, high)
	l.divide(area, own{DivideRight, w, minWidth, high, in.Width, []int{Source}, []int{Fixes}})
	right := area.right(w)
	l.Review = area
	l.Panes[Fixes] = right.top(within(in.Fixes+2, minHeight, right.H/3))
	if !in.Empty[Locals] {
		l.Panes[Locals] = right.bottom(within(in.Values+2, minHeight, right.H/2))
	}
	l.Panes[Source] = right
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

// regions are the panes at the left, at the right and below. A pane without a
// place takes that of the last one below while it has the focus; the history of a value,
// whose rows are long, that of all but the locals.
func (in Input) regions() (left, right, below []int) {
	left, right, below = in.Shape.at(in, Left), in.Shape.at(in, Right), in.Shape.at(in, Below)
	if in.Focus != Source && in.Shape.place(in, in.Focus) == Hidden {
		kept := max(len(below)-1, 0)
		if in.Focus == Why {
			kept = 0
			if in.wide() && slices.Contains(below, Locals) {
				below, kept = []int{Locals}, 1
			}
		}
		below = append(below[:kept], in.Focus)
	}
	return left, right, below
}

// held shows the source with panes at its left and right, and below all of
// them.
func (l *Layout) held(in Input, area Rect, side int) {
	left, right, below := in.regions()
	middle := []int{Source}
	if l.low(in, area, &below) {
		return
	}
	if len(below) > 0 {
		high := area.H - minHeight*min(area.H/minHeight-1, 2)
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
		l.column(in, area.left(w), left, minHeight)
	}
	if len(right) > 0 {
		w := cells(in.Shape.Right, in.Width, side, minWidth, room)
		l.divide(area, own{DivideRight, w, minWidth, room, in.Width, middle, right})
		l.column(in, area.right(w), right, minHeight)
	}
	l.Panes[Source] = area
}

// column puts panes one below the other, by their shares, as many as have at
// least some rows. What one does not fill goes to the others.
func (l *Layout) column(in Input, r Rect, panes []int, least int) {
	panes = in.fitting(panes, r.H/least)
	for ; len(panes) > 1; panes = panes[1:] {
		h := in.Shape.part(r.H, panes, minHeight)
		if n := panes[1]; len(panes) == 2 && in.Rows[n] > 0 && in.Shape.Shares[n] == 0 {
			h = max(h, r.H-max(in.Rows[n]+2, minHeight))
		}
		if n := panes[0]; in.Rows[n] > 0 && in.Shape.Shares[n] == 0 { // the others need it more
			h = min(h, max(in.Rows[n]+2, minHeight))
		}
		if in.grows(panes) {
			h = in.grown(r.H, h, panes)
		}
		l.divideShare(r, h, minHeight, panes, true)
		l.Panes[panes[0]] = r.top(h)
	}
	l.Panes[panes[0]] = r
}

// grown is the height of the first of some panes, which would be h, where the focused
// one of them grows to what it has to show.
func (in Input) grown(rows, h int, panes []int) int {
	others := minHeight * (len(panes) - 1)
	want := min(in.shows(in.Focus)+2, rows-others)
	if panes[0] == in.Focus {
		return max(h, want)
	}
	return max(min(h, rows-want-others+minHeight), minHeight)
}

// row puts panes side by side, by their shares. The log is below the panes
// at the right, which are side cells wide, until the person moves it.
func (l *Layout) row(in Input, r Rect, panes []int, side int) {
	panes = in.fitting(panes, r.W/minWidth)
	if in.Shape.Shares[Locals] == 0 { // values are long, the output is often short
		in.Shape.Shares[Locals] = localsInRow
	}
	for ; len(panes) > 1; panes = panes[1:] {
		w := in.Shape.part(r.W, panes, minWidth)
		if len(panes) == 2 && panes[1] == Log && in.Shape.Shares[Log] == 0 && in.Width >= wideWidth {
			w = within(r.W-side, minWidth, r.W-minWidth)
		}
		l.divideShare(r, w, minWidth, panes, false)
		l.Panes[panes[0]] = r.left(w)
	}
	l.Panes[panes[0]] = r
}

// fitting is as many of the panes as there is room for, with the focused one if
// it is among them. The goroutines are left out first.
func (in Input) fitting(panes []int, room int) []int {
	kept := slices.Clone(panes)
	for len(kept) > max(room, 1) {
		i := slices.Index(kept, Goroutines)
		if i < 0 || in.Focus == Goroutines {
			i = len(kept) - 1
		}
		if kept[i] == in.Focus {
			i--
		}
		kept = slices.Delete(kept, i, i+1)
	}
	return kept
}
