package layout

// Kind says which size of a Shape a divider changes.
type Kind int

// The kinds of dividers.
const (
	DivideLeft Kind = iota
	DivideRight
	DivideBelow
	DivideShare // between two panes of one region
)

// Divider is a border that can be moved: to the right, or down.
type Divider struct {
	Kind     Kind
	Rect     Rect // the cells that take hold of it
	Vertical bool // it moves up and down

	size      int  // cells that its size has now
	back      bool // moving it makes that size smaller
	low, high int  // bounds of the size
	whole     int  // cells that the size is a share of
	// before grow when it moves forward, after when it moves back. For
	// DivideShare these are one pane each, and region all those that share.
	before, after, region []int
}

// own is a region of the layout that a divider bounds.
type own struct {
	kind            Kind
	size, low, high int
	whole           int
	before, after   []int
}

// divide adds the border of a region that is at the right end (or the lower
// one) of an area, or, for DivideLeft, at its left.
func (l *Layout) divide(area Rect, o own) {
	d := Divider{Kind: o.kind, size: o.size, low: o.low, high: o.high, whole: o.whole, before: o.before, after: o.after, back: true}
	switch o.kind {
	case DivideLeft:
		d.back = false
		d.Rect = Rect{area.X + o.size - 1, area.Y, 2, area.H}
	case DivideBelow:
		d.Vertical = true
		d.Rect = Rect{area.X, area.Y + area.H - o.size - 1, area.W, 2}
	default:
		d.Rect = Rect{area.X + area.W - o.size - 1, area.Y, 2, area.H}
	}
	l.Dividers = append(l.Dividers, d)
}

// divideShare adds the border after the first of the panes that share an area
// from there on; it takes size cells.
func (l *Layout) divideShare(area Rect, size, least int, panes []int, vertical bool) {
	d := Divider{Kind: DivideShare, Vertical: vertical, size: size, low: least, before: panes[:1], after: panes[1:2], region: panes}
	d.Rect, d.whole = Rect{area.X + size - 1, area.Y, 2, area.H}, area.W
	if vertical {
		d.Rect, d.whole = Rect{area.X, area.Y + size - 1, area.W, 2}, area.H
	}
	d.high = d.whole - least*(len(panes)-1)
	l.Dividers = append(l.Dividers, d)
}

// DividerAt finds the border at a cell.
func (l Layout) DividerAt(x, y int) (Divider, bool) {
	for _, d := range l.Dividers {
		if d.Rect.Contains(x, y) {
			return d, true
		}
	}
	return Divider{}, false
}

// Drag returns the shape with a border moved by some cells.
func (s Shape) Drag(d Divider, by int) Shape {
	if d.back {
		by = -by
	}
	size := max(min(d.size+by, d.high), min(d.low, d.size))
	if d.whole <= 0 || size == d.size {
		return s
	}
	if d.Kind == DivideShare {
		return s.dragShare(d, size)
	}
	thousandths := within((size*1000+d.whole-1)/d.whole, leastSize, mostSize)
	switch d.Kind {
	case DivideLeft:
		s.Left = thousandths
	case DivideRight:
		s.Right = thousandths
	case DivideBelow:
		s.Below = thousandths
	}
	return s
}

// dragShare gives the first pane of a region so many cells, and takes them from
// the one after it.
func (s Shape) dragShare(d Divider, size int) Shape {
	sum, first, second := 0, d.before[0], d.after[0]
	for _, n := range d.region {
		s.Shares[n] = s.share(n)
		sum += s.Shares[n]
	}
	pair := s.Shares[first] + s.Shares[second]
	s.Shares[first] = within((size*sum+d.whole-1)/d.whole, 1, pair-1)
	s.Shares[second] = pair - s.Shares[first]
	return s
}

// Grow returns the shape with a pane larger by some cells at each of its
// borders that can be moved, or smaller.
func (s Shape) Grow(l Layout, pane, cells int) Shape {
	for _, d := range l.Dividers {
		step := cells
		if d.Vertical && cells != 0 {
			step = (cells + cells/abs(cells)) / 2 // cells are twice as high as they are wide
		}
		switch {
		case has(d.before, pane):
			s = s.Drag(d, step)
		case has(d.after, pane):
			s = s.Drag(d, -step)
		}
	}
	return s
}

func abs(n int) int { return max(n, -n) }

func has(panes []int, pane int) bool {
	for _, n := range panes {
		if n == pane {
			return true
		}
	}
	return false
}
