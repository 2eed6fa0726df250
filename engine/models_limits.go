package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
	"github.com/pausetui/pausetui/session"
)

// notAsked records a question that a limit does not let be asked.
func (as *asking) notAsked(ch *chain, limit session.Limit, why, hint string) {
	id := as.proofs.Asked(sourceOf(ch.profile), ch.round+1)
	err := as.EndedBy(limit, why, hint)
	as.Append(session.EngineActor, &session.Answered{Request: id, Err: err.Error(), Hint: hint, Failed: failedKind(err)})
}

// watchTime ends the asking when the session's time is up.
func (e *Engine) watchTime() (stop func()) {
	if e.loop.Opts.Fixes.Limits.Time <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(e.loop.Opts.Fixes.Limits.Time, func() {
		e.loop.Post(func() {
			e.loop.TimeUp = true
			e.asking.cancel()
			e.questions.current.cancelReply()
			e.loop.SayLimit(session.LimitTime, e.loop.Ended(e.loop.TimeWords()), loop.LimitsHint)
		})
	})
	return func() { timer.Stop() }
}

// within completes a request with what the session and the profile set.
func (ma *modelAccess) within(p options.Profile, r llm.Request) llm.Request {
	r.FirstToken, r.Total = ma.Opts.Fixes.Limits.FirstToken, ma.Opts.Fixes.Limits.Total
	if p.MaxTokens > 0 {
		r.MaxTokens = p.MaxTokens
	}
	return r
}

// patient reports the waits before a busy model is asked again.
func (ma *modelAccess) patient(ctx context.Context) context.Context {
	return retry.Notify(ctx, func(w retry.Wait) {
		text := fmt.Sprintf("%v; asking again in %s (%d of %d)", w.Err, printable.Duration(w.After), w.Attempt, w.Of)
		ma.Post(func() { ma.Notice("info", text, advice.Of(w.Err)) })
	})
}
