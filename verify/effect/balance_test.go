package effect_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
)

func TestBalance(t *testing.T) {
	for name, tt := range map[string]struct{ before, after, gain, loss string }{
		"an unlock too many": {
			"func (s *S) f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.n == 0 {\n\t\ts.mu.Unlock()\n\t\treturn\n\t}\n\ts.n--\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.n == 0 {\n\t\treturn\n\t}\n\ts.n--\n}\n",
			"mu is unlocked as often as locked on every path through (*S).f", ""},
		"the only unlock": {
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.n--\n\ts.mu.Unlock()\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.n--\n}\n",
			"", "leaves mu unbalanced in (*S).f"},
		"in a function that is called": {
			"func (s *S) f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.g()\n}\n\nfunc (s *S) g() {\n\ts.mu.Unlock()\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.g()\n}\n\nfunc (s *S) g() {\n}\n",
			"mu is unlocked as often as locked on every path through (*S).f", ""},
		"a caller that relied on it": {
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.g()\n}\n\nfunc (s *S) g() {\n\tdefer s.mu.Unlock()\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.g()\n}\n\nfunc (s *S) g() {\n}\n",
			"mu is unlocked as often as locked on every path through (*S).g", "leaves mu unbalanced in (*S).f"},
		"counted down twice": {
			"func f() {\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tif bad() {\n\t\t\twg.Done()\n\t\t\treturn\n\t\t}\n\t\twork()\n\t}()\n}\n",
			"func f() {\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tif bad() {\n\t\t\treturn\n\t\t}\n\t\twork()\n\t}()\n}\n",
			"wg is counted down once on every path through f (goroutine 1)", ""},
		"closed twice": {
			"func f(ch chan int) {\n\tdefer close(ch)\n\tfor i := range 3 {\n\t\tch <- i\n\t}\n\tclose(ch)\n}\n",
			"func f(ch chan int) {\n\tdefer close(ch)\n\tfor i := range 3 {\n\t\tch <- i\n\t}\n}\n",
			"ch is closed once on every path through f", ""},
		"a counter that is new": {
			"func (s *S) f(task func()) {\n\ts.tasks <- task\n}\n\nfunc (s *S) run(task func()) {\n\ttask()\n}\n",
			"func (s *S) f(task func()) {\n\ts.group.Add(1)\n\tif !s.open {\n\t\ts.group.Done()\n\t\ts.group.Done()\n\t\treturn\n\t}\n\ts.tasks <- task\n}\n\nfunc (s *S) run(task func()) {\n\tdefer s.group.Done()\n\ttask()\n}\n",
			"", ""},
		"another lock": {
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.mu.Unlock()\n}\n",
			"func (s *S) f() {\n\ts.mu.Lock()\n\ts.mu.Unlock()\n\ts.n++\n}\n", "", ""},
	} {
		gain, loss := effect.Balance(map[string]string{"p.go": "package p\n\n" + tt.before}, map[string]string{"p.go": "package p\n\n" + tt.after})
		if gain != tt.gain || loss != tt.loss {
			t.Errorf("%s: gain %q, loss %q", name, gain, loss)
		}
	}
}

func TestSibling(t *testing.T) {
	const before = "package p\n\nfunc (c *Cache) Get(k string) *item {\n\tif c.items == nil {\n\t\treturn nil\n\t}\n\treturn c.items[k]\n}\n\nfunc (c *Cache) Peek(k string) *item {\n\treturn c.items[k].next\n}\n\nfunc positive(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n\n}\n\nfunc root(n int) int { return 7 / n }\n"
	after := strings.Replace(before, "\treturn c.items[k].next", "\tif c.items == nil {\n\t\treturn nil\n\t}\n\treturn c.items[k].next", 1)
	r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: after}})
	if len(r.Points) != 1 {
		t.Fatalf("%+v", r)
	}
	if name, file, line := effect.Sibling(map[string]string{"p.go": before}, r.Points[0]); name != "(*Cache).Get" || file != "p.go" || line != 4 {
		t.Errorf("sibling %s %s:%d", name, file, line)
	}
	// A comparison of two numbers is everywhere, and says nothing.
	after = strings.Replace(before, "func root(n int) int { return 7 / n }", "func root(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn 7 / n\n}", 1)
	r = effect.Compare([]effect.Change{{File: "p.go", Before: before, After: after}})
	for _, p := range r.Points {
		if name, _, _ := effect.Sibling(map[string]string{"p.go": before}, p); name != "" {
			t.Errorf("sibling %s", name)
		}
	}
}

// A function that only looks is no example for one that would lose what it was
// given.
func TestASiblingThatOnlyLooksExcusesNoLoss(t *testing.T) {
	const walk = "func (n *node) walk() {\n\tif n == nil {\n\t\treturn\n\t}\n\tn.left.walk()\n\tuse(n.v)\n}\n"
	insert := func(guard string) string {
		return "package p\n\n" + walk + "\nfunc (n *node) insert(v int) {\n" + guard + "\tif n.left == nil {\n\t\tn.left = &node{v: v}\n\t\treturn\n\t}\n\tn.right.insert(v)\n}\n"
	}
	before := insert("")
	r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: insert("\tif n == nil {\n\t\treturn\n\t}\n"), Line: 12}})
	if len(r.Points) != 1 {
		t.Fatalf("points %+v", r.Points)
	}
	if name, _, _ := effect.Sibling(map[string]string{"p.go": before}, r.Points[0]); name != "" {
		t.Errorf("%s excuses it", name)
	}
}
