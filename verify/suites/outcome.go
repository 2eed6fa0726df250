// Package suites compares the tests of packages without and with a candidate, and runs again
// what may be flaky.
package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// altered names the failing tests that panicked at the site before and fail in
// another way now: the work that they check is left out.
func altered(v *execute.Runner, before, after execute.Suite, failing []string) (names []string) {
	s, ok := v.Site()
	if !ok {
		return nil
	}
	s = s.InTests(after.Pkg)
	now := gotest.ByName(after.Report.Tests)
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

// Outcome gathers what came of the tests of all packages, as texts.
type Outcome struct {
	v        *execute.Runner
	passed   int // top-level tests that pass now
	parts    int // subtests that pass as before, of tests that fail
	packages int // that had tests which ran
	refused  []execute.Suite
	unbuilt  []execute.Suite
	broken   []string // sentences
	named    []string // the same for a model on another machine: by the tests' names
	flaky    []string // the rest are names
	Failing  []string
	Altered  []string // panicked at the site before, and fail in another way now
	Calmed   int      // of those that pass now, how many panicked at the site before
	Fixed    []string
	gone     []string
	skipped  []string
	added    []string // are new, and fail
	late     []late
}

// late are tests that there was no time for.
type late struct {
	why   string // "not run within 1m0s"
	names []string
}

// isLate notes such tests.
func (o *Outcome) isLate(why string, names ...string) {
	if len(names) == 0 {
		return
	}
	i := slices.IndexFunc(o.late, func(l late) bool { return l.why == why })
	if i < 0 {
		i, o.late = len(o.late), append(o.late, late{why: why})
	}
	o.late[i].names = append(o.late[i].names, names...)
}

// New is what came of no tests yet.
func New(v *execute.Runner) *Outcome { return &Outcome{v: v} }

// Runnable returns the packages whose tests can be compared, and notes the
// others.
func (o *Outcome) Runnable(packages []build.TestPackage, before map[string]execute.Suite) []build.TestPackage {
	var found []build.TestPackage
	for _, p := range packages {
		switch s := before[p.ImportPath]; {
		case s.Late != "":
			o.isLate(s.Late, "the tests of "+o.where(p))
		case s.Unbuilt != "":
			o.unbuilt = append(o.unbuilt, s)
		default:
			found = append(found, p)
		}
	}
	return found
}

// where names a package by its directory: "the root package" in the root.
func (o *Outcome) where(p build.TestPackage) string {
	if rel := o.v.Subject.Workspace.Rel(p.Dir); rel != "." {
		return rel
	}
	return "the root package"
}

// Wheres names packages by their directories.
func (o *Outcome) Wheres(packages []build.TestPackage) []string {
	var dirs []string
	for _, p := range packages {
		dirs = append(dirs, o.where(p))
	}
	return dirs
}

// names puts the package before the names of its tests: "store.TestOpen".
func (o *Outcome) names(p build.TestPackage, tests ...string) []string {
	rel := o.v.Subject.Workspace.Rel(p.Dir)
	if rel == "." {
		return tests
	}
	named := make([]string, len(tests))
	for i, t := range tests {
		named[i] = rel + "." + t
	}
	return named
}

// add counts a package in, but for what has to be confirmed.
func (o *Outcome) add(before, after execute.Suite, c comparison) {
	p := after.Pkg
	if len(after.Report.Tests) > 0 {
		o.packages++
	}
	o.passed += c.passed
	o.parts += c.parts
	names := altered(o.v, before, after, c.failing)
	o.Altered = append(o.Altered, o.names(p, names...)...)
	c.failing = slices.DeleteFunc(slices.Clone(c.failing), func(name string) bool { return slices.Contains(names, name) })
	o.Failing = append(o.Failing, o.names(p, c.failing...)...)
	o.Fixed = append(o.Fixed, o.names(p, c.fixed...)...)
	o.Calmed += calmed(o.v, before, p, c.fixed)
	o.gone = append(o.gone, o.names(p, c.gone...)...)
	o.skipped = append(o.skipped, o.names(p, c.skipped...)...)
	o.added = append(o.added, o.names(p, c.added...)...)
	o.isLate(after.Lateness(), o.names(p, c.late...)...)
	if before.Report.Late && len(c.late) == 0 {
		o.isLate(before.Lateness(), "some tests of "+o.where(p))
	}
	if before.Report.Trouble != "" && len(before.Report.Tests) == 0 {
		o.Failing = append(o.Failing, "all of "+o.where(p))
	}
}

// judge takes what is sure to be broken for that, and the rest for flaky.
func (o *Outcome) judge(c comparison, sure confirmation) {
	p := sure.in.Pkg
	settled := map[string]bool{}
	for _, l := range sure.unsure {
		o.isLate(l.why, o.names(p, l.names...)...)
		for _, name := range l.names {
			settled[name] = true
		}
	}
	for _, t := range sure.broken {
		o.broken = append(o.broken, o.sentence(sure.in, t))
	}
	for _, top := range tops(sure.broken) {
		o.named = append(o.named, o.names(p, top)[0]+" fails, passed before")
		settled[top] = true
	}
	for _, top := range tops(c.broken) {
		if !settled[top] {
			o.flaky = append(o.flaky, o.names(p, top)...)
		}
	}
	switch {
	case c.trouble != "" && sure.trouble != "":
		o.broken = append(o.broken, fmt.Sprintf("the tests of %s end badly, and did not before: %s", o.where(p), o.v.Message(sure.trouble)))
		o.named = append(o.named, "the tests of "+o.where(p)+" end badly, and did not before")
	case c.trouble != "":
		o.flaky = append(o.flaky, "the end of the tests of "+o.where(p))
	}
}

// sentence says how a test fails.
func (o *Outcome) sentence(s execute.Suite, t gotest.Test) string {
	name := o.names(s.Pkg, t.Name)[0]
	if t.Hung {
		return fmt.Sprintf("%s hangs, passed before: nothing happened for %s", name, finding.Short(s.Silence))
	}
	text := t.Output
	if strings.TrimSpace(text) == "" { // a panic is printed after its whole test was reported
		text = gotest.ByName(s.Report.Tests)[gotest.Top(t.Name)].Output
	}
	if message := o.v.Message(text); message != "" {
		return name + " fails, passed before: " + message
	}
	return name + " fails, passed before"
}

// Check decides.
func (o *Outcome) Check() verdict.Check {
	c := o.decide()
	c.Count, c.Fixed = o.passed, len(o.Fixed)
	if c.Elsewhere == "" && o.packages > 0 { // a run names its subtests
		c.Elsewhere = finding.Count(o.passed, "test") + " in " + finding.Count(o.packages, "package")
	}
	return c
}

func (o *Outcome) decide() verdict.Check {
	failed := o.broken
	for _, s := range o.refused {
		o.named = append(o.named, "the tests of "+o.where(s.Pkg)+" do not build with it")
		failed = append(failed, fmt.Sprintf("the tests of %s do not build with it: %s", o.where(s.Pkg), s.Unbuilt))
	}
	const most = 8
	if n := len(failed) - most; n > 0 {
		failed = append(failed[:most:most], fmt.Sprintf("and %d more", n))
	}
	switch {
	case len(failed) > 0:
		return finding.Elsewhere(finding.Fail("%s", strings.Join(failed, "\n")), "%s", first(o.named))
	case o.packages == 0 && len(o.unbuilt) > 0 && len(o.late) == 0:
		return finding.Skip("the tests do not build without it either: %s", o.unbuilt[0].Unbuilt)
	case o.packages == 0 && len(o.late)+len(o.Failing)+len(o.Altered) == 0:
		return finding.Open(finding.Skip(verdict.NoneToRun))
	case len(o.late) > 0:
		return finding.Inconclusive("%s", o.summary())
	case o.passed+o.parts == 0:
		return finding.Skip("%s", o.summary())
	case o.passed == 0:
		return finding.Warn("%s", o.summary())
	case len(o.flaky)+len(o.gone)+len(o.skipped)+len(o.Altered)+len(o.added) > 0:
		return finding.Warn("%s", o.summary())
	}
	return finding.Pass(o.summary())
}

// summary counts, and names what is remarkable.
func (o *Outcome) summary() string {
	text := finding.Count(o.passed, "test") + " in " + finding.Count(o.packages, "package")
	if o.passed == 0 {
		text = "no test passes"
	}
	if o.parts > 0 {
		text += "; " + finding.Count(o.parts, "subtest") + " of failing tests as before"
	}
	type part struct {
		what  string
		names []string
	}
	var parts []part
	for _, l := range o.late {
		parts = append(parts, part{l.why, l.names})
	}
	parts = append(parts, []part{
		{"failed once, and passed when run again", o.flaky},
		{"skipped now", o.skipped},
		{"gone", o.gone},
		{"new with the fix, and failing", o.added},
		{"fail without the panic now", o.Altered},
		{"pass now", o.Fixed},
		{"failed before too", o.Failing},
	}...)
	for _, part := range parts {
		if len(part.names) > 0 {
			text += "; " + part.what + ": " + finding.Enumerate(part.names)
		}
	}
	for _, s := range o.unbuilt {
		text += "; the tests of " + o.where(s.Pkg) + " do not build without it either"
	}
	return text
}

// first is the first of what failed, and no more: which of many tests fail is
// what a candidate can choose, and would be a message of many bits.
func first(failed []string) string {
	if len(failed) > 1 {
		return failed[0] + "\nother tests fail, too"
	}
	return strings.Join(failed, "")
}
