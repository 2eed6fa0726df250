package review_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

func TestSibling(t *testing.T) {
	const before = "package p\n\nfunc (c *Cache) Get(k string) *item {\n\tif c.items == nil {\n\t\treturn nil\n\t}\n\treturn c.items[k]\n}\n\nfunc (c *Cache) Peek(k string) *item {\n\treturn c.items[k].next\n}\n\nfunc positive(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n\n}\n\nfunc root(n int) int { return 7 / n }\n"
	after := strings.Replace(before, "\treturn c.items[k].next", "\tif c.items == nil {\n\t\treturn nil\n\t}\n\treturn c.items[k].next", 1)
	r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
	if len(r.Points) != 1 {
		t.Fatalf("%+v", r)
	}
	if name, file, line := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); name != "(*Cache).Get" || file != "p.go" || line != 4 {
		t.Errorf("sibling %s %s:%d", name, file, line)
	}
	// A comparison of two numbers is everywhere, and says nothing.
	after = strings.Replace(before, "func root(n int) int { return 7 / n }", "func root(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn 7 / n\n}", 1)
	r = effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
	for _, p := range r.Points {
		if name, _, _ := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, p); name != "" {
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
	after := insert("\tif n == nil {\n\t\treturn\n\t}\n")
	r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 12}})
	if len(r.Points) != 1 {
		t.Fatalf("points %+v", r.Points)
	}
	if name, _, _ := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); name != "" {
		t.Errorf("%s excuses it", name)
	}
}

// A sibling asks the same of the same, and answers in the same way.
func TestASiblingIsStrict(t *testing.T) {
	const types = "package p\n\nimport \"errors\"\n\ntype name struct{ s string }\n\ntype person struct {\n\tname, nick *name\n\tage int\n\tpals []*person\n\tby map[string]*name\n}\n\n" +
		"var errMissing, errNone = errors.New(\"missing\"), errors.New(\"none\")\n\nvar last *name\n\nfunc find(key string) *name { return nil }\n\nfunc pick(ns ...*name) *name { return nil }\n\n"
	sums := "\tn0 := last\n"
	for i := range 29 {
		sums += fmt.Sprintf("\tn%d := pick(n%d, n%d)\n", i+1, i, i)
	}
	for _, tt := range []struct {
		why, sibling, comment, head, before, guard, after string
		want                                              bool
	}{
		{"the same field", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "", "(p *person) text() string {\n", "", "if p.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.name.s\n", true},
		{"of an argument", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "", "text(q *person) string {\n", "", "if q.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn q.name.s\n", true},
		{"another field", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "", "(p *person) text() string {\n", "", "if p.nick == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.nick.s\n", false},
		{"another field, refused", "(p *person) title() (string, error) {\n\tif p.name == nil {\n\t\treturn \"\", errMissing\n\t}\n", "", "(p *person) text() (string, error) {\n", "", "if p.nick == nil {\n\t\treturn \"\", errMissing\n\t}\n", "\treturn p.nick.s, nil\n", false},
		{"another answer", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"-\"\n\t}\n", "", "(p *person) text() string {\n", "", "if p.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.name.s\n", false},
		{"another type of the answer", "(p *person) title() *name {\n\tif p.name == nil {\n\t\treturn nil\n\t}\n", "", "(p *person) text() []string {\n", "", "if p.name == nil {\n\t\treturn nil\n\t}\n", "\treturn []string{p.name.s}\n", false},
		{"more answers", "(p *person) title() (string, int) {\n\tif p.name == nil {\n\t\treturn \"\", 0\n\t}\n", "", "(p *person) text() string {\n", "", "if p.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.name.s\n", false},
		{"a sentinel and a message", "(p *person) title() (string, error) {\n\tif p.name == nil {\n\t\treturn \"\", errMissing\n\t}\n", "", "(p *person) text() (string, error) {\n", "", "if p.name == nil {\n\t\treturn \"\", errors.New(\"no name\")\n\t}\n", "\treturn p.name.s, nil\n", false},
		{"two sentinels", "(p *person) title() (string, error) {\n\tif p.name == nil {\n\t\treturn \"\", errMissing\n\t}\n", "", "(p *person) text() (string, error) {\n", "", "if p.name == nil {\n\t\treturn \"\", errNone\n\t}\n", "\treturn p.name.s, nil\n", true},
		{"a receiver and a receiver", "(p *person) title() string {\n\tif p == nil {\n\t\treturn \"\"\n\t}\n", "", "(q *person) text() string {\n", "", "if q == nil {\n\t\treturn \"\"\n\t}\n", "\treturn q.name.s\n", true},
		{"a receiver and an argument", "(p *person) title(q *person) string {\n\tif q == nil {\n\t\treturn \"\"\n\t}\n", "", "(q *person) text() string {\n", "", "if q == nil {\n\t\treturn \"\"\n\t}\n", "\treturn q.name.s\n", false},
		{"an entry of the same map", "(p *person) title(s string) string {\n\tif p.by[s] == nil {\n\t\treturn \"\"\n\t}\n", "", "(q *person) text(of string) string {\n", "", "if q.by[of] == nil {\n\t\treturn \"\"\n\t}\n", "\treturn q.by[of].s\n", true},
		{"another entry", "(p *person) title() string {\n\tif p.by[\"a\"] == nil {\n\t\treturn \"\"\n\t}\n", "", "(q *person) text() string {\n", "", "if q.by[\"b\"] == nil {\n\t\treturn \"\"\n\t}\n", "\treturn q.by[\"b\"].s\n", false},
		{"a variable of the package", "title() string {\n\tif last == nil {\n\t\treturn \"\"\n\t}\n", "", "text() string {\n", "", "if last == nil {\n\t\treturn \"\"\n\t}\n", "\treturn last.s\n", true},
		{"a local variable and the field", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "", "(p *person) text() string {\n", "\tn := p.name\n", "if n == nil {\n\t\treturn \"\"\n\t}\n", "\treturn n.s\n", true},
		{"a local variable that changes", "title() string {\n\tn := find(\"a\")\n\tif n == nil {\n\t\treturn \"\"\n\t}\n", "", "text() string {\n", "\tn := find(\"a\")\n\tn = last\n", "if n == nil {\n\t\treturn \"\"\n\t}\n", "\treturn n.s\n", false},
		{"a local variable that is made of itself", "title() string {\n\tvar n *name\n\tn = pick(n)\n\tif n == nil {\n\t\treturn \"\"\n\t}\n", "", "text() string {\n", "\tvar n *name\n\tn = pick(n)\n", "if n == nil {\n\t\treturn \"\"\n\t}\n", "\treturn n.s\n", false},
		{"many variables that are made of each other", "title() string {\n" + sums + "\tif n29 == nil {\n\t\treturn \"\"\n\t}\n", "", "text() string {\n", sums, "if n29 == nil {\n\t\treturn \"\"\n\t}\n", "\treturn n29.s\n", false},
		{"elements of one field", "(p *person) title() string {\n\tfor _, q := range p.pals {\n\t\tif q == nil {\n\t\t\tcontinue\n\t\t}\n\t}\n", "", "(p *person) text() (s string) {\n", "\tfor _, pal := range p.pals {\n", "if pal == nil {\n\t\tcontinue\n\t}\n", "\ts += pal.name.s\n\t}\n\treturn s\n", true},
		{"another way out of the loop", "(p *person) title() string {\n\tfor _, q := range p.pals {\n\t\tif q == nil {\n\t\t\tbreak\n\t\t}\n\t}\n", "", "(p *person) text() (s string) {\n", "\tfor _, pal := range p.pals {\n", "if pal == nil {\n\t\tcontinue\n\t}\n", "\ts += pal.name.s\n\t}\n\treturn s\n", false},
		{"a comment that says something else", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "// text is what to print, the nickname if there is no name.\n", "(p *person) text() string {\n", "", "if p.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.name.s\n", false},
		{"a comment that says nothing of it", "(p *person) title() string {\n\tif p.name == nil {\n\t\treturn \"\"\n\t}\n", "// text is what to print.\n", "(p *person) text() string {\n", "", "if p.name == nil {\n\t\treturn \"\"\n\t}\n", "\treturn p.name.s\n", true},
	} {
		text := types + "func " + tt.sibling + "\tpanic(\"\")\n}\n\n" + tt.comment + "func " + tt.head + tt.before + "GUARD" + tt.after + "}\n"
		before, after := edited(t, text, "GUARD", ""), edited(t, text, "GUARD", tt.guard)
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		if len(r.Points) != 1 {
			t.Errorf("%s: points %+v", tt.why, r.Points)
			continue
		}
		if name, _, _ := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); (name != "") != tt.want {
			t.Errorf("%s: sibling %q", tt.why, name)
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
		before, after := "package p\n\n"+over+"\n"+test.sibling, "package p\n\n"+test.now+"\n"+test.sibling
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}, Line: 4}})
		if len(r.Points) != 1 || r.Points[0].How != "returns false when a.limit == nil" {
			t.Fatalf("%s: %+v", test.now, r.Points)
		}
		if name, _, _ := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); name != test.want {
			t.Errorf("%s beside %s: sibling %q, want %q", test.now, test.sibling, name, test.want)
		}
	}
}

