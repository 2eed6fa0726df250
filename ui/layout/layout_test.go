package layout

import "testing"

// shapes are layouts as people make them, and some that nobody would.
var shapes = []Shape{
	{},
	{Left: 100, Right: 500, Below: 600},
	{Left: 850, Right: 850, Below: 850},
	Shape{}.With(Locals, Left).With(Output, Right).With(Log, Right),
	Shape{}.With(Locals, Hidden).With(Output, Hidden).With(Stack, Hidden).With(Goroutines, Hidden).With(Fixes, Hidden),
	Shape{Shares: [Count + 1]int{Stack: 2000, Goroutines: 1, Locals: 1, Output: 2000}}.With(Log, Below).With(Stack, Below).With(Fixes, Below),
}

// TestRectanglesDoNotOverlap lays out every screen at many sizes: rectangles
// stay within the terminal and apart from each other.
func TestRectanglesDoNotOverlap(t *testing.T) {
	for _, screen := range []Screen{Held, Flow, Gone, Building, Broken} {
		for w := 1; w <= 250; w += 3 {
			for h := 1; h <= 80; h += 2 {
				for focus := Source; focus <= Count; focus++ {
					for _, extra := range []Input{{}, {Card: 3, SmallCard: 4, Banner: true}, {Card: 2, Review: true, Command: 8}, {Card: 3, SmallCard: 3, Zoom: true, Hint: 2}} {
						in := extra
						in.Width, in.Height, in.Screen, in.Focus = w, h, screen, focus
						in.Shape = shapes[(w+h+focus)%len(shapes)]
						check(t, in)
					}
				}
			}
		}
	}
}

func check(t *testing.T, in Input) {
	t.Helper()
	l := Compute(in)
	if l.Small != (in.Width < MinWidth || in.Height < MinHeight) {
		t.Fatalf("%+v: small is %v", in, l.Small)
	}
	rects := []Rect{l.Status, l.Banner, l.Card, l.Tabs, l.Review, l.Main, l.Command, l.Hint, l.Bottom}
	if l.Card.Y == l.Status.Y && !l.CardBox {
		rects[0] = Rect{} // a small card takes the status line's place
	}
	rects = append(rects, l.Panes[:]...)
	for i, a := range rects {
		if a.Empty() {
			continue
		}
		if a.X < 0 || a.Y < 0 || a.X+a.W > in.Width || a.Y+a.H > in.Height {
			t.Fatalf("%+v: %+v leaves the terminal", in, a)
		}
		for _, b := range rects[i+1:] {
			if !b.Empty() && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				t.Fatalf("%+v: %+v and %+v overlap", in, a, b)
			}
		}
	}
	if r := l.Panes[in.Focus]; !l.Small && !in.Review && r.Empty() && (in.Screen == Held || in.Screen == Flow || in.Screen == Gone) {
		t.Fatalf("%+v: the focused pane is not shown", in)
	}
}

// TestPanesArePutElsewhere moves panes between the regions.
func TestPanesArePutElsewhere(t *testing.T) {
	in := Input{Width: 200, Height: 50, Screen: Held, Focus: Source}
	in.Shape = Shape{}.With(Locals, Right).With(Stack, Hidden)
	l := Compute(in)
	if !l.Panes[Stack].Empty() {
		t.Error("a hidden pane is shown")
	}
	if l.Panes[Locals].X != l.Panes[Fixes].X || l.Panes[Locals].Y >= l.Panes[Fixes].Y {
		t.Errorf("the locals are at %+v, the fixes at %+v", l.Panes[Locals], l.Panes[Fixes])
	}
	in.Focus = Stack
	if l = Compute(in); l.Panes[Stack].Empty() || !l.Panes[Log].Empty() {
		t.Error("a hidden pane with the focus does not take the place of the last one below")
	}
}

