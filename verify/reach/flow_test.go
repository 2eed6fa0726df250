package reach

import "testing"

func TestValuesAreFollowedByName(t *testing.T) {
	const text = `package p

func f(a, b int) {
	p := find(a)
	q := p
	var w W
	w.Keep(q)
	println(q.x)
	w.Show()
	println(b)
	for _, r := range q.list {
		println(r)
	}
	func() { println(b) }()
}
`
	for line, want := range map[int]bool{4: true, 5: true, 8: true, 9: true, 10: false, 12: true, 14: false} {
		if got := Shares(text, line, []int{4}); got != want {
			t.Errorf("line %d: %v", line, got)
		}
	}
	if Shares(text, 8, []int{0, 40}) {
		t.Error("a seed of another function")
	}
}
