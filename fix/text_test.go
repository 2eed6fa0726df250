package fix

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Candidates whose runs print the same are named together.
func TestWhatRunsPrintIsSaidOnce(t *testing.T) {
	var out strings.Builder
	writePrinted(&out, []Candidate{{Rank: 1, prints: "box 1"}, {Rank: 2, prints: "box 0\nbox 2"}, {Rank: 3}, {Rank: 4, prints: "box 0\nbox 2"}})
	want := "\n1 prints:\n  box 1\n\n2, 4 print:\n  box 0\n  box 2\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// A run with --apply that does not apply says which flag is missing.
func TestADeclineSaysWhichFlagAppliesIt(t *testing.T) {
	for effect, flags := range map[verdict.Effect]string{verdict.Repairs: "--apply", verdict.Declines: "--apply --allow-declines", verdict.Skips: "--apply --allow-masking"} {
		got := outcomeText(Report{Outcome: Verified, Candidates: []Candidate{{Verified: true, Effect: effect}}})
		if !strings.Contains(got, ": "+flags+" writes it") {
			t.Errorf("%s: %q", effect, got)
		}
	}
}

// What --allow-declines would not write is not offered as if it did.
func TestADeclineIsOfferedWhereItsChecksPass(t *testing.T) {
	for _, c := range []struct {
		rerun, masking verdict.Status
		want           string
	}{
		{verdict.Pass, verdict.Pass, "nothing is verified: fix 1 declines: --apply --allow-declines writes it"},
		{verdict.Warn, verdict.Pass, "nothing is verified: fix 1 declines: --apply --allow-declines writes it"},
		{verdict.Fail, verdict.Pass, "nothing could be verified"},
		{verdict.Pass, verdict.Inconclusive, "nothing could be verified: the check masking of fix 1 is inconclusive: no run"},
	} {
		checks := []verdict.Check{{Name: verdict.Rerun, Status: c.rerun}, {Name: verdict.Masking, Status: c.masking, Detail: "no run"}}
		for _, name := range []string{verdict.Scope, verdict.Parse, verdict.Build} {
			checks = append(checks, verdict.Check{Name: name, Status: verdict.Pass})
		}
		record := session.CandidateRecord{Checks: checks, Verdict: &verdict.Verdict{Effect: verdict.Declines, Checks: checks}}
		if got := outcomeText(Report{Outcome: Unverified, Candidates: []Candidate{newCandidate(record, 1)}}); got != c.want {
			t.Errorf("rerun %s, effect %s: %q, want %q", c.rerun, c.masking, got, c.want)
		}
	}
}

// Where nothing could be decided, the outcome says by what.
func TestUndecidedSaysWhy(t *testing.T) {
	checks := []Check{{Name: verdict.Build, Status: verdict.Pass}, {Name: verdict.Rerun, Status: verdict.Inconclusive, Detail: "start the sandbox: too many open files\nmore"}}
	r := Report{Outcome: Unverified, Candidates: []Candidate{{Checks: checks}}}
	if got, want := outcomeText(r), "nothing could be verified: the check rerun of fix 1 is inconclusive: start the sandbox: too many open files"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Candidates[0].Checks = append(checks, Check{Name: verdict.Tests, Status: verdict.Fail})
	if got := outcomeText(r); got != "nothing could be verified" {
		t.Errorf("what failed is in the list: %q", got)
	}
}

// A program that ended by itself says itself why.
func TestAnErrorExitShowsTheLastLine(t *testing.T) {
	exited := &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{Code: 7}}}
	r := NewReport([]session.Event{{Body: &session.OutputKept{Round: 1, Tail: "reading\n\x1b[31mno such file: a.txt\x1b[m\n\n"}}, {Body: exited}}, "log")
	r.Outcome = Exited
	if got, want := outcomeText(r), "exited with 7; nothing stopped. The last line it printed: no such file: a.txt"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r = NewReport([]session.Event{{Body: &session.OutputKept{Round: 1, Tail: "done\n"}}, {Body: &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}}}}}, "log")
	if r.Target.LastLine != "" {
		t.Errorf("a clean end shows %q", r.Target.LastLine)
	}
}
