package waits

import (
	"strings"
	"testing"
)

// What code elsewhere may unlock is held only perhaps; that code says so.
func TestLocksThatOthersUnlock(t *testing.T) {
	const methods = `
func (q *Q) release() { q.n++; q.mu.Unlock() }
func (q *Q) acquire() { q.mu.Lock(); q.n++ }
func (q *Q) both()    { q.mu.Lock(); q.mu.Unlock() }
`
	for name, test := range map[string]struct{ body, held, comes string }{
		"a goroutine":             {"p.mu.Lock()\n go func() {\n g()\n p.mu.Unlock()\n }()\n HERE()", "p.mu?", ""},
		"in it":                   {"p.mu.Lock()\n go func() {\n HERE1()\n p.mu.Unlock()\n }()\n g()", "", "p.mu"},
		"deferred in it":          {"go func() {\n defer p.mu.Unlock()\n HERE1()\n }()", "", "p.mu"},
		"deferred around":         {"go func() {\n defer func() { p.mu.Unlock() }()\n HERE1()\n }()", "", "p.mu"},
		"a literal of its own":    {"p.mu.Lock()\n go func() {\n p.mu.Lock()\n p.mu.Unlock()\n }()\n HERE()", "p.mu", ""},
		"a method":                {"p.mu.Lock()\n go p.release()\n HERE()", "p.mu?", ""},
		"a method to come":        {"HERE()\n p.release()", "", "p.mu"},
		"a method that does both": {"p.mu.Lock()\n go p.both()\n HERE()\n p.mu.Unlock()", "p.mu", ""},
		"a method locks":          {"HERE()\n p.acquire()\n defer p.mu.Unlock()", "", ""},
		"a method value":          {"p.mu.Lock()\n time.AfterFunc(d, p.mu.Unlock)\n HERE()", "p.mu?", ""},
		"of another lock":         {"p.mu.Lock()\n go func() { r.mu.Unlock() }()\n HERE()", "p.mu", ""},
		"deferred":                {"p.mu.Lock()\n defer func() { p.mu.Unlock() }()\n HERE()", "p.mu", ""},
		"its own":                 {"p.mu.Lock()\n HERE()\n p.mu.Unlock()", "p.mu", ""},
		"in a loop":               {"for {\n p.mu.Lock()\n HERE()\n p.mu.Unlock()\n }", "p.mu", ""},
		"of a loop":               {"for range c {\n HERE()\n p.mu.Unlock()\n }", "", "p.mu"},
		"it is past it":           {"p.mu.Unlock()\n HERE()", "", ""},
		"tried":                   {"HERE()\n if p.mu.TryLock() {\n p.mu.Unlock()\n }", "", ""},
	} {
		src := "package p\n\nfunc f() {\n" + test.body + "\n}\n" + methods
		names := func(list []Lock) string {
			var names []string
			for _, l := range list {
				if l.Doubtful {
					l.Expr += "?"
				}
				names = append(names, l.Expr)
			}
			return strings.Join(names, " ")
		}
		held, _ := heldAt([]byte(src), placeIn(src))
		if got := names(held); got != test.held {
			t.Errorf("%s: held %q, want %q", name, got, test.held)
		}
		if got := names(comes([]byte(src), placeIn(src))); got != test.comes {
			t.Errorf("%s: comes to unlock %q, want %q", name, got, test.comes)
		}
	}
}
