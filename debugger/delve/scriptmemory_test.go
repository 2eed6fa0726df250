package delve

import (
	"runtime"
	"testing"
	"time"
)

func TestMemoryOfScriptsIsBounded(t *testing.T) {
	ended := make(chan struct{})
	bound := boundMemory(8<<20, func() { close(ended) })
	held := make([]byte, 64<<20)
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it was not ended")
	}
	runtime.KeepAlive(held)
	if !bound.end() {
		t.Error("not said")
	}
	if frugal := boundMemory(1<<30, func() { t.Error("ended for nothing") }); frugal.end() {
		t.Error("said for nothing")
	}
}
