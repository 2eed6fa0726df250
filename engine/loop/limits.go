package loop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pausetui/pausetui/engine/script"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// LimitReached is the limit of the session that is reached, and how much of it was used;
// empty for none. Questions for fixes count, and those of a person.
func (l *Loop) LimitReached() (limit session.Limit, why string) {
	limits, s := l.Opts.Fixes.Limits, l.State()
	var took time.Duration
	tokens, cost := 0, 0.0
	for _, r := range s.Requests {
		if a := r.Answered; a != nil && r.Asked.Source != BuiltinSource && r.Asked.Source != MemorySource {
			took, tokens, cost = took+a.Took, tokens+a.PromptTokens+a.Tokens, cost+a.Cost
		}
	}
	for _, q := range s.Questions {
		if a := q.Replied; a != nil {
			took, tokens, cost = took+a.ModelTook, tokens+a.PromptTokens+a.Tokens, cost+a.Cost
		}
	}
	switch {
	case limits.Tokens > 0 && tokens >= limits.Tokens:
		return session.LimitTokens, fmt.Sprintf("%d of %d tokens used", tokens, limits.Tokens)
	case limits.Cost > 0 && cost >= limits.Cost:
		return session.LimitCost, fmt.Sprintf("%.4g of %.4g of cost used", cost, limits.Cost)
	case limits.Asking > 0 && took >= limits.Asking:
		return session.LimitAsking, fmt.Sprintf("%s of %s of models' time used", printable.Duration(took), printable.Duration(limits.Asking))
	case l.TimeUp:
		return session.LimitTime, l.TimeWords()
	}
	return "", ""
}

// LimitsHint says where the limits of a session are.
const LimitsHint = "[limits] of the configuration"

// ScriptLimits bound the scripts of models and people.
func (l *Loop) ScriptLimits() script.Limits {
	return script.Limits{Memory: uint64(min(max(l.Opts.Fixes.Limits.Memory, 0), script.MaxMemory))}
}

// LimitError is the error of what a limit ended, in the words of EndedBy.
type LimitError string

// Error implements error.
func (e LimitError) Error() string { return string(e) }

// EndedBy reports what a limit ended, and the best candidate so far.
// Ended is the error of what a limit ended, with the best candidate so far.
func (l *Loop) EndedBy(limit session.Limit, why, hint string) error {
	err := l.Ended(why)
	l.SayLimit(limit, err, hint)
	return advice.Add(err, hint)
}

// SayLimit tells the person what a limit ended.
func (l *Loop) SayLimit(limit session.Limit, err error, hint string) {
	l.Append(session.EngineActor, &session.Notice{Level: "info", Text: err.Error(), Hint: hint, Limit: limit})
}

// Ended is the error of what a limit ended, with the best candidate so far.
func (l *Loop) Ended(why string) error { return LimitError("stopped: " + why + bestSoFar(l.State())) }

// CutShort is the error of a question that was canceled: the limit of time, if it was that.
func (l *Loop) CutShort(err error) error {
	if l.TimeUp && errors.Is(err, context.Canceled) {
		return advice.Add(l.Ended(l.TimeWords()), LimitsHint)
	}
	return err
}

// TimeWords says that the time of the session is up.
func (l *Loop) TimeWords() string { return fmt.Sprintf("%s of time used", l.Opts.Fixes.Limits.Time) }

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

// BuiltinSource names the built-in fixer.
var BuiltinSource = patch.Source{Provider: patch.BuiltinProvider, Model: patch.BuiltinModel}

// MemorySource is who proposes a remembered fix.
var MemorySource = patch.Source{Provider: patch.MemoryProvider, Model: patch.MemoryProvider}

// FailedKind is the name of what ended a request, where that was a person or a limit; empty
// otherwise.
func FailedKind(err error) session.Failed {
	var limit LimitError
	switch {
	case errors.Is(err, context.Canceled):
		return session.FailedAborted
	case errors.As(err, &limit):
		return session.FailedLimit
	}
	return ""
}
