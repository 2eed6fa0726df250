package git

import (
	"os"
	"testing"

	"github.com/pausetui/pausetui/internal/supervise"
)

func TestMain(m *testing.M) {
	supervise.Main()
	os.Exit(m.Run())
}
