package rpc

import (
	"errors"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// maxFrame bounds the numbers of frames in requests: Delve makes room for all frames
// down to the one that is asked for before it looks how many there are. With the
// number of an agent, or of whoever looks on, it would end, and the target with it.
const maxFrame = 1 << 20

var errTooDeep = errors.New("no stack is that deep")

// depthFits refuses requests for frames that no stack has.
func depthFits(in any) error {
	var frames []int
	scoped := func(s api.EvalScope) { frames = append(frames, s.Frame, s.DeferredCall) }
	switch in := in.(type) {
	case rpc2.StacktraceIn:
		frames = []int{in.Depth, in.Skip}
	case rpc2.AncestorsIn:
		frames = []int{in.Depth, in.NumAncestors}
	case rpc2.EvalIn:
		scoped(in.Scope)
	case rpc2.SetIn:
		scoped(in.Scope)
	case rpc2.ListFunctionArgsIn:
		scoped(in.Scope)
	case rpc2.ListLocalVarsIn:
		scoped(in.Scope)
	case rpc2.FindLocationIn:
		scoped(in.Scope)
	case rpc2.DisassembleIn:
		scoped(in.Scope)
	}
	for _, n := range frames {
		if n < 0 || n > maxFrame {
			return errTooDeep
		}
	}
	return nil
}
