package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// ranked makes a candidate for a comparison of two.
type ranked func(*CandidateRecord)

func made(options ...ranked) CandidateRecord {
	c := CandidateRecord{Candidate: patch.Candidate{Source: patch.Source{Provider: "builtin"}, Edits: []patch.Edit{{File: "a.go", After: "x\nx\n"}}}}
	for _, o := range options {
		o(&c)
	}
	return c
}

// proved gives a candidate a verdict whose checks pass.
func provedAs(e verdict.Effect) ranked {
	return func(c *CandidateRecord) {
		v := &verdict.Verdict{Effect: e, Ending: &verdict.Ending{}, Masking: e == verdict.Skips || e == verdict.Hides}
		for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build, verdict.Vet, verdict.Rerun} {
			v.Checks = append(v.Checks, verdict.Check{Name: name, Status: verdict.Pass})
		}
		v.Verified = v.Holds()
		c.Verdict = v
	}
}

func endingWith(code int) ranked {
	return func(c *CandidateRecord) {
		c.Verdict.Ending = &verdict.Ending{Exit: code}
		c.Verdict.Verified = c.Verdict.Holds()
	}
}

func supported(c *CandidateRecord) {
	c.Verdict.Support, c.Verdict.Masking, c.Verdict.Verified = "Get does the same (a.go:3)", false, true
}

func confirmed(c *CandidateRecord) { c.confirm() }
func cautioned(c *CandidateRecord) { c.Verdict.Caution = "of 3, 1 was right" }

// fixing: so many tests that failed pass.
func fixing(n int) ranked {
	return func(c *CandidateRecord) {
		c.Verdict.Checks = append(c.Verdict.Checks, verdict.Check{Name: verdict.Tests, Status: verdict.Pass, Count: n, Fixed: n})
	}
}

func tests(n int) ranked {
	return func(c *CandidateRecord) {
		c.Verdict.Checks = append(c.Verdict.Checks, verdict.Check{Name: verdict.Tests, Status: verdict.Pass, Count: n})
	}
}

func with(kind verdict.EvidenceKind) ranked {
	return func(c *CandidateRecord) {
		c.Verdict.Evidence = append(c.Verdict.Evidence, verdict.Evidence{Kind: kind})
	}
}

func failing(check string) ranked {
	return func(c *CandidateRecord) {
		c.Verdict = &verdict.Verdict{Checks: []verdict.Check{{Name: check, Status: verdict.Fail}}}
	}
}

func recordOf(right float64, asked int) ranked {
	return func(c *CandidateRecord) { c.Record = &Record{Asked: asked, Right: right} }
}

func lines(n int) ranked {
	return func(c *CandidateRecord) { c.Edits[0].After = strings.Repeat("x\n", n) }
}

func twoFiles(c *CandidateRecord) { c.Edits = append(c.Edits, patch.Edit{File: "b.go", After: "x\n"}) }
func model(c *CandidateRecord)    { c.Source = patch.Source{Provider: "ollama", Model: "m"} }
func person(c *CandidateRecord)   { c.Source = patch.Source{Provider: "person"} }
func rejected(c *CandidateRecord) { c.Decision = Rejected }
func sure(n int) ranked           { return func(c *CandidateRecord) { c.Confidence = n } }

const (
	repairs, declines, skips, hides = verdict.Repairs, verdict.Declines, verdict.Skips, verdict.Hides
)

