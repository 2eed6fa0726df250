package layout

import "testing"

// TestRectanglesDoNotOverlap lays out every screen at many sizes: rectangles
// stay within the terminal and apart from each other.
func TestRectanglesDoNotOverlap(t *testing.T) {
	for _, screen := range []Screen{Held, Flow, Gone, Building, Broken} {
		for w := 1; w <= 250; w += 3 {
			for h := 1; h <= 80; h += 2 {
				for focus := Source; focus <= Count; focus++ {
					for _, extra := range []Input{{}, {Card: 3, Banner: true}, {Card: 2, Review: true, Command: 8}} {
						in := extra
						in.Width, in.Height, in.Screen, in.Focus = w, h, screen, focus
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
	rects := []Rect{l.Status, l.Banner, l.Card, l.Tabs, l.Review, l.Main, l.Command, l.Bottom}
	if l.Card.Y == l.Status.Y && !l.Wide {
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
}
