package verify

import (
	"context"
)

// background begins work that the candidates of a stop share. It goes on when
// the check that began it is over, until ctx ends or the verifier is closed.
func (v *Verifier) background(ctx context.Context, work func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(v.closing, cancel)
	v.working.Go(func() {
		defer cancel()
		defer stop()
		work(ctx)
	})
}
