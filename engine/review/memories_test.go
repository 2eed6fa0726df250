package review

import (
	"testing"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestAFixThatATestOpposesDidNotHelp(t *testing.T) {
	for _, tt := range []struct {
		check verdict.Check
		want  bool
	}{
		{verdict.Check{Name: verdict.Tests, Status: verdict.Pass}, false},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Skip}, false},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Fail}, true},
		{verdict.Check{Name: verdict.Tests, Status: verdict.Warn, Detail: "39 tests; fail without the panic now: TestCompliance"}, true},
		{verdict.Check{Name: verdict.Rerun, Status: verdict.Warn}, false},
		{verdict.Check{Name: verdict.Vet, Status: verdict.Fail}, true},
	} {
		if got := opposed(session.CandidateRecord{Checks: []verdict.Check{tt.check}}); got != tt.want {
			t.Errorf("%s %s: %t, want %t", tt.check.Name, tt.check.Status, got, tt.want)
		}
	}
}
