package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// recovering goes on after its panic, and ends well with the panic and without it.
const recovering = `
-- go.mod --
module example.org/recovering

go 1.26
-- main.go --
package main

import "fmt"

type order struct{ seen map[string]int }

func (o *order) check(word string) { o.seen[word]++ }

func try(o *order, word string) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("recovered:", r)
		}
	}()
	o.check(word)
}

func main() {
	o := &order{}
	try(o, "a")
	try(o, "b")
	fmt.Println(len(o.seen))
}
`

// A fix of a panic that somebody recovers is judged by its proof, though it is approved
// before that has ended.
func TestAFixApprovedBeforeItsProof(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, recovering)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Panics: debugger.PanicsAll}, Fixes: options.Fixes{MaxRounds: -1}})
	s := p.until("a fix is proposed", proposed(1))
	c := s.Stops[s.CaseIndex()].Candidates[0]
	p.engine.Do(intent.Approve{Candidate: c.ID, WithoutTest: true})
	s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
	if j := s.Judged; j.Judgement != session.Fixed || !strings.Contains(j.Evidence, "no panic at main.go:7, exit 0") {
		t.Errorf("judged %+v", j)
	}
	if c, _ := s.Candidate(c.ID); c.Verdict != nil {
		t.Log("its proof had ended: nothing was tried")
	}
}
