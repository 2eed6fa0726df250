package reach

import (
	"strings"
	"testing"
)

// A crash does not come of a value that the candidate assigns where nothing carries that
// there.
func TestWhatIsAssignedMayReachACrash(t *testing.T) {
	const program = `package p

import "fmt"

type shop struct {
	hits   map[string]int
	orders []*order
	log    *logger
	size   int
	hook   func(*shop)
	*stock
}

type stock struct{ left []int }

type order struct{ total *int }

type logger struct{ lines []string }

func (l *logger) put(text string) { l.lines = append(l.lines, text) }

func newShop() *shop { return &shop{orders: make([]*order, 3)} }

func (s *shop) find(i int) *order { return s.orders[i] }

func (s *shop) count(name string) {
	s.hits[name]++
	fmt.Println("counted", len(s.hits))
}

func (s *shop) last() string {
	text := s.log.lines[0]
	return text
}

func (s *shop) all() (found []int) {
	found = s.left
	return
}

func (s *shop) fits(i int) bool { return i < s.size }

func main() {
	s := newShop()
	s.count("a")
	s.log.put("started")
	o := s.find(0)
	println(*o.total) // order
	l := s.last()
	fmt.Println(l[3]) // line
	fmt.Println(s.all()[2]) // all
	if s.fits(1) {
		println(*o.total) // fits
	}
}
`
	for _, tt := range []struct {
		old, now, crash string
		may             bool
	}{
		{"make([]*order, 3)}", "make([]*order, 3), hits: map[string]int{}}", "// order", false},
		{"\ts.hits[name]++", "\tif s.hits == nil {\n\t\ts.hits = make(map[string]int)\n\t}\n\ts.hits[name]++", "// order", false},
		{"\ts.count(", "\ts.hits = map[string]int{}\n\ts.count(", "// order", false},
		{"\ts.count(", "\ts.hits = map[string]int{} // made\n\n\ts.count(", "// line", false},
		{"\ts.count(", "\ts.hits = make(map[string]int, s.size+1)\n\ts.count(", "// order", false},
		{"make([]*order, 3)}", "make([]*order, 4)}", "// order", true},                  // by what find returns
		{"make([]*order, 3)}", "make([]*order, 3), log: &logger{}}", "// order", false}, // only lines come of it
		{"make([]*order, 3)}", "make([]*order, 3), log: &logger{}}", "// line", true},
		{"make([]*order, 3)}", "make([]*order, 3), size: 9}", "// fits", true},        // it decides what runs
		{"make([]*order, 3)}", "make([]*order, 3), stock: &stock{}}", "// all", true}, // which may be used without its name
		{"found = s.left", "s.left = nil\n\tfound = s.left", "// all", true},
		{"make([]*order, 3)}", "make([]*order, 3), hits: fresh()}", "// order", true},
		{"\ts.count(\"a\")\n", "", "// order", true}, // something else than an assignment
		{"\ts.count(", "\ts.hits = other.hits\n\ts.hook(s)\n\ts.count(", "// order", true},
		{"println(*o.total) // order", "o.total = new(int)\n\tprintln(*o.total) // order", "// order", true},
		{"make([]*order, 3)}", "make([]*order, 3), hits: map[string]int{}}", "// nowhere", true},
	} {
		r := New()
		_, only := r.Read(map[string]string{"p.go": program}, map[string]string{"p.go": strings.Replace(program, tt.old, tt.now, 1)}, func(file string) string { return "/" + file })
		before, _, _ := strings.Cut(strings.Replace(program, tt.old, tt.now, 1), tt.crash)
		r.Crashed["/p.go"] = map[int]bool{strings.Count(before, "\n") + 1: true}
		if got := !only || r.Gets(); got != tt.may {
			t.Errorf("%q for %q: may reach %q: %v; %v", tt.now, tt.old, tt.crash, got, r.reached)
		}
	}
}
