package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
	"github.com/pausetui/pausetui/session"
)

// limitReached is the limit of the session that is reached, and how much of it was used;
// empty for none. Questions for fixes count, and those of a person.
func (c *core) limitReached() (limit session.Limit, why string) {
	l, s := c.opts.Fixes.Limits, c.State()
	var took time.Duration
	tokens, cost := 0, 0.0
	for _, r := range s.Requests {
		if a := r.Answered; a != nil && r.Asked.Source != builtinSource && r.Asked.Source != memorySource {
			took, tokens, cost = took+a.Took, tokens+a.PromptTokens+a.Tokens, cost+a.Cost
		}
	}
	for _, q := range s.Questions {
		if a := q.Replied; a != nil {
			took, tokens, cost = took+a.ModelTook, tokens+a.PromptTokens+a.Tokens, cost+a.Cost
		}
	}
	switch {
	case l.Tokens > 0 && tokens >= l.Tokens:
		return session.LimitTokens, fmt.Sprintf("%d of %d tokens used", tokens, l.Tokens)
	case l.Cost > 0 && cost >= l.Cost:
		return session.LimitCost, fmt.Sprintf("%.4g of %.4g of cost used", cost, l.Cost)
	case l.Asking > 0 && took >= l.Asking:
		return session.LimitAsking, fmt.Sprintf("%s of %s of models' time used", printable.Duration(took), printable.Duration(l.Asking))
	case c.timeUp:
		return session.LimitTime, c.timeWords()
	}
	return "", ""
}

// limitsHint says where the limits of a session are.
const limitsHint = "[limits] of the configuration"

// scriptLimits bound the scripts of models and people.
func (c *core) scriptLimits() script.Limits {
	return script.Limits{Memory: uint64(min(max(c.opts.Fixes.Limits.Memory, 0), script.MaxMemory))}
}

// limitError is the error of what a limit ended, in the words of endedBy.
type limitError string

func (e limitError) Error() string { return string(e) }

// endedBy reports what a limit ended, and the best candidate so far.
func (c *core) endedBy(limit session.Limit, why, hint string) error {
	err := c.ended(why)
	c.sayLimit(limit, err, hint)
	return advice.Add(err, hint)
}

func (c *core) sayLimit(limit session.Limit, err error, hint string) {
	c.append(session.EngineActor, &session.Notice{Level: "info", Text: err.Error(), Hint: hint, Limit: limit})
}

func (c *core) ended(why string) error { return limitError("stopped: " + why + bestSoFar(c.State())) }

// cutShort is the error of a question that was canceled: the limit of time, if it was that.
func (c *core) cutShort(err error) error {
	if c.timeUp && errors.Is(err, context.Canceled) {
		return advice.Add(c.ended(c.timeWords()), limitsHint)
	}
	return err
}

func (c *core) timeWords() string { return fmt.Sprintf("%s of time used", c.opts.Fixes.Limits.Time) }

// notAsked records a question that a limit does not let be asked.
func (as *asking) notAsked(ch *chain, limit session.Limit, why, hint string) {
	id := as.proofs.asked(sourceOf(ch.profile), ch.round+1)
	err := as.endedBy(limit, why, hint)
	as.append(session.EngineActor, &session.Answered{Request: id, Err: err.Error(), Hint: hint, Failed: failedKind(err)})
}

// watchTime ends the asking when the session's time is up.
func (e *Engine) watchTime() (stop func()) {
	if e.opts.Fixes.Limits.Time <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(e.opts.Fixes.Limits.Time, func() {
		e.post(func() {
			e.timeUp = true
			e.asking.cancel()
			e.questions.current.cancelReply()
			e.sayLimit(session.LimitTime, e.ended(e.timeWords()), limitsHint)
		})
	})
	return func() { timer.Stop() }
}

// bestSoFar names the best candidate of the open stop; empty without one.
func bestSoFar(s session.State) string {
	i := s.CaseIndex()
	if i < 0 {
		return ""
	}
	list := session.Rank(s.Stops[i].Candidates)
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("; best fix so far: %s, %s", session.Called(list[0].ID), list[0].Title)
}

// within completes a request with what the session and the profile set.
func (ma *modelAccess) within(p options.Profile, r llm.Request) llm.Request {
	r.FirstToken, r.Total = ma.opts.Fixes.Limits.FirstToken, ma.opts.Fixes.Limits.Total
	if p.MaxTokens > 0 {
		r.MaxTokens = p.MaxTokens
	}
	return r
}

// patient reports the waits before a busy model is asked again.
func (ma *modelAccess) patient(ctx context.Context) context.Context {
	return retry.Notify(ctx, func(w retry.Wait) {
		text := fmt.Sprintf("%v; asking again in %s (%d of %d)", w.Err, printable.Duration(w.After), w.Attempt, w.Of)
		ma.post(func() { ma.notice("info", text, advice.Of(w.Err)) })
	})
}