// Two results are alike if the same function of the package returned them, for the same constants.
func TestASiblingChecksTheSameResult(t *testing.T) {
	const before = "package p\n\ntype server struct{ all map[string]*article }\n\nfunc (s *server) lookup(name string) *article { return s.all[name] }\n\nfunc (s *server) stock(name string) (int, error) {\n\ta := s.lookup(name)\n\tif a == nil {\n\t\treturn 0, errUnknown\n\t}\n\treturn a.stock, nil\n}\n\n" +
		"func (s *server) price(name string) (int, error) {\n\tarticle := s.lookup(name)\n\treturn article.cents, nil\n}\n\nfunc (s *server) weight(name string) (int, error) {\n\tarticle := s.find(name)\n\treturn article.grams, nil\n}\n\n" +
		"func (s *server) gift() (int, error) {\n\tarticle := s.lookup(\"gift\")\n\treturn article.gifts, nil\n}\n\nfunc size(f *flags) (int, error) {\n\tn := f.Get(f.name)\n\tif n == nil {\n\t\treturn 0, errUnknown\n\t}\n\treturn n.size, nil\n}\n\nfunc rate(f *flags) (int, error) {\n\tarticle := f.Get(f.name)\n\treturn article.rate, nil\n}\n"
	for line, want := range map[string]string{"\treturn article.cents": "(*server).stock", "\treturn article.grams": "", "\treturn article.gifts": "", "\treturn article.rate": ""} {
		after := strings.Replace(before, line, "\tif article == nil {\n\t\treturn 0, errUnknown\n\t}\n"+line, 1)
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		if len(r.Points) != 1 {
			t.Fatalf("%+v", r)
		}
		if name, _, _ := review.Sibling(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); name != want {
			t.Errorf("%s: sibling %q, want %q", line, name, want)
		}
	}
}
