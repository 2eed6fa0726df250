package effect_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
)

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

// A method that does the same with another field of the same type.
func TestAMirrorIsASibling(t *testing.T) {
	const before = "package p\n\nfunc (b *Buffer) Undo() {\n\te := b.undo[len(b.undo)-1]\n\tb.redo = append(b.redo, e)\n}\n\nfunc (b *Buffer) Redo() {\n\tif len(b.redo) == 0 {\n\t\treturn\n\t}\n\te := b.redo[len(b.redo)-1]\n\tb.undo = append(b.undo, e)\n}\n"
	with := func(guard string) string {
		return strings.Replace(before, "\te := b.undo", guard+"\te := b.undo", 1)
	}
	for guard, want := range map[string]string{
		"\tif len(b.undo) == 0 {\n\t\treturn\n\t}\n": "(*Buffer).Redo",
		"\tif len(b.undo) == 1 {\n\t\treturn\n\t}\n": "",
	} {
		r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: with(guard)}})
		if len(r.Points) != 1 {
			t.Fatalf("%q: %+v", guard, r)
		}
		if name, _, _ := effect.Sibling(map[string]string{"p.go": before}, r.Points[0]); name != want {
			t.Errorf("%q: sibling %q, want %q", guard, name, want)
		}
	}
}

// A condition that decides an answer and a guard that returns it are the same to siblings.
func TestAConditionIsASiblingOfAGuard(t *testing.T) {
	const over = "func over(a *account) bool {\n\treturn a.n > a.limit.max\n}\n"
	const guarded = "func under(a *account) bool {\n\tif a.limit == nil {\n\t\treturn false\n\t}\n\treturn a.n < a.limit.max\n}\n"
	const asked = "func under(a *account) bool {\n\treturn a.limit != nil && a.n < a.limit.max\n}\n"
	const other = "func under(a *account) bool {\n\treturn a.limit == nil || a.n < a.limit.max\n}\n"
	const guard = "func over(a *account) bool {\n\tif a.limit == nil {\n\t\treturn false\n\t}\n\treturn a.n > a.limit.max\n}\n"
	const condition = "func over(a *account) bool {\n\treturn a.limit != nil && a.n > a.limit.max\n}\n"
	for _, test := range []struct{ sibling, now, want string }{
		{guarded, condition, "under"}, {asked, condition, "under"}, {asked, guard, "under"}, {other, condition, ""}, {other, guard, ""},
	} {
		before := "package p\n\n" + over + "\n" + test.sibling
		r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: "package p\n\n" + test.now + "\n" + test.sibling, Line: 4}})
		if len(r.Points) != 1 || r.Points[0].How != "returns false when a.limit == nil" {
			t.Fatalf("%s: %+v", test.now, r.Points)
		}
		if name, _, _ := effect.Sibling(map[string]string{"p.go": before}, r.Points[0]); name != test.want {
			t.Errorf("%s beside %s: sibling %q, want %q", test.now, test.sibling, name, test.want)
		}
	}
}

// Two results are alike if the same function of the package returned them, for the same constants.
func TestASiblingChecksTheSameResult(t *testing.T) {
	const before = "package p\n\nfunc (s *server) lookup(name string) *article { return s.all[name] }\n\nfunc (s *server) stock(name string) (int, error) {\n\ta := s.lookup(name)\n\tif a == nil {\n\t\treturn 0, errUnknown\n\t}\n\treturn a.stock, nil\n}\n\n" +
		"func (s *server) price(name string) (int, error) {\n\tarticle := s.lookup(name)\n\treturn article.cents, nil\n}\n\nfunc (s *server) weight(name string) (int, error) {\n\tarticle := s.find(name)\n\treturn article.grams, nil\n}\n\n" +
		"func (s *server) gift() (int, error) {\n\tarticle := s.lookup(\"gift\")\n\treturn article.gifts, nil\n}\n\nfunc size(f *flags) (int, error) {\n\tn := f.Get(f.name)\n\tif n == nil {\n\t\treturn 0, errUnknown\n\t}\n\treturn n.size, nil\n}\n\nfunc rate(f *flags) (int, error) {\n\tarticle := f.Get(f.name)\n\treturn article.rate, nil\n}\n"
	for line, want := range map[string]string{"\treturn article.cents": "(*server).stock", "\treturn article.grams": "", "\treturn article.gifts": "", "\treturn article.rate": ""} {
		after := strings.Replace(before, line, "\tif article == nil {\n\t\treturn 0, errUnknown\n\t}\n"+line, 1)
		r := effect.Compare([]effect.Change{{File: "p.go", Before: before, After: after}})
		if len(r.Points) != 1 {
			t.Fatalf("%+v", r)
		}
		if name, _, _ := effect.Sibling(map[string]string{"p.go": before}, r.Points[0]); name != want {
			t.Errorf("%s: sibling %q, want %q", line, name, want)
		}
	}
}
