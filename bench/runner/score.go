package runner

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/bench/matrix"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/session"
)

// score is what one cell showed.
type score struct {
	column matrix.Column
	c      *bench.Case
	report fix.Report
	state  session.State
	list   []matrix.Candidate // the best first
}

func newScore(column matrix.Column, c *bench.Case, report fix.Report, state session.State) *score {
	s := &score{column: column, c: c, report: report, state: state}
	for _, k := range report.Candidates {
		one := matrix.Candidate{ID: k.ID, By: append([]string{k.Provider + "/" + k.Model}, k.Also...), Rule: k.Rule, Title: k.Title, Effect: string(k.Effect),
			Verified: k.Verified, Masking: k.Masking, Test: k.Test != nil, Checks: []matrix.Check{}, Lines: k.Added + k.Removed, Diff: k.Diff}
		one.Own = slices.ContainsFunc(one.By, s.isOwn)
		one.Round = s.round(k.ID)
		for _, e := range k.Evidence {
			one.Evidence = append(one.Evidence, string(e))
		}
		for _, check := range k.Checks {
			one.Checks = append(one.Checks, matrix.Check{Name: check.Name, Status: string(check.Status), Detail: shortened(check.Detail, 2000)})
		}
		if k.Behavior != nil {
			one.Behavior, one.Changes = string(k.Behavior.Status), shortened(k.Behavior.Detail, 2000)
		}
		s.list = append(s.list, one)
	}
	return s
}

// isOwn reports whether a proposer is the column's.
func (s *score) isOwn(by string) bool {
	return by == s.column.Model || s.column.Model == matrix.Builtin && isBuiltin(by)
}

func isBuiltin(by string) bool { return strings.HasPrefix(by, matrix.Builtin+"/") }

// round is the round in which the column's proposer made a candidate, from 1; 0
// where that is not known.
func (s *score) round(id string) int {
	c, ok := s.state.Candidate(id)
	if !ok {
		return 0
	}
	for _, q := range s.state.Requests {
		if q.Asked.Request == c.Request {
			return q.Asked.Round
		}
	}
	return 0
}

// judge has the hidden check look at every candidate, and says how long it took.
func (s *score) judge(ctx context.Context, j *judge) (time.Duration, error) {
	began := time.Now()
	if !s.c.CanBeFixed() {
		return 0, nil
	}
	for i := range s.list {
		wrong, err := j.wrong(ctx, s.list[i].Diff)
		if err != nil {
			return time.Since(began), err
		}
		s.list[i].Right, s.list[i].Wrong = wrong == "", wrong
	}
	return time.Since(began), nil
}

func (s *score) result() matrix.Result {
	r := matrix.Result{}
	f := matrix.Flags(0)
	if stop := s.report.Stop; stop != nil {
		f = f.Set(matrix.Class, string(stop.Class) == s.c.Class)
		f = f.Set(matrix.Culprit, bench.FunctionName(stop.Function) == s.c.StopsIn)
	}
	f = f.Set(matrix.Failed, s.report.Outcome == fix.Failed)
	f = f.Set(matrix.NothingProposed, len(s.list) == 0)
	f = f.Set(matrix.Calm, true)
	if len(s.list) > 0 {
		top := s.list[0]
		f = f.Set(matrix.RightFirst, top.Right)
		f = f.Set(matrix.OwnFirst, top.Right && top.Own)
		f = f.Set(matrix.Verified, top.Verified && !top.Masking)
		f = f.Set(matrix.Misleads, top.Verified && !warns(top) && !top.Right)
		f = f.Set(matrix.Tested, top.Test)
		f = f.Set(matrix.Evident, len(top.Evidence) > 0)
		f = f.Set(matrix.ByBuiltin, len(top.By) == 1 && isBuiltin(top.By[0]))
		switch r.Effect = top.Effect; {
		case !top.Verified:
			r.Effect = "not verified"
		case top.Effect == "" && top.Masking:
			r.Effect = "masking"
		}
		if top.Verified && !warns(top) {
			f &^= matrix.Calm
		}
	}
	for _, k := range s.list {
		f = f.Set(matrix.Right, k.Right)
		r.Compared = r.Compared.Plus(compared(k))
		r.Builtin = r.Builtin.Plus(labels(k, slices.ContainsFunc(k.By, isBuiltin)))
		r.Model = r.Model.Plus(labels(k, k.Own && s.column.Model != matrix.Builtin))
	}
	r.Flags = f | s.own(&r)
	for _, q := range s.state.Requests {
		if q.Answered != nil && q.Answered.Failed == session.FailedLimit {
			continue // it was not asked
		}
		if s.isOwn(q.Asked.Source.Provider + "/" + q.Asked.Source.Model) {
			r.Rounds = max(r.Rounds, q.Asked.Round)
			if s.column.Prompt == matrix.Auto {
				r.Used = q.Asked.Source.Prompt
			}
		}
	}
	if ms := s.report.Timings.Verified; ms != nil {
		r.Verifying = *ms
	}
	return r
}

