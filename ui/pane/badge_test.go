package pane

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestTheBadgeOfTestsThatRunCounts(t *testing.T) {
	r := session.CandidateRecord{Candidate: patch.Candidate{ID: "c1"}, Checks: []verdict.Check{{Name: verdict.Rerun, Status: verdict.Pass}}}
	c := &Context{Live: live.State{Proving: map[string]string{"c1": verdict.Tests}}}
	if got := ansi.Strip(Badges(c, r, 80)); !strings.HasSuffix(got, "tests ◌") {
		t.Errorf("badges %q", got)
	}
	c.Live.Tested = map[string]live.Tested{"c1": {Done: 3, Total: 14}, "c2": {Done: 9, Total: 14}}
	if got := ansi.Strip(Badges(c, r, 80)); !strings.HasSuffix(got, "tests 3/14 ◌") {
		t.Errorf("badges %q", got)
	}
	c.Live.Proving["c1"] = verdict.Regression // the tests were counted, but are not what runs
	if got := ansi.Strip(Badges(c, r, 80)); strings.Contains(got, "3/14") {
		t.Errorf("badges %q", got)
	}
}

func TestWhatRunsPrintIsSaidWhereItDiffers(t *testing.T) {
	one := func(id, printed string) session.CandidateRecord {
		return session.CandidateRecord{Candidate: patch.Candidate{ID: id}, Verdict: &verdict.Verdict{Verified: true, Printed: printed, Ending: &verdict.Ending{}}}
	}
	c := &Context{State: session.NewState()}
	c.State.Stops = []session.StopRecord{{Candidates: []session.CandidateRecord{one("c1", "words: 2\n2"), one("c2", "words: 0\x1b[31m\nnone")}}}
	if got := Prints(c, "c1"); got != "words: 2 ⏎ 2" {
		t.Errorf("prints %q", got)
	}
	if got := Prints(c, "c2"); strings.ContainsRune(got, 0x1b) || !strings.HasPrefix(got, "words: 0") {
		t.Errorf("prints %q", got)
	}
	c.State.Stops[0].Candidates = c.State.Stops[0].Candidates[:1]
	if got := Prints(c, "c1"); got != "" {
		t.Errorf("one alone prints %q", got)
	}
}

func TestAPoorRecordIsTheReason(t *testing.T) {
	v := verdict.Verdict{Verified: true, Effect: verdict.Repairs, Caution: "of 3, 1 was right"}
	if got := Reason(session.CandidateRecord{Verdict: &v}); got != "often wrong: of 3, 1 was right" {
		t.Errorf("Reason = %q", got)
	}
}

func TestAProofThatWasCutOffIsStopped(t *testing.T) {
	c := &Context{}
	for want, r := range map[string]session.CandidateRecord{"◌ proving": {}, "– proof stopped": {Cut: true}} {
		if got := ansi.Strip(Standing(c, r, 40)); got != want {
			t.Errorf("standing %q, want %q", got, want)
		}
	}
}

func TestAProofSaysHowLongItRuns(t *testing.T) {
	r := session.CandidateRecord{Candidate: patch.Candidate{ID: "c1"}}
	for _, tt := range []struct {
		took time.Duration
		w    int
		want string
	}{
		{time.Second, 40, "◌ proving"},
		{12*time.Second + 400*time.Millisecond, 40, "◌ proving 12 s"},
		{12 * time.Second, 12, "◌ proving"},
		{65 * time.Second, 40, "◌ proving 1 m 05 s"},
	} {
		c := &Context{Now: began.Add(tt.took), Live: live.State{Began: map[string]time.Time{"c1": began}}}
		if got := ansi.Strip(Standing(c, r, tt.w)); got != tt.want {
			t.Errorf("after %s in %d columns: %q, want %q", tt.took, tt.w, got, tt.want)
		}
	}
}

func TestOriginsAreASentence(t *testing.T) {
	memory, builtin, model := patch.Source{Provider: "memory"}, patch.Source{Provider: patch.BuiltinProvider}, patch.Source{Provider: "ollama", Model: "ollama/qwen3-coder"}
	for want, r := range map[string]session.CandidateRecord{
		"from memory; also by the built-in fixer, by qwen3-coder": {Candidate: patch.Candidate{Source: memory}, Also: []patch.Source{builtin, model}},
		"by you": {Candidate: patch.Candidate{Source: patch.Source{Provider: "person"}}},
	} {
		if got := origins(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
