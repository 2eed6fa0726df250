package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// notes are listed by their authors, of whom the last one has none.
const notes = `
-- go.mod --
module example.org/notes

go 1.26
-- main.go --
package main

import "fmt"

type author struct{ name string }

// byline says who wrote a note.
func byline(by *author) string {
	return "by " + by.name
}

func main() {
	for _, by := range []*author{{"Ann"}, {"Bo"}, nil} {
		fmt.Println(byline(by))
	}
}
`

// The regression test asserts what the function answers once that was compared: as before
// to calls of the run, and anew to the one that panicked, which approving confirms.
func TestTheRegressionTestAsserts(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, notes)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Headless: true}})
	id := ""
	compared := func(s session.State) bool {
		if i := s.CaseIndex(); i >= 0 {
			j := slices.IndexFunc(s.Stops[i].Candidates, func(c session.CandidateRecord) bool { return c.Asserts != nil && c.Asserts.Why == "" })
			if j >= 0 {
				id = s.Stops[i].Candidates[j].ID
			}
		}
		return id != ""
	}
	c, _ := p.until("a test asserts answers", compared).Candidate(id)
	test := *c.Test()
	for _, want := range []string{"func TestBylineAnswers(", `{"the call that panicked", nil, `, "// new: confirm", `{"call 1 of the run", &author{name: "Ann"}, "by Ann"}`, `"by Bo"}`} {
		if !strings.Contains(test.Edit.After, want) {
			t.Errorf("no %q in\n%s", want, test.Edit.After)
		}
	}
	// A row that was made up joins it.
	row := slices.IndexFunc(c.Behavior.Rows, func(r verdict.BehaviorRow) bool { return !r.Stop })
	if row >= 0 {
		p.engine.Do(intent.AssertRow{Candidate: id, Row: row})
		c, _ = p.until("a row was picked", func(s session.State) bool {
			c, _ := s.Candidate(id)
			return len(c.Asserts.Rows) == 1
		}).Candidate(id)
		if test = *c.Test(); !strings.Contains(test.Edit.After, `"input 1"`) {
			t.Errorf("the row is not in\n%s", test.Edit.After)
		}
	}
	p.editsTheTest(c)
	p.engine.Do(intent.AssertRow{Candidate: id, Row: 99})
	p.until("a row is refused", func(s session.State) bool {
		return len(s.Notices) > 0 && strings.Contains(s.Notices[len(s.Notices)-1].Text, "no such row")
	})
	p.engine.Do(intent.Approve{Candidate: id, Test: "TestOfAnEarlierTime"})
	p.until("another test is refused", func(s session.State) bool {
		return strings.Contains(s.Notices[len(s.Notices)-1].Text, "another one by now")
	})
	p.engine.Do(intent.Approve{Candidate: id, Test: test.Name})
	s := p.until("it is applied", func(s session.State) bool { return len(s.Applied) > 0 && s.Judged != nil })
	written, err := os.ReadFile(filepath.Join(dir, "main_test.go"))
	if err != nil || strings.Contains(string(written), "confirm") || !strings.Contains(string(written), "func TestBylineAnswers(") {
		t.Errorf("written: %v\n%s", err, written)
	}
	if c, _ := s.Candidate(id); c.Test().Edit.After != string(written) {
		t.Errorf("the log says that this was written:\n%s", c.Test().Edit.After)
	}
	p.engine.Do(intent.Undo{})
	p.until("it is undone", func(s session.State) bool { return s.Applied[0].Undone })
	if _, err := os.Stat(filepath.Join(dir, "main_test.go")); !os.IsNotExist(err) {
		t.Errorf("the test is still there: %v", err)
	}
}

// editsTheTest changes the regression test of a fix: that is a fix with a test of its own.
func (p *player) editsTheTest(c session.CandidateRecord) {
	p.t.Helper()
	edit := c.Test().Edit
	changed := edit.After + "\n// A person's.\n"
	p.engine.Do(intent.Revise{Candidate: c.ID, Files: map[string]string{c.Edits[0].File: c.Edits[0].After, edit.File: changed}})
	var made session.CandidateRecord
	p.until("an edit of the test is proved", func(s session.State) bool {
		list := s.Stops[s.CaseIndex()].Candidates
		made = list[len(list)-1]
		return made.Parent == c.ID && made.Verdict != nil
	})
	if edits := made.ToWrite(); len(edits) != 2 || edits[1].After != changed {
		p.t.Errorf("the edit writes %+v", edits)
	}
	if check, _ := verdict.Find(made.Checks, verdict.Tests); check.Status != verdict.Pass {
		p.t.Errorf("the edited test: %s %s", check.Status, check.Detail)
	}
}
