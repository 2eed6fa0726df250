package lines

import (
	"context"
	"sync"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/pair"
)

// visit is in a session in the past until the person leaves it.
func visit(f *frontend, past *live.Past) {
	if past == nil || past == f.visited || f.opts.Beside {
		return
	}
	f.visited = past
	f.say("the past, in a run of its own; 0 or exit returns to the present")
	o := f.opts
	o.Seat = nil
	ctx, cancel := context.WithCancel(f.ctx)
	defer cancel()
	inner := newFrontend(ctx, past, o)
	inner.out, inner.lines, inner.past, inner.next = f.out, f.lines, true, f.next
	updates := make(chan live.Update)
	var helpers sync.WaitGroup
	helpers.Go(func() { follow(ctx, past, updates) })
	inner.converse(f.lines, updates, make(chan pair.View))
	past.Do(intent.Quit{})
	cancel()
	helpers.Wait()
	f.ended, f.next, f.sent = f.ended || inner.ended, inner.next, nil // the line that led here is answered
	f.say("back in the present: the program is held as it was")
}
