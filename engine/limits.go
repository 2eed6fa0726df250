package engine

import (
	"time"

	"github.com/pausetui/pausetui/llm"
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

// priced counts what an answer cost, where the profile has a price of its own.
func (p Profile) priced(a llm.Answer) llm.Answer {
	if p.Price != (Price{}) {
		a.Cost = (float64(a.PromptTokens)*p.Price.Prompt + float64(a.Tokens)*p.Price.Answer) / 1e6
	}
	return a
}
