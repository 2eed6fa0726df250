package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
)

// shelves panics with a value of its own.
const shelves = `
-- go.mod --
module example.org/shelves

go 1.26
-- main.go --
package main

import "fmt"

// shelf returns the shelf of an item.
func shelf(items map[string]int, name string) int {
	n, ok := items[name]
	if !ok {
		panic(fmt.Sprintf("no shelf for %q", name))
	}
	return n
}

func main() {
	items := map[string]int{"bolt": 3, "nut": 4}
	for _, name := range []string{"bolt", "screw", "nut"} {
		fmt.Println(name, shelf(items, name))
	}
}
`

// shelfOf is an answer with a new body for shelf.
func shelfOf(body string) string {
	return "It is fixed.\n\n```go\nfunc shelf(items map[string]int, name string) int {\n\t" + body + "\n}\n```\n"
}

// asking are the options of a session that asks one scripted model at each stop.
func askingOptions(dir string, rounds int, answers ...string) (options.Session, *scripted) {
	model := &scripted{answers: answers}
	return options.Session{Target: options.Target{Dir: dir}, Fixes: options.Fixes{AskAtOnce: true, MaxRounds: rounds, Profiles: []options.Profile{{Name: "test", Provider: model, Model: "one"}}}}, model
}

// ofModel are the candidates of the scripted model at the newest stop, the
// oldest first.
func ofModel(s session.State) []session.CandidateRecord {
	var list []session.CandidateRecord
	if i := s.CaseIndex(); i >= 0 {
		for _, c := range s.Stops[i].Candidates {
			if c.Source.Provider == "scripted" {
				list = append(list, c)
			}
		}
	}
	return list
}

// settled reports whether n candidates of the model are proved and no model is being asked.
func settled(n int) func(session.State) bool {
	return func(s session.State) bool {
		list := ofModel(s)
		return len(list) == n && len(s.Pendings()) == 0 &&
			!slices.ContainsFunc(list, func(c session.CandidateRecord) bool { return c.Verdict == nil })
	}
}

// handled waits until what was done before is.
func (p *player) handled() session.State {
	p.t.Helper()
	p.engine.Do(intent.Note{Text: "after all"})
	return p.until("all is handled", func(s session.State) bool {
		return len(s.Notices) > 0 && s.Notices[len(s.Notices)-1].Text == "after all"
	})
}

// A person's reason goes back to the model that proposed the candidate, with
// what it had proposed; what fails then goes back as after a first try.
func TestRejectedByHandGoesBackWithTheReason(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	const reason = "an item without a shelf belongs on shelf 9"
	opts, model := askingOptions(module(t, shelves), 1, shelfOf("return items[name]"), shelfOf("return nine"), shelfOf("return eight"),
		shelfOf("n, ok := items[name]\n\tif !ok {\n\t\tn = 9\n\t}\n\treturn n"))
	p := play(t, opts)
	first := ofModel(p.until("the first is proved", settled(1)))[0].ID
	p.engine.Do(intent.Reject{Candidate: first, Reason: reason})
	s := p.until("the tries after it are proved", settled(3))
	asked := model.prompts()
	if len(asked) != 3 {
		t.Fatalf("asked %d times, want 3: the first try, the one by hand, and one more for its failure", len(asked))
	}
	for i, wants := range map[int][]string{1: {reason, "+\treturn items[name]"}, 2: {reason, "+\treturn items[name]", "undefined: nine"}} {
		for _, want := range wants {
			if !strings.Contains(asked[i], want) {
				t.Errorf("request %d does not say %q:\n%s", i+1, want, asked[i])
			}
		}
	}
	if strings.Contains(asked[0], reason) {
		t.Error("the first request knew the reason already")
	}
	list := ofModel(s)
	if c := list[0]; c.Decision != session.Rejected || c.Reason != reason {
		t.Errorf("%s is %q, because %q", c.ID, c.Decision, c.Reason)
	}

	// The rounds of the chain are used up: a person may still ask for more.
	p.engine.Do(intent.Reject{Candidate: list[2].ID, Reason: "there is no eight"})
	s = p.until("the word after the last round is answered", settled(4))
	asked = model.prompts()
	if len(asked) != 4 || !strings.Contains(asked[3], "there is no eight") || !strings.Contains(asked[3], "undefined: eight") {
		t.Errorf("asked %d times, the last:\n%s", len(asked), asked[len(asked)-1])
	}
	if c := ofModel(s)[3]; !c.Verified() {
		t.Errorf("%s is not verified: %+v", c.ID, c.Checks)
	}
}

// A model that says the same again after a rejection hears so, and not for
// ever.
func TestTheSameAgainAfterARejectionIsBounded(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, model := askingOptions(module(t, shelves), 2, shelfOf("return items[name]"))
	p := play(t, opts)
	first := ofModel(p.until("the first is proved", settled(1)))[0].ID
	p.engine.Do(intent.Reject{Candidate: first, Reason: "not shelf 0"})
	p.until("the model was asked three times more", func(s session.State) bool {
		c, ok := s.Candidate(first)
		return ok && len(c.Also) == 3 && len(s.Pendings()) == 0
	})
	s := p.handled()
	if n := len(model.prompts()); n != 4 || len(ofModel(s)) != 1 {
		t.Errorf("asked %d times, want 4; %d fixes, want 1", n, len(ofModel(s)))
	}
}

// Without a reason there is nothing to tell.
func TestARejectionWithoutAReasonAsksNoModel(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	opts, model := askingOptions(module(t, shelves), 2, shelfOf("return items[name]"))
	p := play(t, opts)
	first := ofModel(p.until("the first is proved", settled(1)))[0].ID
	p.engine.Do(intent.Reject{Candidate: first})
	p.handled()
	if n := len(model.prompts()); n != 1 {
		t.Errorf("asked %d times, want 1", n)
	}
}
