// Package layout says where everything is: a pure function from the size
// of the terminal and what is to be shown to rectangles.
package layout

// Rect is a part of the screen in cells; empty when W or H is 0.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing can be drawn in the rectangle.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell lies in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Inner is the rectangle within a border.
func (r Rect) Inner() Rect { return Rect{r.X + 1, r.Y + 1, max(r.W-2, 0), max(r.H-2, 0)} }

// The panes by their number (docs/reference/keys.md).
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
	MinWidth, MinHeight   = 40, 12
	pairWidth, pairHeight = 80, 26  // two panes, one below the other
	twinWidth, twinHeight = 116, 18 // two panes, side by side
	WideWidth, WideHeight = 120, 28
	roomyWidth            = 170 // the log finds a place too
	hintHeight            = 20
)

// Input is all that a layout depends on.
type Input struct {
	Width, Height int
	Screen        Screen
	Focus         int   // number of the focused pane
	Beside        int   // the pane that shares a medium terminal with the source; 0 for the stack
	Card          int   // lines of text on the card; 0 for no card
	Banner        bool  // the judgement is shown
	Review        bool  // a candidate is open
	Hint          bool  // the hint of the first start is shown
	Zoom          bool  // the focused pane, or the open candidate, has the whole terminal
	Command       int   // lines of the command line; 0 when closed
	Shape         Shape // what the person has made of it
}

// Layout is where everything is. Rectangles that do not apply are empty.
type Layout struct {
	Small   bool // too small for anything but a message
	Wide    bool // all panes around the source, and the card in a box
	Boxed   bool // panes have borders
	Status  Rect
	Banner  Rect
	Card    Rect // with its border where Wide
	Tabs    Rect
	Panes   [Count + 1]Rect // by number; with their borders where Boxed
	Review  Rect
	Main    Rect // the panel of Building and Broken
	Command Rect
	Hint    Rect
	Bottom  Rect
	// Dividers are the borders that can be moved.
	Dividers []Divider
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
	if in.Hint && in.Height >= hintHeight {
		l.Hint = area.bottom(1)
	}
	if in.Banner {
		l.Banner = area.top(1)
	}
	if in.Command > 0 {
		l.Command = area.bottom(min(in.Command, area.H/2))
	}
	switch {
	case in.Screen == Building || in.Screen == Broken:
		l.Main = area
	case in.Zoom:
		l.zoomed(in, area)
	case l.Wide:
		l.Boxed = true
		l.wide(in, area)
	default:
		l.narrow(in, area)
	}
	return l
}

// zoomed gives everything but the status line to one pane. A crash keeps its
// two lines: they replace the status line.
func (l *Layout) zoomed(in Input, area Rect) {
	l.Boxed, l.Wide = in.Width >= pairWidth, false
	l.card(in, &area)
	if in.Review {
		l.Review = area
		return
	}
	l.Panes[in.Focus] = area
}

// card puts the card in two lines where the status line is.
func (l *Layout) card(in Input, area *Rect) {
	if in.Card == 0 {
		return
	}
	l.Card = Rect{l.Status.X, l.Status.Y, l.Status.W, 2}
	area.top(1)
	if in.Banner {
		l.Banner.Y++
	}
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

// narrow shows one pane below a tab bar, or two where there is room for the
// source and another.
func (l *Layout) narrow(in Input, area Rect) {
	l.card(in, &area)
	if in.Review {
		l.Review = area
		return
	}
	if in.Screen != Flow || in.Focus != Output {
		l.Tabs = area.top(1)
	}
	second := in.second()
	switch {
	case in.Screen != Held:
		l.Panes[in.Focus] = area
	case in.Width >= twinWidth && in.Height >= twinHeight:
		l.Boxed = true
		low, high := minWidth, area.W-minSource
		w := cells(in.Shape.Side, area.W, area.W*42/100, low, high)
		l.divide(area, own{DivideSide, w, low, high, area.W, []int{Source}, []int{second}})
		l.Panes[second] = area.right(w)
		l.Panes[Source] = area
	case in.Width >= pairWidth && in.Height >= pairHeight:
		l.Boxed = true
		low, high := minHeight, area.H-minHeight
		h := cells(in.Shape.Pair, area.H, area.H*42/100, low, high)
		l.divide(area, own{DividePair, h, low, high, area.H, []int{Source}, []int{second}})
		l.Panes[second] = area.bottom(h)
		l.Panes[Source] = area
	default:
		l.Panes[in.Focus] = area
	}
}

// second is the pane that is shown together with the source.
func (in Input) second() int {
	switch {
	case in.Focus != Source:
		return in.Focus
	case in.Beside > Source && in.Beside <= Count:
		return in.Beside
	}
	return Stack
}

func within(n, low, high int) int { return max(low, min(n, high)) }
