package fixer_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/fixer"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// A panic in a module that is not the user's is explained there, and named as
// being outside.
func TestAPanicOutsideOfTheUsersModules(t *testing.T) {
	const module = `
-- go.mod --
module example.com/fixture

go 1.25

require example.com/dep v1.0.0
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.25
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep

type Conf struct {
	vals  map[string]string
	hooks map[string]func()
	limit int
}

func New() *Conf { return &Conf{hooks: map[string]func(){}} }

//go:noinline
func (c *Conf) Set(k, v string) {
	c.vals[k] = v
}

//go:noinline
func (c *Conf) Call(k string) {
	c.hooks[k]()
}

//go:noinline
func (c *Conf) Share(n int) int {
	return n / c.limit
}
-- main.go --
package main

import "example.com/dep"

func main() {
	c := dep.New()
	CALL
}
`
	for _, c := range []struct{ call, want string }{
		{`c.Set("a", "b")`, "c.vals is nil in example.com/dep.(*Conf).Set (dep.go:13), outside this module, because New (dep.go:9) never sets vals"},
		{`c.Call("reload")`, "c.hooks[k] is nil in example.com/dep.(*Conf).Call (dep.go:18), outside this module"},
		{`println(c.Share(7))`, "c.limit is 0 in example.com/dep.(*Conf).Share (dep.go:23), outside this module"},
	} {
		t.Run(c.call, func(t *testing.T) {
			p := program{dir: testsupport.Module(t, strings.Replace(module, "CALL", c.call, 1)), pkg: "."}
			diagnosis, candidates, err := fixer.Propose(t.Context(), p.pause(t).Case)
			if err != nil || !strings.Contains(diagnosis.Sentence, c.want) || strings.Contains(diagnosis.Sentence, "main.main") {
				t.Errorf("%q, %v; want %q", diagnosis.Sentence, err, c.want)
			}
			if len(candidates) == 0 && !strings.HasSuffix(diagnosis.Unfixable, "is outside this module, where nothing is changed") {
				t.Errorf("why nothing is proposed: %q", diagnosis.Unfixable)
			}
		})
	}
}
