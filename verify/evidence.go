package verify

import (
	"github.com/pausetui/pausetui/verify/effect"
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
	t, ok := a.v.failing()
	switch {
	case ok && (rerun.Status == verdict.Pass || rerun.Status == verdict.Warn):
		return t.Name + " failed without it and passes"
	case tests.Fixed > 0:
		return "makes pass what failed: " + count(tests.Fixed, "test")
	}
	return ""
}

// atOrigin tells that the function that stopped is as it was and now runs: the
// edit is where the bad value comes from.
func (a *attempt) atOrigin() string {
	s, ok := a.v.site()
	rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
	if !ok || s.line == 0 || rerun.Status != verdict.Pass || a.idle {
		return ""
	}
	for _, c := range a.changes() {
		if c.Line > 0 && effect.Touches(c) {
			return ""
		}
	}
	return "the statement that failed is unchanged and now runs"
}

// lifts reports whether evidence makes a repair of what leaves work out, so that
// it is not labeled as masking.
func (a *attempt) lifts(e verdict.Effect) (string, bool) {
	if e != verdict.Skips && e != verdict.Declines {
		return "", false
	}
	for _, ev := range a.verdict.Evidence {
		switch {
		case ev.Kind == verdict.ByTests, e == verdict.Skips && !a.unexplained && (ev.Kind == verdict.BySibling || ev.Kind == verdict.Balanced):
			return ev.Detail, true
		}
	}
	return "", false
}

// note adds a piece of evidence, if there is one.
func (a *attempt) note(kind verdict.EvidenceKind, detail string) {
	if detail != "" && !a.verdict.Has(kind) {
		a.verdict.Evidence = append(a.verdict.Evidence, verdict.Evidence{Kind: kind, Detail: clean(detail)})
	}
}
