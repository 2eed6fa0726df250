package verify

import (
	"strconv"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

// evidence notes what else speaks for the candidate.
func (a *attempt) evidence() {
	a.note(verdict.ByTests, a.passingNow())
	a.note(verdict.AtOrigin, a.atOrigin())
}

// passingNow names a test that failed without the candidate and passes with it.
func (a *attempt) passingNow() string {
	rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
	tests, _ := verdict.Find(a.verdict.Checks, verdict.Tests)
	t, ok := a.v.Failing()
	switch {
	case ok && !a.isSkipped && (rerun.Status == verdict.Pass || rerun.Status == verdict.Warn):
		return t.Name + " failed without it and passes"
	case tests.Fixed == 1:
		return "1 failing test now passes"
	case tests.Fixed > 1:
		return strconv.Itoa(tests.Fixed) + " failing tests now pass"
	}
	return ""
}

// atOrigin tells that the function that stopped is as it was and now runs: the
// edit is where the bad value comes from.
func (a *attempt) atOrigin() string {
	s, ok := a.v.Site()
	rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
	if !ok || s.Line == 0 || rerun.Status != verdict.Pass && !a.ran || a.idle || a.waits || a.isSkipped || a.retyped != "" {
		return ""
	}
	for _, c := range a.changes() {
		if c.Line > 0 && effect.Touches(c) {
			return ""
		}
	}
	return "the statement that failed is unchanged and now runs"
}

// lifts reports whether evidence makes a repair of what leaves work out. It does not
// where a test misses that work, nor a test whose expectation may be what was copied, nor
// one that only panicked before: what it expects of the answer is not known.
func (a *attempt) lifts(e verdict.Effect) (string, bool) {
	if e != verdict.Skips && e != verdict.Declines || len(a.altered) > 0 || a.satisfied || (a.half != "" || a.lost) && e == verdict.Skips {
		return "", false
	}
	for _, ev := range a.verdict.Evidence {
		if ev.Kind == verdict.ByTests && a.copied == "" && !(a.calmed && e == verdict.Skips) || ev.Kind == verdict.Balanced && e == verdict.Skips && !a.unexplained {
			return ev.Detail, true
		}
	}
	return "", false
}

// supported is the evidence that what a fix leaves out is rightly left out; empty where
// there is none, or where a test misses that work.
func (a *attempt) supported(e verdict.Effect) string {
	if e != verdict.Skips || len(a.altered) > 0 || a.half != "" || a.lost {
		return ""
	}
	for _, ev := range a.verdict.Evidence {
		bySource := !a.unexplained && (ev.Kind == verdict.BySibling || ev.Kind == verdict.ByConvention)
		if bySource || ev.Kind == verdict.ByTests && a.calmed && a.copied == "" && a.usedAt == "" && !a.satisfied {
			return ev.Detail
		}
	}
	return ""
}

// note adds a piece of evidence, if there is one.
func (a *attempt) note(kind verdict.EvidenceKind, detail string) {
	if detail != "" && !a.verdict.Has(kind) {
		a.verdict.Evidence = append(a.verdict.Evidence, verdict.Evidence{Kind: kind, Detail: finding.Clean(detail)})
	}
}
