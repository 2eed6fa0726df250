package suites

import (
	"strings"

	"github.com/pausetui/pausetui/verify/gotest"
)

// comparison is one package's tests without and with a candidate.
type comparison struct {
	broken  []gotest.Test // passed before and fail now: of a test and its subtests only the innermost
	trouble string        // went wrong outside of any test, and did not before
	failing []string      // failed before, and fail now or were not run
	fixed   []string      // failed before and pass now
	gone    []string      // passed before and is not there any more
	skipped []string      // passed before and is skipped now
	added   []string      // was not there before and fails
	late    []string      // passed before; there was no time to run it again
	passed  int           // top-level tests that pass now
	parts   int           // subtests that pass as before, of tests that fail
}

// compareSuites holds a package's tests against those without the candidate.
func compareSuites(before, after gotest.Report) comparison {
	var c comparison
	was := gotest.ByName(before.Tests)
	now := gotest.ByName(after.Tests)
	var parts []gotest.Test
	for _, t := range after.Tests {
		old, known := was[t.Name]
		switch {
		case t.Status == gotest.Passed && t.IsTop():
			c.passed++
			if known && old.Status == gotest.Failed {
				c.fixed = append(c.fixed, t.Name)
			}
		case t.Status == gotest.Passed && old.Status == gotest.Passed && now[gotest.Top(t.Name)].Status == gotest.Failed:
			parts = append(parts, t)
		case t.Status == gotest.Failed && old.Status == gotest.Passed:
			c.broken = append(c.broken, t)
		case t.Status == gotest.Failed && !known && t.IsTop() && before.Trouble == "" && before.Cut == "":
			c.added = append(c.added, t.Name)
		case t.Status == gotest.Skipped && old.Status == gotest.Passed:
			c.skipped = append(c.skipped, t.Name)
		}
	}
	c.broken, c.parts = innermost(c.broken), len(innermost(parts))
	c.addMissing(before, after)
	if before.Trouble == "" {
		c.trouble = after.Trouble
	}
	return c
}

// addMissing adds the tests that failed before and do not pass now, and those that passed and
// were not run.
func (c *comparison) addMissing(before, after gotest.Report) {
	now := gotest.ByName(after.Tests)
	for _, t := range before.Tests {
		if !t.IsTop() {
			continue // the names of subtests may come from anywhere
		}
		new, there := now[t.Name]
		ran := there && new.Status != gotest.Unfinished
		switch {
		case t.Status == gotest.Failed && (!ran || new.Status == gotest.Failed):
			c.failing = append(c.failing, t.Name)
		case t.Status == gotest.Passed && !ran && after.Cut != "":
			c.late = append(c.late, t.Name)
		case t.Status == gotest.Passed && !ran && after.Trouble == "":
			c.gone = append(c.gone, t.Name)
		}
	}
}

// innermost leaves out the tests that a subtest of theirs stands for.
func innermost(tests []gotest.Test) []gotest.Test {
	parents := map[string]bool{}
	for _, t := range tests {
		for name := t.Name; ; {
			i := strings.LastIndexByte(name, '/')
			if i < 0 {
				break
			}
			name = name[:i]
			parents[name] = true
		}
	}
	var found []gotest.Test
	for _, t := range tests {
		if !parents[t.Name] {
			found = append(found, t)
		}
	}
	return found
}

// tops returns the top-level names of tests, each once.
func tops(tests []gotest.Test) []string {
	var names []string
	seen := map[string]bool{}
	for _, t := range tests {
		if top := gotest.Top(t.Name); !seen[top] {
			seen[top] = true
			names = append(names, top)
		}
	}
	return names
}
