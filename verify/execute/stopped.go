package execute

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Failures are those of top-level tests, and failedTests those of all, as the testing
// package prints them.
var (
	Failures    = lazyregexp.New(`(?m)^--- FAIL: (\S+)`)
	failedTests = lazyregexp.New(`(?m)^ *--- FAIL: (\S+)`)
)

// failedIn lists the tests without subtests that failed in an output, in its order.
func failedIn(output []byte) (names []string) {
	above := map[string]bool{}
	for _, m := range failedTests.FindAllStringSubmatch(string(Normal(output)), -1) {
		names = append(names, m[1])
		for i, r := range m[1] {
			if r == '/' {
				above[m[1][:i]] = true
			}
		}
	}
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return above[name] }))
}

// LeftFailing decides a run of a test binary in which the test that the target
// stopped in still fails, though it does not stop there any more. Subtests that had
// failed before the stop, too, decide nothing.
func LeftFailing(v *Runner, c Control, r sandbox.Result) (verdict.Check, bool) {
	if !v.Subject.Build.Test || r.ExitCode == 0 || r.Alive() {
		return verdict.Check{}, false
	}
	output := string(Normal(r.Output))
	stopped := v.StoppedTest()
	for _, m := range Failures.FindAllStringSubmatchIndex(output, -1) {
		name := output[m[2]:m[3]]
		switch {
		case stopped == "": // the goroutine that stopped does not say whose it was
			return finding.Inconclusive("%s fails with it, and may be the test that stopped%s", name, finding.After(": ", v.Message(output[m[1]:]))), true
		case name == stopped && len(c.reports) > 0 && len(c.asBefore(name, r)) > 0:
			return verdict.Check{}, false
		case name == stopped:
			_, words, _ := strings.Cut(output[m[1]:], "\n")
			check := finding.Fail("it no longer stops there, but %s still fails%s", name, finding.After(": ", v.Message(words)))
			return finding.Elsewhere(check, "it no longer stops there, but %s still fails", name), true
		}
	}
	return verdict.Check{}, false
}

// asBefore lists the subtests of a test that fail in a run, if all of them had failed in
// each control, too, before it stopped in another one, which reports its failure last, and
// the test itself says no more than it did there.
func (c Control) asBefore(test string, r sandbox.Result) []string {
	now := slices.DeleteFunc(failedIn(r.Output), func(name string) bool { return gotest.Top(name) != test })
	for _, report := range c.reports {
		failed, said := failedIn(report), ownWords(test, report)
		for _, name := range now {
			if at := slices.Index(failed, name); at < 0 || at == len(failed)-1 {
				return nil
			}
		}
		if slices.ContainsFunc(ownWords(test, r.Output), func(line string) bool { return !slices.Contains(said, line) }) {
			return nil
		}
	}
	return now
}

// ownWords lists the lines that a test that failed has logged itself, not in its subtests.
func ownWords(test string, output []byte) (lines []string) {
	_, report, found := strings.Cut("\n"+string(Normal(output)), "\n--- FAIL: "+test+" (")
	if !found {
		return nil
	}
	for line := range strings.Lines(report[strings.IndexByte(report, '\n')+1:]) {
		words := strings.TrimPrefix(line, "    ")
		if words == line {
			return lines
		}
		if !strings.HasPrefix(words, " ") && !strings.HasPrefix(words, "--- ") {
			lines = append(lines, words)
		}
	}
	return lines
}

// Unchanged says which subtests of the test that the target stopped in fail as before.
func (c Control) Unchanged(test string, r sandbox.Result) string {
	if test == "" {
		return ""
	}
	switch list := c.asBefore(test, r); len(list) {
	case 0:
		return ""
	case 1:
		return "; " + list[0] + " fails as before"
	default:
		return "; these fail as before: " + finding.Enumerate(list)
	}
}
