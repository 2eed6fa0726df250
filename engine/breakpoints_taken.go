package engine

import (
	"context"
	"maps"

	"github.com/pausetui/pausetui/session"
)

// take puts into the list what a script, or another client of the same server, has done
// with breakpoints. Those of another client are not kept for later sessions.
func (bs *breakpoints) take(actor string, another bool) error {
	if bs.runner == nil || bs.runner.targetless() {
		return nil
	}
	set, gone, err := bs.runner.round.target.TakeBreakpoints(bs.Ctx)
	if err != nil {
		return err
	}
	for _, b := range set {
		ours := bs.ours(b.ID)
		if ours == 0 {
			b.Session = another
			bs.last++
			ours = bs.last
		}
		bs.landed(actor, ours, b)
	}
	for _, theirs := range gone {
		if ours := bs.ours(theirs); ours != 0 {
			delete(bs.inTarget, ours)
			bs.Append(actor, &session.BreakpointCleared{ID: ours})
			bs.changed = true
		}
	}
	return nil
}

// TakeBreakpoints implements console.Host.
func (h host) TakeBreakpoints(ctx context.Context) (numbers map[int]int, err error) {
	_, refused := h.act(ctx, func() {
		err = h.e.breaks.take(h.e.loop.By(), false)
		numbers = maps.Clone(h.e.breaks.inTarget)
	})
	if refused != nil {
		return nil, refused
	}
	return numbers, err
}
