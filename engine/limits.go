package engine

import (
	"time"

	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/session"
)

// watchTime ends the asking when the session's time is up.
func (e *Engine) watchTime() (stop func()) {
	if e.loop.Opts.Fixes.Limits.Time <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(e.loop.Opts.Fixes.Limits.Time, func() {
		e.loop.Post(func() {
			e.loop.TimeUp = true
			e.asking.Cancel()
			e.questions.Current.CancelReply()
			e.loop.SayLimit(session.LimitTime, e.loop.Ended(e.loop.TimeWords()), loop.LimitsHint)
		})
	})
	return func() { timer.Stop() }
}
