package balance_test

import (
	"testing"

	"github.com/pausetui/pausetui/verify/balance"
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
		gain, loss := balance.Compare(map[string]string{"p.go": "package p\n\n" + tt.before}, map[string]string{"p.go": "package p\n\n" + tt.after})
		if gain != tt.gain || loss != tt.loss {
			t.Errorf("%s: gain %q, loss %q", name, gain, loss)
		}
	}
}
