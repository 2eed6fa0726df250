package debugger

import (
	"slices"
	"strings"
)

// Landing is the frame to look at first in a goroutine: the innermost one of the
// user's modules, else the innermost outside the runtime and the library's
// internals. A goroutine that waits is in runtime.gopark, which says nothing.
// The zero value without frames.
func Landing(frames []Frame) Frame {
	for _, says := range []func(Frame) bool{
		func(f Frame) bool { return f.User },
		func(f Frame) bool { return !f.Runtime && !strings.HasPrefix(f.Function, "internal/") },
		func(Frame) bool { return true },
	} {
		if i := slices.IndexFunc(frames, says); i >= 0 {
			return frames[i]
		}
	}
	return Frame{}
}
