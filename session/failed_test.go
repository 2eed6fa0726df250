package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/verdict"
)

func TestFailedCandidatesHaveNames(t *testing.T) {
	failed := func(name string) *verdict.Verdict {
		return &verdict.Verdict{Checks: []verdict.Check{{Name: verdict.Vet, Status: verdict.Warn}, {Name: name, Status: verdict.Fail}}}
	}
	for name, one := range map[string]struct {
		c    CandidateRecord
		want Failed
	}{
		"not proved yet":     {CandidateRecord{}, ""},
		"passes":             {CandidateRecord{Verdict: &verdict.Verdict{Verified: true}}, ""},
		"scope":              {CandidateRecord{Verdict: failed(verdict.Scope)}, FailedBuild},
		"parse":              {CandidateRecord{Verdict: failed(verdict.Parse)}, FailedBuild},
		"build":              {CandidateRecord{Verdict: failed(verdict.Build)}, FailedBuild},
		"rerun":              {CandidateRecord{Verdict: failed(verdict.Rerun)}, FailedCrash},
		"tests":              {CandidateRecord{Verdict: failed(verdict.Tests)}, FailedTests},
		"vet":                {CandidateRecord{Verdict: failed(verdict.Vet)}, FailedCheck},
		"regression":         {CandidateRecord{Verdict: failed(verdict.Regression)}, FailedCheck},
		"rejected":           {CandidateRecord{Decision: Rejected, Verdict: failed(verdict.Build)}, FailedRefused},
		"rejected, unproved": {CandidateRecord{Decision: Rejected}, FailedRefused},
	} {
		if got := one.c.Failed(); got != one.want {
			t.Errorf("%s: %q, want %q", name, got, one.want)
		}
	}
}

// The log shows a script as it was written, and what became of it.
func TestTheLogShowsScripts(t *testing.T) {
	for _, one := range []struct {
		p    Probed
		want string
	}{
		{Probed{Tool: "script", Arguments: map[string]string{"code": "for f in frames():\n    print(f)"}, Result: "main.main"},
			"the model runs a script:\n\n```python\n  for f in frames():\n      print(f)\n```\n"},
		{Probed{Tool: "script", Arguments: map[string]string{"code": "x"}, Err: "undefined: x"}, "it failed: undefined: x"},
		{Probed{Tool: "writers", Arguments: map[string]string{"field": "terms"}, Result: "a"}, "the model looks for what writes terms, `writers(field=terms)`:"},
		{Probed{Tool: "locals", Arguments: map[string]string{"frame": "3"}, Result: "a"}, "looks at the variables of frame 3"},
		{Probed{Tool: "shell", Err: "there is none"}, "the model asks for shell, `shell()`: there is none"},
	} {
		w := &story{}
		w.probed(Event{}, &one.p)
		if got := w.out.String(); !strings.Contains(got, one.want) {
			t.Errorf("%+v is\n%s\nwant\n%s", one.p, got, one.want)
		}
	}
}
