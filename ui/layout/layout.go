// Package layout computes the layout of the screen: a pure function from the terminal's
// size, the contents and a Shape to rectangles and movable borders. A Shape is what the
// person has resized, in thousandths. It must not know what a pane contains, nor how it
// is drawn.
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
	Why
	Count = Why
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
	MinWidth, MinHeight         = 40, 12
	columnsWidth, columnsHeight = 80, 18  // panes around the source, in two columns
	cardWidth, cardHeight       = 120, 28 // the card in a box
	wideWidth, wideHeight       = 170, 28 // three columns; the log finds a place too
	hintHeight                  = 20
	calmHeight                  = 24  // lines at the top and the bottom may wrap
	longLine                    = 120 // keys have one line
	halvedHeight                = 12  // one pane and half of another
)

// Input is all that a layout depends on.
type Input struct {
	Width, Height int
	Screen        Screen
	Focus         int             // number of the focused pane
	Empty         [Count + 1]bool // panes with nothing to show: they take no room unless they have the focus
	Rows          [Count + 1]int  // how much panes have to show, in lines; 0 where it is not known
	Values        int             // lines of the variables
	Fixes         int             // lines of the fixes
	Card          int             // lines of text on the card in a box; 0 for no card
	SmallCard     int             // lines of the card without a box
	Banner        bool            // the judgement is shown
	Review        bool            // a candidate is open
	ReviewWidth   int             // that it wants, with its border: the fixes beside it give way
	Hint          int             // lines of the hint of the first start; 0 for none
	Zoom          bool            // the focused pane, or the open candidate, has the whole terminal
	Whole         bool            // the output is a screen that the target draws, and has the whole terminal
	Command       int             // lines of the command line; 0 when closed
	Shape         Shape           // what the person has made of it
}

// Layout is where everything is. Rectangles that do not apply are empty.
type Layout struct {
	Small   bool // too small for anything but a message
	Whole   bool // the output has all but the bottom line, without a border
	Around  bool // panes around the source
	CardBox bool // the card is in a box below the status line, else in its place
	Boxed   bool // panes have borders
	Status  Rect
	Banner  Rect
	Card    Rect // with its border where CardBox
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
	area := Rect{0, 0, in.Width, in.Height}
	if in.Whole {
		l.Whole, l.Bottom = true, area.bottom(1)
		l.Panes[Output] = area
		return l
	}
	l.Status = area.top(1)
	l.Bottom = area.bottom(in.bar())
	if in.Hint > 0 && in.Height >= hintHeight {
		l.Hint = area.bottom(in.hint())
	}
	if in.Banner {
		l.Banner = area.top(1)
	}
	if in.Command > 0 {
		l.Command = area.bottom(min(in.Command, in.commandRoom(area.H)))
	}
	switch {
	case in.Screen == Building || in.Screen == Broken:
		l.Main = area
	case in.Zoom:
		l.zoomed(in, area)
	case in.Width >= columnsWidth && in.Height >= columnsHeight:
		l.Boxed = true
		l.several(in, area)
	default:
		l.narrow(in, area)
	}
	return l
}

// commandRoom is how many of the rows the command line may take: more than half where
// there are few.
func (in Input) commandRoom(rows int) int {
	if in.Height < cardHeight {
		return rows * 3 / 5
	}
	return rows / 2
}

// bar is how many lines keys and hints have: it depends on the terminal alone, so
// that nothing jumps while the person moves from pane to pane.
func (in Input) bar() int {
	if in.Height < calmHeight || in.Width >= longLine {
		return 1
	}
	return 2
}

// hint is how many lines the hint has: where keys have one, as many as it wants.
func (in Input) hint() int {
	if in.Height < calmHeight {
		return 1
	}
	return max(in.bar(), in.Hint)
}

// zoomed gives everything but the status line to one pane. A crash keeps its
// lines: they replace the status line.
func (l *Layout) zoomed(in Input, area Rect) {
	l.Boxed = in.Width >= columnsWidth
	l.card(in, &area)
	if in.Review {
		l.Review = area
		return
	}
	l.Panes[in.Focus] = area
}

// card puts the card where the status line is.
func (l *Layout) card(in Input, area *Rect) {
	if in.Card == 0 {
		return
	}
	rows := 2
	if in.Height >= calmHeight {
		rows = within(in.SmallCard, 2, 4)
	}
	l.Card = Rect{l.Status.X, l.Status.Y, l.Status.W, rows}
	area.top(rows - 1)
	if in.Banner {
		l.Banner.Y += rows - 1
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

// narrow shows one pane below a tab bar.
func (l *Layout) narrow(in Input, area Rect) {
	l.card(in, &area)
	if in.Review {
		l.Review = area
		return
	}
	l.alone(in, area)
}

// alone shows the focused pane, below a tab bar unless it is the output of a
// target that runs. Fixes leave the lower half to the source, in whose place
// the diff of one is shown.
func (l *Layout) alone(in Input, area Rect) {
	if in.Screen != Flow || in.Focus != Output {
		l.Tabs = area.top(1)
	}
	if in.Focus == Fixes && !in.Empty[Fixes] && area.H >= halvedHeight {
		l.Panes[Source] = area.bottom(area.H / 2)
	}
	l.Panes[in.Focus] = area
}

func within(n, low, high int) int { return max(low, min(n, high)) }
