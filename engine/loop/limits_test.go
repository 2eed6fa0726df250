package loop

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

func TestLimitsCountEveryQuestion(t *testing.T) {
	t.Parallel()
	model := session.Asked{}
	model.Source.Provider = "ollama"
	builtin := session.Asked{Source: BuiltinSource}
	s := session.NewState()
	s.Requests = []session.Request{
		{Asked: model, Answered: &session.Answered{PromptTokens: 90, Tokens: 10, Cost: 0.25, Took: time.Minute}},
		{Asked: model},
		{Asked: builtin, Answered: &session.Answered{Took: time.Hour}},
	}
	s.Questions = []session.QuestionRecord{
		{Replied: &session.Replied{PromptTokens: 40, Tokens: 10, Cost: 0.25, Took: time.Hour, ModelTook: time.Minute}},
		{},
	}
	for _, one := range []struct {
		limits options.Limits
		timeUp bool
		limit  session.Limit
		why    string
	}{
		{options.Limits{}, false, "", ""},
		{options.Limits{Tokens: 151, Cost: 0.51, Asking: 3 * time.Minute, Time: time.Hour}, false, "", ""},
		{options.Limits{Tokens: 150}, false, session.LimitTokens, "150 of 150 tokens used"},
		{options.Limits{Cost: 0.5}, false, session.LimitCost, "0.5 of 0.5 of cost used"},
		{options.Limits{Asking: 2 * time.Minute}, false, session.LimitAsking, "2 m 00 s of 2 m 00 s of models' time used"},
		{options.Limits{Time: time.Hour}, true, session.LimitTime, "1h0m0s of time used"},
	} {
		c := &Loop{recorder: &recorder{state: s}, Opts: options.Session{Fixes: options.Fixes{Limits: one.limits}}, TimeUp: one.timeUp}
		if limit, why := c.LimitReached(); limit != one.limit || why != one.why {
			t.Errorf("%+v: %q %q, want %q %q", one.limits, limit, why, one.limit, one.why)
		}
	}
}
