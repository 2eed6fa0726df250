package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
)

// Limits bound the wait for a model; zero is the provider's own limit.
type Limits struct {
	FirstToken time.Duration
	Total      time.Duration
}

// Price is what a model costs, per million tokens.
type Price struct{ Prompt, Answer float64 }

// within completes a request with what the session and the profile set.
func (ma *modelAccess) within(p Profile, r llm.Request) llm.Request {
	r.FirstToken, r.Total = ma.opts.Limits.FirstToken, ma.opts.Limits.Total
	if p.MaxTokens > 0 {
		r.MaxTokens = p.MaxTokens
	}
	return r
}

// priced counts what an answer cost, where the profile has a price.
func (p Profile) priced(a llm.Answer) llm.Answer {
	if p.Price != (Price{}) {
		a.Cost = (float64(a.PromptTokens)*p.Price.Prompt + float64(a.Tokens)*p.Price.Answer) / 1e6
	}
	return a
}

// patient reports the waits before a busy model is asked again.
func (ma *modelAccess) patient(ctx context.Context) context.Context {
	return retry.Notify(ctx, func(w retry.Wait) {
		text := fmt.Sprintf("%v; asking again in %s (%d of %d)", w.Err, w.After.Round(100*time.Millisecond), w.Attempt, w.Of)
		ma.post(func() { ma.notice("info", text, advice.Of(w.Err)) })
	})
}
