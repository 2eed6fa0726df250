package engine

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
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

// TestMemoryKeyNamesTheBlock: a fix of one block is not offered for another.
func TestMemoryKeyNamesTheBlock(t *testing.T) {
	stop := debugger.Stop{Panic: &debugger.Panic{Fingerprint: "f1"}}
	if key := memoryKey(stop); key != "f1" {
		t.Errorf("without a block: %q", key)
	}
	keys := map[string]bool{"f1": true}
	for _, stop := range []debugger.Stop{
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/parse", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f2"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
	} {
		key := memoryKey(stop)
		if keys[key] {
			t.Errorf("%q is the key of two stops", key)
		}
		keys[key] = true
		stop.Block.Intent = "said in other words"
		if memoryKey(stop) != key {
			t.Errorf("%q depends on the intent", key)
		}
	}
}
