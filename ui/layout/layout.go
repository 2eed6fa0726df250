// Package layout says where everything stands: a pure function from the size
// of the terminal and what is to be shown to rectangles.
package layout

// Rect is a part of the screen in cells; empty when W or H is 0.
type Rect struct{ X, Y, W, H int }

// Empty tells whether nothing can be drawn in the rectangle.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains tells whether the cell lies in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Inner is the rectangle within a border.
func (r Rect) Inner() Rect { return Rect{r.X + 1, r.Y + 1, max(r.W-2, 0), max(r.H-2, 0)} }

// The panes by their number (DESIGN §5).
const (
	Source = 1 + iota
	Stack
	Locals
	Goroutines
	Output
	Fixes
	Log
	Count = Log
)

// Screen is what fills the terminal.
type Screen int

// The screens.
const (
	Held     Screen = iota // the target is stopped: panes around the source
	Flow                   // it runs: the focused pane, normally the output
	Gone                   // it has ended: the output, and what can be done
	Building               // one calm panel
	Broken                 // the build failed: messages and source
)

// Sizes that decide the layout.
const (
	MinWidth, MinHeight   = 60, 16
	WideWidth, WideHeight = 120, 28
	roomyWidth            = 170 // the log finds a place too
)

// Input is all that a layout depends on.
type Input struct {
	Width, Height int
	Screen        Screen
	Focus         int  // number of the focused pane
	Card          int  // lines of text on the card; 0 for no card
	Banner        bool // the judgement is shown
	Review        bool // a candidate is open
	Command       int  // lines of the command line; 0 when closed
}

// Layout is where everything stands. Rectangles that do not apply are empty.
type Layout struct {
	Small   bool // too small for anything but a message
	Wide    bool // several bordered panes; otherwise one pane without a border
	Status  Rect
	Banner  Rect
	Card    Rect // with its border where Wide
	Tabs    Rect
	Panes   [Count + 1]Rect // by number; with their borders where Wide
	Review  Rect
	Main    Rect // the panel of Building and Broken
	Command Rect
	Bottom  Rect
}

// Compute lays the screen out.
func Compute(in Input) Layout {
	l := Layout{Small: in.Width < MinWidth || in.Height < MinHeight}
	if l.Small {
		return l
	}
	l.Wide = in.Width >= WideWidth && in.Height >= WideHeight
	area := Rect{0, 0, in.Width, in.Height}
	l.Status = area.top(1)
	l.Bottom = area.bottom(1)
	if in.Banner {
		l.Banner = area.top(1)
	}
	if in.Command > 0 {
		l.Command = area.bottom(min(in.Command, area.H/2))
	}
	switch {
	case in.Screen == Building || in.Screen == Broken:
		l.Main = area
	case l.Wide:
		l.wide(in, area)
	default:
		l.narrow(in, area)
	}
	return l
}

// top cuts n rows off the top and returns them.
func (r *Rect) top(n int) Rect {
	n = min(n, r.H)
	cut := Rect{r.X, r.Y, r.W, n}
	r.Y, r.H = r.Y+n, r.H-n
	return cut
}

func (r *Rect) bottom(n int) Rect {
	n = min(n, r.H)
	r.H -= n
	return Rect{r.X, r.Y + r.H, r.W, n}
}

func (r *Rect) left(n int) Rect {
	n = min(n, r.W)
	cut := Rect{r.X, r.Y, n, r.H}
	r.X, r.W = r.X+n, r.W-n
	return cut
}

func (r *Rect) right(n int) Rect {
	n = min(n, r.W)
	r.W -= n
	return Rect{r.X + r.W, r.Y, n, r.H}
}

// narrow shows one pane below a tab bar. The status line is the card's first.
func (l *Layout) narrow(in Input, area Rect) {
	if in.Card > 0 {
		l.Card = Rect{l.Status.X, l.Status.Y, l.Status.W, 2}
		area.top(1)
		if in.Banner {
			l.Banner.Y++
		}
	}
	if in.Review {
		l.Review = area
		return
	}
	if in.Screen != Flow || in.Focus != Output {
		l.Tabs = area.top(1)
	}
	l.Panes[in.Focus] = area
}

func (l *Layout) wide(in Input, area Rect) {
	if in.Card > 0 {
		l.Card = area.top(min(in.Card, 6) + 2)
	}
	side := within(in.Width*29/100, 35, 54)
	switch {
	case in.Review:
		l.Panes[Fixes] = area.right(side)
		l.Review = area
	case in.Screen == Flow:
		l.Panes[in.Focus] = area
	case in.Screen == Gone:
		l.gone(in, area, side)
	default:
		l.held(in, area, side)
	}
}

// gone shows the output beside the fixes, or beside another pane that was
// asked for.
func (l *Layout) gone(in Input, area Rect, side int) {
	beside := Log
	if in.Focus == Fixes || in.Focus == Log {
		beside = in.Focus
	} else if in.Focus != Output {
		l.Panes[in.Focus] = area
		return
	}
	l.Panes[beside] = area.right(side + 6)
	l.Panes[Output] = area
}

// held shows stack and goroutines, source, fixes; below them locals and
// output, and the log where there is room. The log takes the place of the
// output while it has the focus.
func (l *Layout) held(in Input, area Rect, side int) {
	lower := area.bottom(within(area.H*30/100, 6, 16))
	first := within(in.Width*25/100, 31, 46)
	column := area.left(first)
	l.Panes[Stack] = column.top(max(column.H*58/100, 4))
	l.Panes[Goroutines] = column
	l.Panes[Fixes] = area.right(side)
	l.Panes[Source] = area
	if in.Width >= roomyWidth {
		l.Panes[Log] = lower.right(side)
	}
	l.Panes[Locals] = lower.left(lower.W * 45 / 100)
	if in.Focus == Log && in.Width < roomyWidth {
		l.Panes[Log] = lower
		return
	}
	l.Panes[Output] = lower
}

func within(n, low, high int) int { return max(low, min(n, high)) }
