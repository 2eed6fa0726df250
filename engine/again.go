package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm/retry"
)

// patient tells of the waits before a busy model is asked again.
func (ma *modelAccess) patient(ctx context.Context) context.Context {
	return retry.Notify(ctx, func(w retry.Wait) {
		text := fmt.Sprintf("%v; asking again in %s (%d of %d)", w.Err, w.After.Round(100*time.Millisecond), w.Attempt, w.Of)
		ma.post(func() { ma.notice("info", text, advice.Of(w.Err)) })
	})
}
