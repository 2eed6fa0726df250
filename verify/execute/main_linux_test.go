package execute

import (
	"testing"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/verify/sandbox"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	reexec.Main()
	goleak.VerifyTestMain(m)
}

func skipWithoutSandbox(t testing.TB) {
	t.Helper()
	if tier, reasons := sandbox.Detect(); tier == sandbox.None {
		t.Skipf("there is no sandbox here: %v", reasons)
	}
}
