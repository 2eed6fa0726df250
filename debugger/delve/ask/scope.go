package ask

import (
	"fmt"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
)

// Scope is the frame for Delve.
func Scope(at debugger.FrameRef) api.EvalScope {
	return api.EvalScope{GoroutineID: int64(at.Goroutine), Frame: at.Frame, DeferredCall: at.Deferred}
}

// Inner is the scope of a frame; that of the thread where there is no goroutine.
func Inner(at debugger.FrameRef) api.EvalScope {
	s := Scope(at)
	if s.GoroutineID == 0 {
		s.GoroutineID = -1
	}
	return s
}

// NoFrame says that a goroutine has no such frame.
func NoFrame(at debugger.FrameRef) error {
	return fmt.Errorf("goroutine %d has no frame %d", at.Goroutine, at.Frame)
}