// warns reports whether the reader is warned of a candidate, or asked.
func warns(k matrix.Candidate) bool { return k.Masking || k.Effect == "hides" }

// compared counts a candidate whose behavior was compared. A wrong one that warns
// or asks without it does not count: the reader knows.
func compared(k matrix.Candidate) matrix.Compared {
	warns := 0
	switch k.Behavior {
	case "warn":
		warns = 1
	case "pass":
	default:
		return matrix.Compared{}
	}
	if k.Right {
		return matrix.Compared{Right: 1, RightWarned: warns}
	}
	if k.Masking {
		return matrix.Compared{}
	}
	return matrix.Compared{Wrong: 1, WrongWarned: warns}
}

// labels counts a right candidate by its label, if it is meant.
func labels(k matrix.Candidate, meant bool) matrix.Labels {
	l := matrix.Labels{}
	if !meant || !k.Right {
		return l
	}
	l.All = 1
	if warns(k) || !k.Verified {
		l.Asks = 1
	}
	switch {
	case k.Effect == "hides", k.Effect == "" && k.Masking:
		l.Hides = 1
	case k.Effect == "skips":
		l.Skips = 1
	case k.Effect == "declines":
		l.Declines = 1
	}
	return l
}

// stages are the checks that a candidate passes one after the other, by the flag
// that says so.
var stages = []struct {
	check string
	flag  matrix.Flags
	will  []string // statuses; "" where there is no such check
}{
	{"scope", matrix.OwnScope, []string{"pass", "warn"}},
	{"build", matrix.OwnBuilds, []string{"pass", "warn"}},
	{"rerun", matrix.OwnReruns, []string{"pass", "warn"}},
	{"tests", matrix.OwnTests, []string{"pass", "warn", "skip", ""}},
}

// own is what holds of the proposer's candidates; the best one that it has
// stands first among them.
func (s *score) own(r *matrix.Result) matrix.Flags {
	f := matrix.Flags(0)
	best := true
	for _, k := range s.list {
		if !k.Own {
			continue
		}
		if best {
			f = f.Set(matrix.OwnMasks, warns(k))
			f = f.Set(matrix.OwnDeclines, k.Effect == "declines")
			r.Edit, best = k.Lines, false
		}
		f |= matrix.OwnUsable
		for _, stage := range stages {
			if !slices.Contains(stage.will, status(k, stage.check)) {
				break
			}
			f |= stage.flag
		}
		f = f.Set(matrix.OwnVerified, k.Verified && !k.Masking)
		f = f.Set(matrix.OwnRight, k.Right)
		f = f.Set(matrix.OwnRightAtOnce, k.Right && k.Round <= 1)
	}
	return f
}

// status is what came of a check; empty where there was none.
func status(k matrix.Candidate, check string) string {
	if i := slices.IndexFunc(k.Checks, func(c matrix.Check) bool { return c.Name == check }); i >= 0 {
		return k.Checks[i].Status
	}
	return ""
}

func (s *score) detail() matrix.Detail {
	d := matrix.Detail{Candidates: s.list, Notices: s.report.Notices}
	if s.report.Outcome == fix.Failed && s.report.Error != nil {
		d.Failed = s.report.Error.Message
	}
	return d
}
