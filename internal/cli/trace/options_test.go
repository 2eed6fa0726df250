package trace

import (
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfTrace(t *testing.T) {
	trace, err := clitest.Parse(t, New, "--nth", "2")
	if err != nil || trace.File != "-" || trace.nth != 2 {
		t.Errorf("trace: %+v, %v", trace, err)
	}
	_, err = clitest.Parse(t, New, "--nth", "-1")
	clitest.WantUsage(t, "no trace", err, "--nth -1")
}
