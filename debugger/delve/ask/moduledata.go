package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// readTyped asks Delve for values, a second time where it did not know their types. Delve
// reads the modules' type data at the first interface that it loads after the target
// ran, through the memory of that value; this fails where the value was put together
// from registers. runtime.memoryError lies in the target's memory: after it, Delve has
// the data (Delve 1.27.2, loadInterface).
func readTyped[Out any](ctx context.Context, srv *control.Server, at debugger.FrameRef, method string, in any, values func(Out) []api.Variable) (Out, error) {
	out, err := rpc.Call[Out](ctx, srv.Client, method, in)
	if (err == nil || !lacksTypes(err.Error())) && !slices.ContainsFunc(values(out), untyped) {
		return out, err
	}
	memoryError := rpc2.EvalIn{Scope: Scope(at), Expr: "runtime.memoryError", Cfg: &convert.FrameLoad}
	if _, err := rpc.Call[rpc2.EvalOut](ctx, srv.Client, "Eval", memoryError); err != nil {
		return out, err
	}
	return rpc.Call[Out](ctx, srv.Client, method, in)
}

func lacksTypes(text string) bool { return strings.Contains(text, "error loading module data") }

func untyped(v api.Variable) bool {
	return lacksTypes(v.Unreadable) || slices.ContainsFunc(v.Children, untyped)
}
