package proof

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// comparedAtFirst is how many candidates have their behavior compared when all proofs
// have ended, the best first.
const comparedAtFirst = 3

// CompareFirst has a candidate compared before the others, and also while others are being
// proved: a person looks at it.
func (pr *Proofs) CompareFirst(id string) {
	if c := pr.Open; c != nil {
		c.wanted = id
		pr.compareNext(c)
	}
}

// compareNext finds out what the best candidates change, one after the other, once nothing
// else is to be proved, and what the one changes that a person looks at.
func (pr *Proofs) compareNext(c *Case) {
	if pr.Open != c || c.Verifier == nil || c.comparing {
		return
	}
	list := pr.State().Stops[pr.State().CaseIndex()].Candidates
	next, ok := c.nextCompared(list)
	if !ok {
		return
	}
	candidate, verifier := next.Candidate, c.Verifier
	var others []patch.Candidate // that may be next
	for _, r := range list {
		if r.Passes() && r.ID != candidate.ID {
			others = append(others, r.Candidate)
		}
	}
	c.comparing = true
	c.compared[candidate.ID] = true
	pr.Job(func() {
		var behavior verdict.Behavior
		err := loop.Contain(func() (err error) {
			behavior, err = verifier.Behavior(c.Ctx, candidate, others...)
			return err
		})
		pr.Post(func() {
			if pr.Open != c {
				return
			}
			if err != nil {
				behavior.Status, behavior.Detail = verdict.Skip, session.Clean(err.Error())
			}
			pr.Append(session.EngineActor, &session.Compared{Candidate: candidate.ID, Behavior: behavior})
			pr.assert(c, candidate.ID)
		})
	})
}

// assert has the regression test of a candidate assert what functions answer, as far as
// that is known, and goes on to the next candidate.
func (pr *Proofs) assert(c *Case, id string) {
	record, _ := pr.State().Candidate(id)
	done := func(made *session.Asserted) {
		c.comparing = false
		if pr.Open != c {
			return
		}
		if now, _ := pr.State().Candidate(id); now.Asserts == nil { // a person may have been faster
			pr.Append(session.EngineActor, made)
		}
		pr.compareNext(c)
	}
	why := strings.TrimPrefix(record.Behavior.Detail, "not compared: ")
	switch {
	case record.Verdict.ByTest:
		done(&session.Asserted{Candidate: id, Why: byTest})
	case record.Behavior.Status == verdict.Skip:
		done(assertsNone(record, why))
	default:
		pr.asserting(c, record, nil, func(fn func()) { pr.Post(fn) }, done)
	}
}

// byTest is why the test of a candidate stays as it is.
const byTest = "it stands in for the rerun"

// asserting makes a test that asserts the picked rows, too, and hands it on.
func (pr *Proofs) asserting(c *Case, record session.CandidateRecord, rows []int, post func(func()), done func(*session.Asserted)) {
	verifier := c.Verifier
	pr.Job(func() {
		var test *patch.RegressionTest
		var why string
		err := loop.Contain(func() (err error) {
			test, why, err = verifier.Asserting(c.Ctx, record.Candidate, record.Verdict.Test, rows)
			return err
		})
		if err != nil {
			why = err.Error()
		}
		post(func() {
			if test == nil {
				done(assertsNone(record, session.Clean(why)))
				return
			}
			done(&session.Asserted{Candidate: record.ID, Test: test, Rows: rows})
		})
	})
}

// assertsNone is the regression test as it was, which says why it asserts no more.
func assertsNone(record session.CandidateRecord, why string) *session.Asserted {
	made := &session.Asserted{Candidate: record.ID, Why: why}
	if old := record.Verdict.Test; old != nil {
		test := old.Because(why)
		made.Test = &test
	}
	return made
}

// AssertRow puts a row into the regression test of a candidate, or takes it out.
func (pr *Proofs) AssertRow(i intent.AssertRow) {
	c := pr.Open
	record, ok := pr.State().Candidate(i.Candidate)
	switch {
	case !ok || !pr.UnderReview(i.Candidate) || c.Verifier == nil || record.Verdict == nil:
		pr.Refuse(advice.Add(fmt.Errorf("%s is not under review", session.Called(i.Candidate)), "f asks for new ones"))
		return
	case record.Decision == session.Approved:
		pr.Refuse(fmt.Errorf("%s is applied, and its test with it", session.Called(i.Candidate)))
		return
	case record.Behavior == nil || i.Row < 0 || i.Row >= len(record.Behavior.Rows):
		pr.Refuse(fmt.Errorf("%s has no such row", session.Called(i.Candidate)))
		return
	case record.Verdict.ByTest:
		pr.Refuse(fmt.Errorf("the regression test of %s stays as it is: %s", session.Called(i.Candidate), byTest))
		return
	}
	var rows []int
	if record.Asserts != nil {
		rows = slices.Clone(record.Asserts.Rows)
	}
	switch at := slices.Index(rows, i.Row); {
	case record.Behavior.Rows[i.Row].Stop: // which is in it wherever it can be
	case at < 0:
		rows = append(rows, i.Row)
	default:
		rows = slices.Delete(rows, at, at+1)
	}
	by := pr.By()
	pr.asserting(c, record, rows, pr.PostAs(), func(made *session.Asserted) {
		now, _ := pr.State().Candidate(i.Candidate)
		switch {
		case pr.Open != c:
		case now.Decision == session.Approved:
			pr.Refuse(fmt.Errorf("%s is applied, and its test with it", session.Called(i.Candidate)))
		case made.Why != "" && len(rows) > 0:
			pr.Refuse(fmt.Errorf("no test of this row: %s", made.Why))
		default:
			pr.Append(by, made)
		}
	})
}

// nextCompared is the candidate that is to be compared next; false for none.
func (c *Case) nextCompared(list []session.CandidateRecord) (session.CandidateRecord, bool) {
	open := func(r session.CandidateRecord) bool { return r.Passes() && !c.compared[r.ID] }
	i := slices.IndexFunc(list, func(r session.CandidateRecord) bool { return r.ID == c.wanted && open(r) })
	if i < 0 && c.proving+c.slow == 0 && len(c.unproved) == 0 {
		list = session.Rank(list)
		i = slices.IndexFunc(list[:min(len(list), comparedAtFirst)], open)
	}
	if i < 0 {
		return session.CandidateRecord{}, false
	}
	return list[i], true
}
