package session

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A line right after a list would be read as part of its last item.
func TestTheRegressionTestIsNoPartOfTheEvidence(t *testing.T) {
	w := &story{}
	w.proved(&Proved{Candidate: "c1", Verdict: verdict.Verdict{
		Evidence: []verdict.Evidence{{Kind: "origin", Detail: "it now runs"}}, Test: &patch.RegressionTest{Name: "TestX"}}})
	if want := "- evidence (origin): it now runs\n\nRegression test `TestX`"; !strings.Contains(w.out.String(), want) {
		t.Errorf("no %q in:\n%s", want, w.out.String())
	}
}
