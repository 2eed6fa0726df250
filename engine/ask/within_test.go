package ask

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/llm"
)

func TestRequestsKeepTheLimits(t *testing.T) {
	e := &Models{Loop: &loop.Loop{Opts: options.Session{Fixes: options.Fixes{Limits: options.Limits{FirstToken: time.Second, Total: time.Minute}}}}}
	r := e.within(options.Profile{MaxTokens: 900}, llm.Request{MaxTokens: 500, Seed: 3})
	if r.FirstToken != time.Second || r.Total != time.Minute || r.MaxTokens != 900 || r.Seed != 3 {
		t.Errorf("the request is %+v", r)
	}
	if r := e.within(options.Profile{}, llm.Request{MaxTokens: 500}); r.MaxTokens != 500 {
		t.Errorf("at most %d tokens, want the prompt's 500", r.MaxTokens)
	}
	a := llm.Answer{PromptTokens: 2000, Tokens: 500, Cost: 7}
	if got := (options.Profile{Price: options.Price{Prompt: 3, Answer: 10}}).Priced(a).Cost; got != 0.011 {
		t.Errorf("it cost %v", got)
	}
	if got := (options.Profile{}).Priced(a).Cost; got != 7 {
		t.Errorf("without a price of its own it cost %v", got)
	}
}
