// Package pane has the panes of the screen. A pane keeps its own cursor and scroll
// position, shows what it was handed by Sync, and answers keys with an effect for the
// program to carry out; it does no I/O and knows no other pane.
//
// The tree of values is virtual in both directions: an opened list of ten million
// elements knows its length and draws the rows in view; package inspect reads the pages
// they need.
package pane

import (
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/theme"
)

// Context is what panes may look at. They must not change it.
type Context struct {
	State     session.State
	Live      live.State
	Now       time.Time
	Theme     theme.Theme
	Keys      keymap.Table
	Store     *inspect.Store
	Sources   live.Sources            // of the program; may take a while
	Output    Printed                 // nil before there is any
	At        debugger.FrameRef       // the selected frame
	Stop      session.StopRecord      // the stop that is shown; it stays for a moment after the target went on
	Held      bool                    // there is one
	Candidate string                  // the selected candidate
	Best      string                  // the candidate that ranks first
	Reading   bool                    // the person is looking through the candidates: their order must not change
	Draft     map[string]map[int]bool // the hunks of the selected candidate that are left out, by file
	NoTest    bool                    // the selected candidate's regression test is left out
	Split     bool
	Others    []Other // of a shared session
	Bare      bool    // panes have no border that would show their titles
}

// Printed is what the target has printed: an *output.Buffer, or how it was a moment ago.
type Printed interface {
	View(start, n int) output.View
	Find(text string, from int64, most int) (rows []string, next int64)
	Screen() (output.Screen, bool)
	Version() uint64
}

// Other is another participant of a shared session, and where they look.
type Other struct {
	Name  string
	Color int
	File  string
	Line  int
	At    debugger.FrameRef
}

// CurrentStop is the stop that is shown; false when there is none.
func (c *Context) CurrentStop() (session.StopRecord, bool) { return c.Stop, c.Held }

// LeftOut counts the hunks that are left out.
func (c *Context) LeftOut() int {
	n := 0
	for _, hunks := range c.Draft {
		n += len(hunks)
	}
	return n
}

// Pane is one part of the screen.
type Pane interface {
	// Title names the pane, note adds to it.
	Title() (title, note string)
	// Sync takes in what has happened.
	Sync(*Context)
	// Resize says how much room there is within the border.
	Resize(w, h int)
	// Key carries out a movement; false when the action means nothing here.
	Key(keymap.Action) (Effect, bool)
	// Click selects what is drawn in a row, counted from 0.
	Click(y int) Effect
	// ScrollBy moves what is seen by some rows.
	ScrollBy(n int)
	// View returns at most as many lines as there is room for. Lines may be
	// shorter than the pane, never longer.
	View(focused bool) []string
	// Needs says what the pane wants to be read to be complete.
	Needs() []inspect.Need
}

// Filterer is a pane whose rows can be filtered.
type Filterer interface {
	SetFilter(text string)
	Filter() string
}

// Counter is a Filterer whose rows stay: it goes to the places that it found.
type Counter interface {
	// Count says at which one it is, from 1, and how many there are.
	Count() (at, all int)
}

// Viewed is a pane with several views: what names the one shown, beside a filter.
type Viewed interface {
	Viewed() string
}

// Pointed is a pane to whose columns a click means something. Only is
// a click that selects and does nothing else.
type Pointed interface {
	ClickAt(x, y int, only bool) Effect
}

// Extent is which part of its rows a pane shows.
type Extent struct{ Top, Shown, All int }

// Covers reports whether the mark of a scroll bar of h rows is in row y.
// There is none where everything is shown.
func (e Extent) Covers(y, h int) bool {
	if e.All <= e.Shown || e.All <= 0 || h <= 0 {
		return false
	}
	size := max(h*e.Shown/e.All, 1)
	from := min((h-size)*e.Top/max(e.All-e.Shown, 1), h-size)
	return y >= from && y < from+size
}

// Scroller is a pane that says which part of its rows it shows.
type Scroller interface{ Extent() Extent }

// Effect is what a key in a pane asks of the program; nil asks nothing.
type Effect any

type (
	// SelectFrame selects a frame, and with it its goroutine.
	SelectFrame struct{ At debugger.FrameRef }
	// SelectCandidate makes a candidate the one that keys act on.
	SelectCandidate struct{ ID string }
	// OpenCandidate opens a candidate for review.
	OpenCandidate struct{ ID string }
	// Focus moves the focus to a pane by its number.
	Focus struct{ Pane int }
	// ToggleBreakpoint sets or clears a breakpoint on a line.
	ToggleBreakpoint struct {
		File string
		Line int
	}
	// Define goes to the definition of a name, FindCallers lists who calls a
	// function.
	Define      struct{ At navigate.At }
	FindCallers struct{ At navigate.At }
	// Visit shows a line of a file, from which esc leads back.
	Visit struct {
		File string
		Line int
	}
	// Peek shows a line of a file beside the pane that has the focus.
	Peek struct {
		File string
		Line int
	}
	// Say shows a word on the bottom line.
	Say struct{ Text string }
)

// empty is what a pane without content shows: what will be here, and which key
// fills it.
func empty(c *Context, w int, lines ...string) []string {
	out := make([]string, 0, len(lines)+1)
	for _, l := range lines {
		out = append(out, wrapDim(c, l, w)...)
	}
	return out
}