// TestZoomFillsTheTerminal gives the focused pane everything but the status line
// and the bar of keys.
func TestZoomFillsTheTerminal(t *testing.T) {
	for w, bar := range map[int]int{60: 2, 100: 2, 200: 1} {
		l := Compute(Input{Width: w, Height: 40, Screen: Held, Focus: Locals, Zoom: true})
		if want := (Rect{0, 1, w, 39 - bar}); l.Panes[Locals] != want || !l.Panes[Source].Empty() {
			t.Errorf("at %d the pane is %+v, the source %+v", w, l.Panes[Locals], l.Panes[Source])
		}
	}
}

// TestTheBarOfKeysKeepsItsHeight checks that it depends on the terminal alone.
func TestTheBarOfKeysKeepsItsHeight(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 23}, {80, 24}, {119, 40}, {120, 36}, {200, 60}} {
		first := Compute(Input{Width: size[0], Height: size[1]}).Bottom
		for screen := Held; screen <= Broken; screen++ {
			for focus := Source; focus <= Count; focus++ {
				for _, in := range []Input{{}, {Card: 2, SmallCard: 3}, {Review: true}, {Command: 9}, {Zoom: true, Banner: true}} {
					in.Width, in.Height, in.Screen, in.Focus = size[0], size[1], screen, focus
					if got := Compute(in).Bottom; got != first {
						t.Errorf("%v: the bar is at %v, and at %v with %+v", size, first, got, in)
					}
				}
			}
		}
	}
}

// TestTwoColumns checks which panes there are at the usual sizes, and where.
func TestTwoColumns(t *testing.T) {
	for _, c := range []struct {
		w, h, focus int
		empty       []int
		shown       []int
	}{
		{80, 24, Source, []int{Output, Fixes}, []int{Source, Stack, Locals, Goroutines}},
		{80, 24, Source, []int{Output}, []int{Source, Stack, Locals, Fixes}},
		{80, 24, Goroutines, []int{Output}, []int{Source, Stack, Locals, Goroutines}},
		{80, 24, Output, []int{Output, Fixes}, []int{Source, Stack, Goroutines, Output}},
		{120, 36, Source, nil, []int{Source, Stack, Locals, Goroutines, Output, Fixes}},
		{160, 45, Log, nil, []int{Source, Stack, Locals, Goroutines, Log, Fixes}},
		{200, 60, Source, []int{Fixes}, []int{Source, Stack, Locals, Goroutines, Output, Log}},
	} {
		in := Input{Width: c.w, Height: c.h, Screen: Held, Focus: c.focus, Card: 2, SmallCard: 2}
		for _, n := range c.empty {
			in.Empty[n] = true
		}
		l := Compute(in)
		for n := Source; n <= Count; n++ {
			if l.Panes[n].Empty() == has(c.shown, n) {
				t.Errorf("%dx%d, focus on %s: %s is %+v", c.w, c.h, names[c.focus], names[n], l.Panes[n])
			}
		}
		if s := l.Panes[Source]; c.w < wideWidth && c.focus != Goroutines && (s.W*10 < c.w*6 || l.Panes[Stack].X < s.X+s.W) {
			t.Errorf("%dx%d: the source is %+v, the stack %+v", c.w, c.h, s, l.Panes[Stack])
		}
	}
	if l := Compute(Input{Width: 79, Height: 24, Screen: Held, Focus: Source}); l.Boxed || l.Panes[Source].W != 79 || l.Tabs.Empty() {
		t.Errorf("79x24: %+v", l.Panes)
	}
	for _, height := range []int{24, 14} {
		in := Input{Width: 60, Height: height, Screen: Held, Focus: Fixes}
		if l := Compute(in); (height == 24) == l.Panes[Source].Empty() || l.Panes[Source].H > l.Panes[Fixes].H {
			t.Errorf("60x%d, focus on the fixes: the source is %+v, the fixes %+v", height, l.Panes[Source], l.Panes[Fixes])
		}
		in.Empty[Fixes] = true
		if l := Compute(in); !l.Panes[Source].Empty() {
			t.Errorf("60x%d without fixes: the source is %+v", height, l.Panes[Source])
		}
	}
}

