package git

import (
	"os"
	"testing"

	"github.com/pausetui/pausetui/internal/reexec"
)

func TestMain(m *testing.M) {
	reexec.Main()
	os.Exit(m.Run())
}