// The order is written down here, with the reason of each pair: the first
// candidate comes before the second, whichever was made first.
func TestRank(t *testing.T) {
	for _, tt := range []struct {
		why           string
		first, second CandidateRecord
	}{
		// Standing.
		{"what passes is worth more than what is not known yet", made(provedAs(skips)), made()},
		{"what is not known yet may still pass", made(), made(failing(verdict.Build))},
		{"a person has looked at it", made(failing(verdict.Rerun)), made(rejected, provedAs(repairs))},
		{"a rejected fix does not come back by being proved", made(), made(rejected)},
		{"a model's fix that fails is no fix", made(provedAs(hides)), made(model, failing(verdict.Tests))},

		// Effect.
		{"the work is done, not refused", made(provedAs(repairs)), made(provedAs(declines))},
		{"a refusal is honest, an omission is not", made(provedAs(declines)), made(provedAs(skips))},
		{"an omission is seen, a hidden failure is not", made(provedAs(skips)), made(provedAs(hides))},
		{"a model's repair before a built-in guard", made(model, provedAs(repairs), lines(20)), made(provedAs(skips), lines(1))},
		{"a model's repair before a built-in refusal", made(model, provedAs(repairs), lines(20)), made(provedAs(declines), lines(1))},
		{"a built-in repair before a model's guard", made(provedAs(repairs)), made(model, provedAs(skips))},
		{"a built-in repair before a model's recover", made(provedAs(repairs)), made(model, provedAs(hides))},
		{"effect before tests", made(provedAs(repairs)), made(provedAs(skips), tests(40))},
		{"effect before the end of the run", made(provedAs(repairs), endingWith(1)), made(provedAs(skips), endingWith(0))},
		{"effect before record", made(provedAs(repairs)), made(model, provedAs(skips), recordOf(20, 20))},
		{"effect before size", made(provedAs(repairs), lines(60), twoFiles), made(provedAs(skips), lines(1))},
		{"a refusal that the program copes with is proved, one that ends it is not", made(provedAs(declines), endingWith(0)), made(provedAs(declines), endingWith(1), tests(9))},
		{"an error for legal input is no better than a guard", made(provedAs(skips), endingWith(0)), made(provedAs(declines), endingWith(1))},
		{"a model's guard before a built-in refusal", made(model, provedAs(skips)), made(provedAs(declines))},
		{"a guard that something speaks for before one that asks", made(provedAs(skips), supported), made(provedAs(skips), tests(4))},
		{"a guard that a person finds right before a refusal", made(provedAs(skips), confirmed), made(provedAs(declines), endingWith(1))},
		{"of one proposer whose record is poor, a repair before a decline", made(provedAs(repairs), cautioned), made(provedAs(declines), cautioned)},
		{"a model's guard before a built-in repair whose record is poor", made(model, provedAs(skips)), made(provedAs(repairs), cautioned)},

		// Tests.
		{"a test says what is right", made(provedAs(repairs), with(verdict.ByTests), tests(3)), made(provedAs(repairs), tests(30))},
		{"each test says what is right", made(provedAs(repairs), with(verdict.ByTests), fixing(3)), made(model, provedAs(repairs), with(verdict.ByTests), fixing(2))},
		{"tests that pass say more than none", made(provedAs(repairs), tests(1)), made(provedAs(repairs))},
		{"how many tests pass depends on the package, not on the fix", made(model, provedAs(repairs), tests(1)), made(provedAs(repairs), tests(50))},
		{"tests before the proposer", made(provedAs(repairs), with(verdict.ByTests)), made(model, provedAs(repairs))},
		{"tests before the end of the run", made(provedAs(repairs), tests(2), endingWith(1)), made(provedAs(repairs))},
		{"tests tell omissions apart, too", made(model, provedAs(skips), tests(5)), made(model, provedAs(skips), lines(1))},

		// The end of the rerun.
		{"the run came to its good end", made(provedAs(repairs)), made(provedAs(repairs), endingWith(1))},
		{"the end before the proposer", made(provedAs(repairs)), made(model, provedAs(repairs), endingWith(1))},
		{"the end before the origin", made(provedAs(repairs)), made(provedAs(repairs), endingWith(3), with(verdict.AtOrigin))},

		// Proposers.
		{"without a record a model knows better what the code is for", made(model, provedAs(repairs)), made(provedAs(repairs))},
		{"also where the built-in fix is at the origin: forms are misread", made(model, provedAs(repairs)), made(provedAs(repairs), with(verdict.AtOrigin))},
		{"also where the built-in fix is smaller", made(model, provedAs(repairs), lines(30)), made(provedAs(repairs), lines(1))},
		{"among omissions as among repairs", made(model, provedAs(skips)), made(provedAs(skips))},
		{"a model that is mostly wrong here has lost that", made(provedAs(repairs)), made(model, provedAs(repairs), recordOf(0, 12))},
		{"one bad answer is no record", made(model, provedAs(repairs), recordOf(0, 1)), made(provedAs(repairs))},
		{"a person who edits a fix means it", made(person, provedAs(repairs)), made(provedAs(repairs))},
		{"of two models the better record", made(model, provedAs(repairs), recordOf(9, 10)), made(model, provedAs(repairs), recordOf(3, 10))},
		{"one lucky answer is no record", made(model, provedAs(repairs), recordOf(9, 10)), made(model, provedAs(repairs), recordOf(1, 1))},

		// Origin, order, size.
		{"at the origin, all who use the value are served", made(provedAs(repairs), with(verdict.AtOrigin), lines(9)), made(provedAs(repairs), lines(1))},
		{"the origin before the record", made(model, provedAs(repairs), with(verdict.AtOrigin)), made(model, provedAs(repairs), recordOf(9, 10))},
		{"the proposer's own order before size", made(provedAs(repairs), sure(10), lines(9)), made(provedAs(repairs), lines(1))},
		{"smaller is easier to check", made(provedAs(repairs), lines(2)), made(provedAs(repairs), lines(9))},
		{"one file is easier to check than two", made(provedAs(repairs), lines(9)), made(provedAs(repairs), lines(1), twoFiles)},
		{"while nothing is known, models first", made(model), made()},
	} {
		tt.first.ID, tt.second.ID = "first", "second"
		for _, list := range [][]CandidateRecord{{tt.first, tt.second}, {tt.second, tt.first}} {
			if got := Rank(list); got[0].ID != "first" {
				t.Errorf("%s: the other one comes first", tt.why)
				break
			}
		}
	}
}

// A model with a poor record is ranked below the fixer, also where the origin speaks
// for it against a model that is ranked above.
func TestRankOfThreeIsAnOrder(t *testing.T) {
	poor := made(model, provedAs(repairs), recordOf(0, 12), with(verdict.AtOrigin))
	other, fixer := made(model, provedAs(repairs)), made(provedAs(repairs))
	poor.ID, other.ID, fixer.ID = "poor", "other", "fixer"
	for _, list := range [][]CandidateRecord{{poor, other, fixer}, {poor, fixer, other}, {fixer, poor, other}, {fixer, other, poor}, {other, fixer, poor}, {other, poor, fixer}} {
		if got := Rank(list); got[0].ID != "other" || got[1].ID != "fixer" {
			t.Errorf("%s, %s, %s", got[0].ID, got[1].ID, got[2].ID)
		}
	}
}

// What is equal in everything stays in the order it came, and the list given is
// not touched.
func TestRankIsStable(t *testing.T) {
	list := []CandidateRecord{made(provedAs(skips)), made(provedAs(repairs)), made(provedAs(repairs))}
	for i := range list {
		list[i].ID = string(rune('a' + i))
	}
	got := Rank(list)
	if order := got[0].ID + got[1].ID + got[2].ID; order != "bca" || list[0].ID != "a" {
		t.Errorf("order %s, list begins with %s", order, list[0].ID)
	}
}
