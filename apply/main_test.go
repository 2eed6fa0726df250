package apply

import (
	"os"
	"testing"
)

// asWriter makes this test binary the process that the kill test kills: its
// value is the directory to work in.
const asWriter = "PAUSETUI_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWriter); dir != "" {
		runWriter(dir)
		os.Exit(3) // it was not killed
	}
	os.Exit(m.Run())
}
