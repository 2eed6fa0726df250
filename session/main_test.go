package session

import (
	"os"
	"testing"

	"github.com/adrg/xdg"
)

func TestMain(m *testing.M) {
	state, err := os.MkdirTemp("", "pausetui-state-") // of the key of journals
	if err != nil {
		panic(err)
	}
	_ = os.Setenv("XDG_STATE_HOME", state)
	xdg.Reload()
	code := m.Run()
	_ = os.RemoveAll(state)
	os.Exit(code)
}
