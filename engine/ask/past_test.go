package ask

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// TestMemoryKeyNamesTheBlock: a fix of one block is not offered for another.
func TestMemoryKeyNamesTheBlock(t *testing.T) {
	stop := debugger.Stop{Panic: &debugger.Panic{Fingerprint: "f1"}}
	if key := MemoryKey(stop); key != "f1" {
		t.Errorf("without a block: %q", key)
	}
	keys := map[string]bool{"f1": true}
	for _, stop := range []debugger.Stop{
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/parse", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f1"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
		{Panic: &debugger.Panic{Fingerprint: "f2"}, Block: &debugger.Block{ID: "import/sum", Intent: "x"}},
	} {
		key := MemoryKey(stop)
		if keys[key] {
			t.Errorf("%q is the key of two stops", key)
		}
		keys[key] = true
		stop.Block.Intent = "said in other words"
		if MemoryKey(stop) != key {
			t.Errorf("%q depends on the intent", key)
		}
	}
}