// TestTheFocusedPaneHasRoom: in a small terminal the pane with the focus grows to what it
// has to show, and no pane is a title without rows.
func TestTheFocusedPaneHasRoom(t *testing.T) {
	in := Input{Width: 80, Height: 24, Screen: Held, Card: 3, SmallCard: 3, Values: 30}
	in.Rows[Stack], in.Rows[Goroutines], in.Rows[Output] = 6, 12, 20
	in.Empty[Fixes] = true
	for _, focus := range []int{Stack, Locals, Goroutines, Output, Fixes} {
		size := func(focus int, pane int) int {
			moved := in
			moved.Focus, moved.Empty[Fixes] = focus, pane != Fixes
			r := Compute(moved).Panes[pane]
			return r.W * r.H
		}
		if before, now := size(Source, focus), size(focus, focus); now <= before {
			t.Errorf("%s has %d cells, and with the focus %d", names[focus], before, now)
		}
	}
	in.Focus = Goroutines
	if r := Compute(in).Panes[Goroutines]; r.H < 12 || r.W < 40 {
		t.Errorf("twelve rows of goroutines have %+v", r)
	}
	for _, w := range []int{80, 119, 120, 160, 200} {
		for h := 18; h <= 60; h++ {
			for command := range 20 {
				for focus := Source; focus <= Count; focus++ {
					in.Width, in.Height, in.Command, in.Focus = w, h, command, focus
					for n, r := range Compute(in).Panes {
						if !r.Empty() && r.H < 3 {
							t.Fatalf("%dx%d, command of %d, focus on %d: pane %d is %+v", w, h, command, focus, n, r)
						}
					}
				}
			}
		}
	}
}

// TestBordersAreDragged moves every border there is, a cell or more, to both
// sides: what is in front of it grows by as much, within its bounds.
func TestBordersAreDragged(t *testing.T) {
	for _, in := range []Input{
		{Width: 160, Height: 50, Screen: Held, Focus: Source}, {Width: 200, Height: 60, Screen: Held, Focus: Source, Card: 3},
		{Width: 100, Height: 36, Screen: Held, Focus: Source}, {Width: 160, Height: 28, Screen: Held, Focus: Source},
		{Width: 160, Height: 50, Screen: Gone, Focus: Output}, {Width: 160, Height: 50, Screen: Held, Focus: Fixes, Review: true},
	} {
		dividers := Compute(in).Dividers
		if len(dividers) == 0 {
			t.Errorf("%+v: no border can be moved", in)
		}
		for i, d := range dividers {
			for _, by := range []int{-3, -1, 1, 2, 4} {
				moved := in
				moved.Shape = in.Shape.Drag(d, by)
				got := Compute(moved).Dividers[i]
				delta := got.Rect.X - d.Rect.X
				if d.Vertical {
					delta = got.Rect.Y - d.Rect.Y
				}
				if delta != by {
					t.Errorf("%dx%d, border %d of %d dragged by %d moves by %d", in.Width, in.Height, i, d.Kind, by, delta)
				}
			}
			for _, far := range []int{-500, 500} { // it comes to rest at its bounds, and can be taken back at once
				moved := in
				moved.Shape = in.Shape.Drag(d, far)
				end := Compute(moved).Dividers[i]
				back := moved
				back.Shape = moved.Shape.Drag(end, -far/500)
				if Compute(back).Dividers[i].Rect == end.Rect {
					t.Errorf("%dx%d, border %d of %d stays at its end", in.Width, in.Height, i, d.Kind)
				}
			}
		}
	}
}

