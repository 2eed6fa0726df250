package verify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/subject"
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

// altered names the failing tests that panicked at the site before and fail in
// another way now: the work that they check is left out.
func altered(v *execute.Runner, before, after execute.Suite, failing []string) (names []string) {
	s, ok := v.Site()
	if !ok {
		return nil
	}
	s = s.InTests(after.Pkg)
	now := byName(after.Report.Tests)
	for _, name := range failing {
		new := now[name]
		if new.Status == gotest.Failed && !new.Hung && panics(v, s, before.Report.Tests, name) && len(crash.ParseAll([]byte(printedBy(after.Report.Tests, name)))) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// calmed counts the tests that panicked at the site before.
func calmed(v *execute.Runner, before execute.Suite, pkg build.TestPackage, fixed []string) (n int) {
	s, ok := v.Site()
	if !ok {
		return 0
	}
	s = s.InTests(pkg)
	for _, name := range fixed {
		if panics(v, s, before.Report.Tests, name) {
			n++
		}
	}
	return n
}

// panics reports whether a test, or a subtest of it, panics at the site.
func panics(v *execute.Runner, s subject.Site, tests []gotest.Test, name string) bool {
	return slices.ContainsFunc(crash.ParseAll([]byte(printedBy(tests, name))), func(c crash.Crash) bool { return v.At(s, c) })
}

// printedBy is what a test and its subtests printed.
func printedBy(tests []gotest.Test, name string) string {
	var b strings.Builder
	for _, t := range tests {
		if gotest.Top(t.Name) == name {
			b.WriteString(t.Output)
		}
	}
	return b.String()
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
