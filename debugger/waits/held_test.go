package waits

import (
	"strings"
	"testing"
)

func TestHeldAt(t *testing.T) {
	for name, test := range map[string]struct{ body, want string }{
		"deferred":            {"s.mu.Lock()\n defer s.mu.Unlock()\n HERE()", "s.mu"},
		"not yet":             {"HERE()\n s.mu.Lock()", ""},
		"waits for it":        {"s.mu.Lock() // HERE", ""},
		"given back":          {"s.mu.Lock()\n s.n++\n s.mu.Unlock()\n HERE()", ""},
		"two":                 {"a.mu.Lock()\n b.mu.Lock()\n HERE()", "a.mu b.mu"},
		"one given back":      {"a.mu.Lock()\n b.mu.Lock()\n a.mu.Unlock()\n HERE()", "b.mu"},
		"in a branch":         {"mu.Lock()\n if x {\n  HERE()\n }\n mu.Unlock()", "mu"},
		"locked in a branch":  {"if x {\n mu.Lock()\n HERE()\n mu.Unlock()\n}", "mu"},
		"other branch":        {"if x {\n mu.Lock()\n f()\n mu.Unlock()\n} else {\n HERE()\n}", ""},
		"left early":          {"mu.Lock()\n if x {\n mu.Unlock()\n return\n }\n HERE()", "mu"},
		"perhaps given back":  {"mu.Lock()\n if x {\n mu.Unlock()\n }\n HERE()", ""},
		"read":                {"mu.RLock()\n defer mu.RUnlock()\n HERE()", "mu(read)"},
		"read and write":      {"mu.RLock()\n mu.RUnlock()\n mu.Lock()\n HERE()", "mu"},
		"in a loop":           {"for {\n mu.Lock()\n select {\n case <-c:\n  HERE()\n }\n mu.Unlock()\n}", "mu"},
		"in a literal":        {"mu.Lock()\n go func() {\n  HERE1()\n }()", ""},
		"a literal's own":     {"f(func() {\n mu.Lock()\n HERE1()\n})", "mu"},
		"call of a literal":   {"mu.Lock()\n func() { f() }() // HERE", "mu"},
		"literal on a line":   {"mu.Lock()\n defer mu.Unlock()\n return func() { HERE1() }", ""},
		"around its call":     {"mu.Lock()\n func() {\n f()\n }() // HERE", "mu"},
		"inner literal":       {"f(func() {\n mu.Lock()\n g(func() { HERE2() })\n})", ""},
		"one of two literals": {"f(func() {\n mu.Lock()\n }, func() { HERE1() })", ""},
		"another's":           {"mu.Unlock()\n HERE()", "-mu"},
		"both in a branch":    {"if x {\n mu.RLock()\n mu.RUnlock()\n }\n HERE()", ""},
		"locked again":        {"mu.Unlock()\n f()\n mu.Lock()\n HERE()", "mu -mu"},
		"in a switch":         {"switch x {\n case 1:\n  mu.Lock()\n  HERE()\n }", "mu"},
		"pointers and calls":  {"(*p).mu.Lock()\n m[k].Lock()\n HERE()", "(*p).mu m[k]"},
		"something of ours":   {"s.Lock(1)\n HERE()", ""},
		"statement with room": {"mu.Lock()\n x := f(\n  1,\n  HERE)\n _ = x", "mu"},
	} {
		src := "package p\n\nfunc f() {\n" + test.body + "\n}\n"
		var got []string
		held, given := heldAt([]byte(src), placeIn(src))
		for _, l := range held {
			if l.Read {
				l.Expr += "(read)"
			}
			got = append(got, l.Expr)
		}
		for _, l := range given {
			got = append(got, "-"+l.Expr)
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
	if held, given := heldAt([]byte("no Go"), place{line: 1}); held != nil || given != nil {
		t.Error(held, given)
	}
}

// placeIn is the place of HERE in a text, of HERE1 in a literal.
func placeIn(src string) place {
	before, after, _ := strings.Cut(src, "HERE")
	at := place{line: 1 + strings.Count(before, "\n")}
	if d := after[0] - '0'; d <= 9 {
		at.depth = int(d)
	}
	return at
}
