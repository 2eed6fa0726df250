package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/subject"
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

func TestWhichPackagesAreAffected(t *testing.T) {
	packages := []build.TestPackage{
		{ImportPath: "m/app", Dir: "/m/app", HasTests: true, Deps: []string{"fmt", "m/app", "m/mid", "m/low"}},
		{ImportPath: "m/mid", Dir: "/m/mid", HasTests: true, Deps: []string{"m/mid", "m/low"}},
		{ImportPath: "m/low", Dir: "/m/low", HasTests: true, Deps: []string{"m/low"}},
		{ImportPath: "m/bare", Dir: "/m/bare"},
		{ImportPath: "m/user", Dir: "/m/user", HasTests: true, Deps: []string{"m/bare", "m/user"}},
		{ImportPath: "other", Dir: "/other", HasTests: true, Deps: []string{"m/low", "other"}}, // of another module
	}
	for _, tt := range []struct {
		files, stack []string
		want         string
	}{
		{[]string{"/m/low/low.go"}, nil, "m/low | m/mid other m/app"},
		{[]string{"/m/low/low.go"}, []string{"/m/low", "/m/app"}, "m/low | m/app | m/mid other"},
		{[]string{"/m/mid/mid.go"}, nil, "m/mid | m/app"},
		{[]string{"/m/mid/mid.go"}, []string{"/other"}, "m/mid | m/app"},
		{[]string{"/m/app/main.go"}, nil, "m/app"},
		{[]string{"/m/app/main.go", "/m/low/x.go"}, nil, "m/low m/app | m/mid other"},
		{[]string{"/m/low/low_test.go"}, nil, "m/low"},
		{[]string{"/m/bare/bare.go"}, nil, "m/user"},
		{[]string{"/m/low/testdata/deep/in.txt"}, nil, "m/low | m/mid other m/app"},
		{[]string{"/m/new/new.go"}, nil, ""},
		{[]string{"/elsewhere/x.txt"}, nil, ""},
	} {
		var groups []string
		for _, g := range affected(packages, tt.files, tt.stack) {
			var names []string
			for _, p := range g {
				names = append(names, p.ImportPath)
			}
			groups = append(groups, strings.Join(names, " "))
		}
		if got := strings.Join(groups, " | "); got != tt.want {
			t.Errorf("%v affect %q, with %v on the stack, want %q", tt.files, got, tt.stack, tt.want)
		}
	}
}

func TestTheFirstThingATestSaid(t *testing.T) {
	v := &Verifier{Runner: execute.New(subject.Subject{}, execute.Options{})}
	for output, want := range map[string]string{
		"    a_test.go:4: bad 1\n    a_test.go:5: bad 2\n": "a_test.go:4: bad 1",
		"got:\nx\nwant:\ny\n":                              "got: x want: y",
		"    a_test.go:9: \n\tError:\n\t\tNot equal\n":     "a_test.go:9: Error: Not equal",
		"\n\n":                   "",
		"\x1b[31mred\x1b[0m\n":   "red",
		strings.Repeat("x", 300): strings.Repeat("x", 200) + "…",
		"panic: boom [recovered]\n\tpanic: boom\n\nno goroutine here": "panic: boom [recovered]",
	} {
		if got := v.Message(output); got != want {
			t.Errorf("%q becomes %q, want %q", output, got, want)
		}
	}
}
