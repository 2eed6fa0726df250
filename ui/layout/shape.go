package layout

// Place is where a pane is while the target is held.
// The source always is in the middle, and an empty pane is hidden.
type Place string

// The places.
const (
	Home   Place = "" // the pane's own place
	Left   Place = "left"
	Right  Place = "right"
	Below  Place = "below"
	Hidden Place = "hidden" // shown only while it has the focus
)

// Shape is what a person has made of the layout. Sizes are thousandths of the
// terminal, so that they hold at every size; 0 is the layout's own. The zero
// Shape is the layout as it comes.
type Shape struct {
	Left  int `json:"left,omitempty"`  // width of what is at the left
	Right int `json:"right,omitempty"` // width of what is at the right
	Below int `json:"below,omitempty"` // height of what is below
	// Shares are how much of its region each pane takes, compared with the others.
	Shares [Count + 1]int   `json:"shares,omitzero"`
	Places [Count + 1]Place `json:"places,omitzero"`
}

// The bounds of a size, in thousandths.
const leastSize, mostSize = 50, 850

// homes and shares of the layout as it comes, in three columns and in two. The
// log is shown where there is room for it.
var (
	homes  = [Count + 1]Place{Stack: Left, Locals: Below, Goroutines: Left, Output: Below, Fixes: Right, Log: Hidden, Why: Hidden}
	inTwo  = [Count + 1]Place{Stack: Right, Locals: Below, Goroutines: Right, Output: Below, Fixes: Right, Log: Hidden, Why: Hidden}
	shares = [Count + 1]int{Stack: 580, Locals: 450, Goroutines: 420, Output: 550, Fixes: 500, Log: 370, Why: 550}
)

// Sound is the shape without what no terminal could show: it may have been
// read from a file.
func (s Shape) Sound() Shape {
	for _, size := range []*int{&s.Left, &s.Right, &s.Below} {
		if *size != 0 {
			*size = within(*size, leastSize, mostSize)
		}
	}
	for n := range s.Shares {
		s.Shares[n] = within(s.Shares[n], 0, 2000)
		switch s.Places[n] {
		case Left, Right, Below, Hidden:
		default:
			s.Places[n] = Home
		}
	}
	s.Places[Source], s.Places[0] = Home, Home
	return s
}

// With returns the shape with a pane at a place.
func (s Shape) With(pane int, p Place) Shape {
	if pane > Source && pane <= Count {
		s.Places[pane] = p
	}
	return s
}

func (s Shape) place(in Input, n int) Place {
	switch p := s.Places[n]; {
	case n == Source:
		return Home
	case in.Empty[n] && in.Focus != n:
		return Hidden
	case p != Home:
		return p
	case !in.wide():
		return inTwo[n]
	case n == Log:
		return Below
	}
	return homes[n]
}

// at lists the panes of a place, by their numbers.
func (s Shape) at(in Input, p Place) []int {
	var list []int
	for n := Stack; n <= Count; n++ {
		if s.place(in, n) == p {
			list = append(list, n)
		}
	}
	return list
}

func (s Shape) share(n int) int {
	if s.Shares[n] > 0 {
		return s.Shares[n]
	}
	return shares[n]
}

// part is how much of a length the first of some panes takes; each of the
// others keeps at least least, where that is possible.
func (s Shape) part(length int, panes []int, least int) int {
	sum := 0
	for _, n := range panes {
		sum += s.share(n)
	}
	return within(length*s.share(panes[0])/sum, min(least, length), max(length-least*(len(panes)-1), 0))
}

// cells is a share of a length, by thousandths, within bounds; otherwise where
// it was not set.
func cells(set, length, otherwise, low, high int) int {
	if set != 0 {
		otherwise = length * set / 1000
	}
	return max(min(otherwise, high), min(low, high), 0)
}
