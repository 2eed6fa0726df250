package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

// A guard between Lock and Unlock leaves with the lock held.
func TestLocked(t *testing.T) {
	for _, tt := range []struct{ name, before, guard, after, want string }{
		{"held", "s.mu.Lock()\n", "return", "use(xs[0])\ns.mu.Unlock()\n", "s.mu"},
		{"held for reading", "s.mu.RLock()\n", "return", "use(xs[0])\ns.mu.RUnlock()\n", "s.mu"},
		{"released by the guard", "s.mu.Lock()\n", "s.mu.Unlock()\nreturn", "use(xs[0])\ns.mu.Unlock()\n", ""},
		{"deferred", "s.mu.Lock()\ndefer s.mu.Unlock()\n", "return", "use(xs[0])\n", ""},
		{"deferred in a literal", "s.mu.Lock()\ndefer func() { s.mu.Unlock() }()\n", "return", "use(xs[0])\n", ""},
		{"taken later", "", "return", "use(xs[0])\ns.mu.Lock()\ns.n++\ns.mu.Unlock()\n", ""},
		{"released before", "s.mu.Lock()\ns.n++\ns.mu.Unlock()\n", "return", "use(xs[0])\ns.mu.Lock()\ns.n++\ns.mu.Unlock()\n", ""},
		{"released in a branch that leaves", "s.mu.Lock()\nif s.n > 3 {\ns.mu.Unlock()\nreturn\n}\n", "return", "use(xs[0])\ns.mu.Unlock()\n", "s.mu"},
		{"another lock", "s.mu.Lock()\ndefer s.mu.Unlock()\n", "return", "use(xs[0])\nmu.Unlock()\n", ""},
	} {
		text := "package p\n\nfunc (s *S) f(xs []int) {\n" + tt.before + "GUARD" + tt.after + "}\n"
		before, after := edited(t, text, "GUARD", ""), edited(t, text, "GUARD", "if len(xs) == 0 {\n"+tt.guard+"\n}\n")
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		if len(r.Points) != 1 || !strings.Contains(r.Points[0].How, "returns") {
			t.Errorf("%s: points %+v", tt.name, r.Points)
			continue
		}
		if got := review.Locked(map[string]string{"p.go": after}, r.Points[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