// TestFocusedPaneGrows makes each pane larger and smaller by its keys.
func TestFocusedPaneGrows(t *testing.T) {
	for _, size := range [][2]int{{160, 50}, {100, 30}, {150, 24}} {
		for n := Source; n <= Count; n++ {
			in := Input{Width: size[0], Height: size[1], Screen: Held, Focus: n}
			area := func(s Shape) int {
				moved := in
				moved.Shape = s
				r := Compute(moved).Panes[n]
				return r.W * r.H
			}
			l := Compute(in)
			larger, smaller := Shape{}.Grow(l, n, 4), Shape{}.Grow(l, n, -4)
			if was := area(Shape{}); area(larger) <= was || area(smaller) >= was {
				t.Errorf("%v: %s has %d cells, %d when larger, %d when smaller", size, names[n], was, area(larger), area(smaller))
			}
		}
	}
}

func TestDividersAreFoundByTheirCells(t *testing.T) {
	l := Compute(Input{Width: 200, Height: 50, Screen: Held, Focus: Source})
	source := l.Panes[Source]
	for _, x := range []int{source.X - 1, source.X} {
		if d, ok := l.DividerAt(x, source.Y+3); !ok || d.Kind != DivideLeft {
			t.Errorf("column %d: %+v, %v", x, d, ok)
		}
	}
	if _, ok := l.DividerAt(source.X+5, source.Y+3); ok {
		t.Error("a border within a pane")
	}
}

// names are the names of the panes by their numbers.
var names = [Count + 1]string{Source: "source", Stack: "stack", Locals: "locals", Goroutines: "goroutines",
	Output: "output", Fixes: "fixes", Log: "log"}

// The fixes beside an open candidate give way where it wants to be wide, and there is
// room for both on a wide terminal.
func TestTheFixesGiveWayToAWideCandidate(t *testing.T) {
	for width, want := range map[int]bool{120: false, 200: true} {
		l := Compute(Input{Width: width, Height: 40, Screen: Held, Focus: Fixes, Review: true, ReviewWidth: 100})
		if beside := !l.Panes[Fixes].Empty(); beside != want || l.Review.W < 100 {
			t.Errorf("%d columns: the fixes are beside it: %v; it has %d columns", width, beside, l.Review.W)
		}
	}
}

// TestAWideTerminalShowsTheStopBesideAnOpenCandidate: the source, the fixes and, where
// there are any, the variables.
func TestAWideTerminalShowsTheStopBesideAnOpenCandidate(t *testing.T) {
	for _, c := range []struct {
		w, h, wants int
		none        bool // no variables
		shown       []int
	}{
		{160, 45, 0, false, []int{Fixes, Source, Locals}},
		{160, 45, 100, false, []int{Fixes, Source, Locals}},
		{200, 60, 0, true, []int{Fixes, Source}},
		{120, 36, 0, false, []int{Fixes}},
		{120, 36, 100, false, nil},
	} {
		in := Input{Width: c.w, Height: c.h, Screen: Held, Focus: Fixes, Card: 2, Review: true, ReviewWidth: c.wants, Values: 6, Fixes: 9}
		in.Empty[Locals] = c.none
		l := Compute(in)
		for n := Source; n <= Count; n++ {
			if l.Panes[n].Empty() == has(c.shown, n) {
				t.Errorf("%dx%d: %s is %+v", c.w, c.h, names[n], l.Panes[n])
			}
		}
		if s := l.Panes[Source]; l.Review.W < c.wants || !s.Empty() && s.H < l.Panes[Fixes].H {
			t.Errorf("%dx%d: the candidate has %d columns of %d, the source %d rows", c.w, c.h, l.Review.W, c.wants, s.H)
		}
	}
}

// TestAPaneThatHasLittleToShowGivesRowsAway: the output alone below the source.
func TestAPaneThatHasLittleToShowGivesRowsAway(t *testing.T) {
	in := Input{Width: 120, Height: 36, Screen: Held, Focus: Source, Card: 2}
	in.Rows[Output] = 3
	with := Compute(in)
	in.Empty[Locals] = true
	if l := Compute(in); !l.Panes[Locals].Empty() || l.Panes[Output].H != 5 || l.Panes[Source].H <= with.Panes[Source].H {
		t.Errorf("the source has %d rows, and %d where there are variables; the output has %d", l.Panes[Source].H, with.Panes[Source].H, l.Panes[Output].H)
	}
}
