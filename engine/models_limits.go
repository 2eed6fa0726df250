package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
	"github.com/pausetui/pausetui/session"
)

// Limits bound the asking; zero is the provider's own limit, or none.
type Limits struct {
	FirstToken time.Duration // of one answer
	Total      time.Duration
	Lookups    int // of a model in the paused program, a question; 6 when 0

	// Of all questions of the session together. A question that is under way when
	// one is reached is answered; no other is asked.
	Asking time.Duration // how long models have worked on answers
	Tokens int           // of prompts and answers
	Cost   float64
}

// reached says which limit of the session is reached; empty for none.
func (l Limits) reached(requests []session.Request) string {
	var took time.Duration
	tokens, cost := 0, 0.0
	for _, r := range requests {
		if a := r.Answered; a != nil && r.Asked.Source != builtinSource && r.Asked.Source != memorySource {
			took, tokens, cost = took+a.Took, tokens+a.PromptTokens+a.Tokens, cost+a.Cost
		}
	}
	switch {
	case l.Tokens > 0 && tokens >= l.Tokens:
		return fmt.Sprintf("stopped: %d of %d tokens used", tokens, l.Tokens)
	case l.Cost > 0 && cost >= l.Cost:
		return fmt.Sprintf("stopped: %.4g of %.4g spent", cost, l.Cost)
	case l.Asking > 0 && took >= l.Asking:
		return fmt.Sprintf("stopped: models have worked for %s of %s", took.Round(time.Second), l.Asking)
	}
	return ""
}

// Price is what a model costs, per million tokens.
type Price struct{ Prompt, Answer float64 }

// within completes a request with what the session and the profile set.
func (ma *modelAccess) within(p Profile, r llm.Request) llm.Request {
	r.FirstToken, r.Total = ma.opts.Fixes.Limits.FirstToken, ma.opts.Fixes.Limits.Total
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
