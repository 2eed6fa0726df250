package apply

import (
	"os"
	"testing"

	"github.com/adrg/xdg"
)

// asWriter makes this test binary the process that the kill test kills: its
// value is the directory to work in.
const asWriter = "PAUSETUI_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		runWriter(dir)
		os.Exit(3) // it was not killed
	}
	state, err := os.MkdirTemp("", "pausetui-state-") // of the key of journals, for what is killed, too
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("XDG_STATE_HOME", state)
	xdg.Reload()
	code := m.Run()
	_ = os.RemoveAll(state)
	os.Exit(code)
}
