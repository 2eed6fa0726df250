package suites

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/gotest"
)

// ran makes a report: "TestA passed, TestA/x failed".
func ran(text string) gotest.Report {
	var r gotest.Report
	for one := range strings.SplitSeq(text, ", ") {
		if name, status, ok := strings.Cut(one, " "); ok {
			r.Tests = append(r.Tests, gotest.Test{Name: name, Status: gotest.Status(status)})
		}
	}
	return r
}

func TestOnlyWhatPassedBeforeCounts(t *testing.T) {
	cut := ran("A passed, B unfinished")
	cut.Cut = "time was up"
	bad := ran("A passed")
	bad.Trouble = "exit code 3"
	for _, tt := range []struct {
		name          string
		before, after gotest.Report
		want          string
	}{
		{"all well", ran("A passed, B passed, A/x passed"), ran("A passed, B passed"), "passed 2"},
		{"failed before", ran("A failed, B passed"), ran("A failed, B passed"), "passed 1 failing [A]"},
		{"fixed", ran("A failed"), ran("A passed"), "passed 1 fixed [A]"},
		{"broken", ran("A passed, B passed"), ran("A failed, B passed"), "passed 1 broken [A]"},
		{"the innermost", ran("A passed, A/x passed, A/x/y passed, A/z passed"), ran("A failed, A/x failed, A/x/y failed, A/z failed"), "passed 0 broken [A/x/y A/z]"},
		{"a new subtest", ran("A passed"), ran("A failed, A/new failed"), "passed 0 broken [A]"},
		{"another subtest of what failed before", ran("A failed, A/x failed, A/y passed"), ran("A failed, A/x failed, A/y failed"), "passed 0 broken [A/y] failing [A]"},
		{"parts of what fails as before", ran("A failed, A/x failed, A/y passed"), ran("A failed, A/x failed, A/y passed"), "passed 0 parts 1 failing [A]"},
		{"a new test", ran("A passed"), ran("A passed, B failed"), "passed 1"},
		{"gone", ran("A passed, B passed, C failed, A/x passed"), ran("A passed"), "passed 1 failing [C] gone [B]"},
		{"skipped", ran("A passed, B skipped"), ran("A skipped, B skipped"), "passed 0 skipped [A]"},
		{"no time", ran("A passed, B passed, C passed, D failed"), cut, "passed 1 failing [D] late [B C]"},
		{"trouble", ran("A passed, B passed"), bad, "passed 1 trouble exit code 3"},
		{"trouble before", bad, bad, "passed 1"},
	} {
		c := compareSuites(tt.before, tt.after)
		got := fmt.Sprint("passed ", c.passed)
		if c.parts > 0 {
			got += fmt.Sprint(" parts ", c.parts)
		}
		if len(c.broken) > 0 {
			var names []string
			for _, b := range c.broken {
				names = append(names, b.Name)
			}
			got += fmt.Sprint(" broken ", names)
		}
		for _, part := range []struct {
			what  string
			names []string
		}{{"failing", c.failing}, {"fixed", c.fixed}, {"gone", c.gone}, {"skipped", c.skipped}, {"late", c.late}} {
			if len(part.names) > 0 {
				got += fmt.Sprint(" ", part.what, " ", part.names)
			}
		}
		if c.trouble != "" {
			got += " trouble " + c.trouble
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
