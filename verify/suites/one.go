package suites

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/verdict"
)

// SureOf is the verdict of a failing test's run with a candidate. What fails in it, and
// does not hang, is run again: with the candidate, and if it passed without, in turns.
// What fails only at times is no verdict.
func SureOf(v *execute.Runner, t debugger.FailingTest, before, now []gotest.Test, with, without func() ([]gotest.Test, error)) (verdict.Check, error) {
	check := retestVerdict(v, t, before, now)
	it := gotest.ByName(now)[t.Name]
	fixed := it.Status == gotest.Passed
	if check.Status != verdict.Fail || it.Hung || it.Status != gotest.Failed && !fixed {
		return check, nil
	}
	first := brokenOf(before, now)
	broken := first
	for range leastRounds {
		next, err := with()
		if err != nil {
			return check, err
		}
		if (gotest.ByName(next)[t.Name].Status == gotest.Passed) != fixed {
			return finding.Inconclusive("%s passes in one run with it, and fails in another", t.Name), nil
		}
		if !fixed {
			continue
		}
		was, err := without()
		if err != nil {
			return check, err
		}
		again := brokenOf(was, next)
		broken = slices.DeleteFunc(slices.Clone(broken), func(name string) bool { return !slices.Contains(again, name) })
		if len(broken) == 0 {
			return finding.Warn("%s passes; failed once, and passed when run again: %s", t.Name, finding.Enumerate(first)), nil
		}
	}
	return check, nil
}

// brokenOf names the tests that passed and fail now, subtests for what they belong to.
func brokenOf(before, now []gotest.Test) (names []string) {
	was := gotest.ByName(before)
	for _, t := range now {
		if t.Status == gotest.Failed && was[t.Name].Status == gotest.Passed && !hasFailingPart(t.Name, now) {
			names = append(names, t.Name)
		}
	}
	return names
}

// retestVerdict compares the tests of two runs.
func retestVerdict(v *execute.Runner, t debugger.FailingTest, before, now []gotest.Test) verdict.Check {
	was := gotest.ByName(before)
	it := gotest.ByName(now)[t.Name]
	if top := gotest.ByName(now)[gotest.Top(t.Name)]; notEnded(it) && top.Status == gotest.Failed {
		it.Name, it.Status, it.Hung = t.Name, top.Status, top.Hung // it took the others with it, or one before it did
	}
	switch {
	case it.Hung:
		return finding.Open(finding.Fail("%s hangs", t.Name))
	case it.Status == gotest.Failed:
		return finding.Elsewhere(finding.Fail("%s still fails%s", t.Name, finding.After(": ", v.Message(words(it, now)))), "%s still fails", t.Name)
	case it.Status == gotest.Skipped:
		return finding.Open(finding.Fail("%s is skipped with it", t.Name))
	case it.Status != gotest.Passed:
		return finding.Elsewhere(finding.Fail("%s was not run to its end%s", t.Name, finding.After(": ", v.Message(it.Output))), "%s was not run to its end", t.Name)
	}
	var broken, left []string
	for _, other := range now {
		if other.Status != gotest.Failed || hasFailingPart(other.Name, now) {
			continue // what is below it says why
		}
		if was[other.Name].Status == gotest.Passed {
			broken = append(broken, other.Name)
		} else {
			left = append(left, other.Name)
		}
	}
	switch {
	case len(broken) > 0:
		check := finding.Fail("%s passes, but now %s fails: %s", t.Name, broken[0], v.Message(words(gotest.ByName(now)[broken[0]], now)))
		return finding.Elsewhere(check, "%s passes, but now %s fails", t.Name, broken[0]) // a name that passed before is none of the candidate's
	case len(left) > 0:
		return finding.Warn("%s passes; still failing, as before: %s", t.Name, finding.Enumerate(left))
	}
	return finding.Pass(t.Name + " passes")
}

// notEnded reports whether a test had no end, or did not even begin.
func notEnded(t gotest.Test) bool { return t.Status == "" || t.Status == gotest.Unfinished }

// words are what a test printed, or what was printed of its top-level test.
func words(t gotest.Test, all []gotest.Test) string {
	if strings.TrimSpace(t.Output) != "" {
		return t.Output
	}
	return gotest.ByName(all)[gotest.Top(t.Name)].Output
}

func hasFailingPart(name string, all []gotest.Test) bool {
	return slices.ContainsFunc(all, func(t gotest.Test) bool {
		return t.Status == gotest.Failed && strings.HasPrefix(t.Name, name+"/")
	})
}

// Unlike tells why a run without a candidate does not show the failure; empty
// when it does.
func Unlike(v *execute.Runner, t debugger.FailingTest, run []gotest.Test) string {
	it := gotest.ByName(run)[t.Name]
	if top := gotest.ByName(run)[gotest.Top(t.Name)]; it.Status == gotest.Unfinished && top.Status == gotest.Failed {
		return "" // it took the others with it, or hung
	}
	switch {
	case it.Status == "":
		return t.Name + " was not run" + finding.After(": ", v.Message(gotest.ByName(run)[gotest.Top(t.Name)].Output))
	case it.Status == gotest.Passed:
		return t.Name + " passes without a fix: it depends on what ran before it, on time, or on what the sandbox hides"
	case it.Status != gotest.Failed:
		return t.Name + " is " + string(it.Status)
	}
	s, ok := v.Site()
	if !ok || s.Line == 0 || it.Hung || !isLogged(t.Call) {
		return ""
	}
	place := filepath.Base(s.File) + ":" + strconv.Itoa(s.Line) + ": "
	var others []string
	for _, other := range run {
		if strings.Contains(other.Output, place) {
			return ""
		}
		others = append(others, other.Output)
	}
	if printed := PlacesLogged.FindString(strings.Join(others, "\n")); printed != "" {
		return t.Name + " fails in another way: " + v.Message(words(it, run))
	}
	return ""
}

// PlacesLogged is where the testing package says that something was logged.
var PlacesLogged = lazyregexp.New(`[\w.-]+\.go:\d+: `)

// isLogged reports whether a failure is printed with its line.
func isLogged(call string) bool {
	switch call {
	case "Error", "Errorf", "Fatal", "Fatalf":
		return true
	}
	return false
}
