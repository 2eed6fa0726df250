package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestReasonsAreReadWhole reads a long reason in the list, in the review and before the
// approval, with keys.
func TestReasonsAreReadWhole(t *testing.T) {
	end := "that-is-its-end"
	for _, size := range [][2]int{{80, 24}, {120, 36}, {160, 45}, {200, 60}} {
		for _, keys := range [][]string{{"6", "g"}, {"6", "g", "enter"}, {"6", "g", "a"}} {
			f := sceneStopped()
			reason := "not run within 1m0s: the tests of cmd/gosh; " + strings.Repeat("it fails without the panic now: interp.TestRunnerRun ", 16) + end
			f.add(&session.Asked{Request: "a1", Source: builtin(), Round: 1}, originFix(), &session.Answered{Request: "a1", Candidates: 1},
				&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: checks(rerunPass(), verdict.Check{Name: verdict.Tests, Status: verdict.Inconclusive, Detail: reason})}})
			s := play(t, f, size[0], size[1])
			s.press(keys...)
			for range 60 {
				s.press("j")
				if strings.Contains(s.screenText(), end) {
					break
				}
			}
			if text := s.screenText(); !strings.Contains(text, end) {
				t.Errorf("%v: after %v j never comes to the end of the reason:\n%s", size, keys, text)
			}
		}
	}
}

// What a check warns of is said before the approval: a test that fails with the fix.
func TestAnApprovalSaysWhatChecksWarnOf(t *testing.T) {
	f := sceneStopped()
	f.add(&session.Asked{Request: "a1", Source: builtin(), Round: 1}, originFix(), &session.Answered{Request: "a1", Candidates: 1},
		&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: checks(rerunPass(), verdict.Check{Name: verdict.Tests, Status: verdict.Warn, Count: 72, Detail: "TestEviction fails now"})}})
	s := play(t, f, 120, 36)
	s.press("6", "g", "a")
	shows(t, s, "⚠ tests: TestEviction fails now.")
}

// A fix that is approved while it is being proved comes without the regression test whose
// check has passed: the dialog says so.
func TestAnEarlyApprovalSaysWhatItLoses(t *testing.T) {
	for status, want := range map[verdict.Status]bool{verdict.Pass: true, verdict.Skip: false} {
		f := sceneFixes()
		f.add(&session.Checked{Candidate: "c2", Check: verdict.Check{Name: verdict.Regression, Status: status}})
		s := play(t, f, 120, 36)
		s.press("6", "G", "a")
		if got := strings.Contains(s.screenText(), "it comes without its regression test"); got != want {
			t.Errorf("%s: said %v:\n%s", status, got, s.screenText())
		}
	}
}
