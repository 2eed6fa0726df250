package delve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
)

// notCalled says in plain words why Delve did not make a call.
func notCalled(expr string, err error) error {
	name, optimized := strings.CutSuffix(rpc.Detail(err, "can not call optimized function "), " when regabi is in use")
	switch {
	case errors.Is(err, rpc.ErrEscapes):
		return fmt.Errorf("%s: an argument lies on the stack, and the function may keep a pointer to it: call -unsafe passes it all the same", expr)
	case errors.Is(err, rpc.ErrUnsafe):
		return fmt.Errorf("%s: the goroutine is at a place where no function can be called: step to the next line first", expr)
	case optimized:
		pkg := debugger.PackageOf(name)
		return advice.Add(fmt.Errorf("%s is compiled with optimization: it cannot be called", name), "rebuild -deps "+pkg+" compiles "+pkg+" without, and starts the program again")
	}
	if symbol := rpc.Detail(err, "could not find symbol "); strings.Contains(symbol, ".") {
		return advice.Add(fmt.Errorf("%s: there is no %s here", expr, symbol),
			"a variable begins with its line, and a function that nothing in the program calls is not part of it")
	}
	return fmt.Errorf("%s: %w", expr, err)
}

// called completes the stop after a call: what it has returned, or with what it
// panicked.
func (mv *moves) called(ctx context.Context, p *plan, state *api.DebuggerState, stop *debugger.Stop) {
	for _, thread := range state.Threads {
		if debugger.GoroutineID(thread.GoroutineID) != stop.Goroutine || !thread.CallReturn {
			continue
		}
		stop.Called, stop.Reason = p.called, debugger.ReasonCall
		if v := thread.ReturnValues; len(v) == 1 && v[0].Name == "~panic" {
			at := debugger.FrameRef{Goroutine: stop.Goroutine}
			stop.Returned = nil
			stop.Fault = p.called + " panics: " + mv.panics.errorText(ctx, at, link{arg: v[0]})
		}
	}
}
