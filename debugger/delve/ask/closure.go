package ask

import (
	"context"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// closure is at the end of the names of function literals. Of the bodies of loops over
// functions Delve reads the variables in the function around them.
var closure = lazyregexp.New(`\.func[\d.]+$`)

// Entry returns where a closure begins; ok is false if the address is not there.
func Entry(ctx context.Context, srv *control.Server, at debugger.FrameRef, function string, pc uint64) (begins api.Location, ok bool) {
	if !closure.MatchString(function) {
		return begins, false
	}
	list, err := Find(ctx, srv, at, function)
	if err != nil || len(list) != 1 || pc > list[0].PC {
		return begins, false
	}
	return list[0], true
}
