// Package hooks runs a person's hooks at points of a session: commands that get the event
// as JSON on standard input, or handlers of a Go program that uses the engine.
//
// The rules are:
//
//   - A hook has a time limit, and what it prints is bounded. One that fails is
//     reported, and decides nothing.
//   - Except before_apply: a guardrail that fails, hangs or cannot be understood
//     vetoes. What it was to prevent would happen otherwise.
//   - Several hooks of a point run in their order. Each sees what the ones before
//     it changed. The first refusal counts.
//
// The package does not know the engine: the engine says what happened, and acts
// on the decision.
package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Point is where hooks run.
type Point string

// The points. What a decision may say there stands next to each; at the others it
// says nothing.
const (
	OnStop       Point = "on_stop"
	BeforeAsk    Point = "before_ask"    // Add, Remove
	AfterAnswer  Point = "after_answer"  // Refuse: the candidate is dropped
	BeforeLookup Point = "before_lookup" // Refuse, Arguments
	AfterLookup  Point = "after_lookup"  // Refuse, Result
	OnRound      Point = "on_round"
	BeforeApply  Point = "before_apply" // Refuse
	AfterApply   Point = "after_apply"
	OnJudged     Point = "on_judged"
	OnEnd        Point = "on_end"
)

// Points are all points, in the order of a session.
var Points = []Point{OnStop, BeforeAsk, BeforeLookup, AfterLookup, AfterAnswer, OnRound, BeforeApply, AfterApply, OnJudged, OnEnd}

// Event is what a hook gets. Fields that say nothing at a point are left out.
type Event struct {
	Version   int             `json:"version"` // 1
	Hook      Point           `json:"hook"`
	Session   string          `json:"session"` // the log's name
	Root      string          `json:"root"`    // of the module; the working directory of commands
	Stop      json.RawMessage `json:"stop,omitempty"`
	Request   string          `json:"request,omitempty"` // which question to a model
	Round     int             `json:"round,omitempty"`   // which try, from 1
	Model     string          `json:"model,omitempty"`
	Prompt    string          `json:"prompt,omitempty"`
	Sections  []Section       `json:"sections,omitempty"`
	Answer    string          `json:"answer,omitempty"`
	Error     string          `json:"error,omitempty"`
	Candidate *Candidate      `json:"candidate,omitempty"`
	Lookup    *Lookup         `json:"lookup,omitempty"`

	// An iteration of a model, at on_round.
	Iteration  int         `json:"iteration,omitempty"` // of the question, from 1
	Last       bool        `json:"last,omitempty"`      // nothing more is asked for this question
	Lookups    []Lookup    `json:"lookups,omitempty"`   // that the answer asked for
	Candidates []Candidate `json:"candidates,omitempty"`
	Failed     string      `json:"failed,omitempty"`    // the name of what kept it from candidates
	Judgement  string      `json:"judgement,omitempty"` // "fixed", "came-back", "not-reached"
	Outcome    string      `json:"outcome,omitempty"`   // of the session
}

// Section is a part of a prompt.
type Section struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Candidate is a proposed change.
type Candidate struct {
	ID          string   `json:"id,omitempty"` // none before it is recorded
	Title       string   `json:"title"`
	Explanation string   `json:"explanation"`
	Files       []string `json:"files"`
	Diff        string   `json:"diff"`

	// What is known of it, at on_round.
	Verified  bool   `json:"verified,omitempty"`
	Effect    string `json:"effect,omitempty"`
	Failed    string `json:"failed,omitempty"`    // the name of why it failed
	Judgement string `json:"judgement,omitempty"` // of the restart with it
}

// Lookup is what a model looks at in the paused program.
type Lookup struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Result    string         `json:"result,omitempty"` // after it
	Error     string         `json:"error,omitempty"`  // why there is none, at on_round
}

// Decision is what a hook answers; the zero value lets everything be.
type Decision struct {
	Refuse    string         `json:"refuse,omitempty"` // why
	Add       []Section      `json:"add,omitempty"`    // to the prompt; only Title and Text count
	Remove    []string       `json:"remove,omitempty"` // sections of the prompt, by key
	Arguments map[string]any `json:"arguments,omitempty"`
	Result    *string        `json:"result,omitempty"`
}

// Handler is what runs. Handle may be called from several goroutines; output is
// what it printed, for the log.
type Handler interface {
	Handle(ctx context.Context, e Event) (d Decision, output string, err error)
}

// Func is a function as a Handler.
type Func func(ctx context.Context, e Event) (Decision, error)

// Handle implements Handler.
func (f Func) Handle(ctx context.Context, e Event) (Decision, string, error) {
	d, err := f(ctx, e)
	return d, "", err
}

// Hook is a handler at a point.
type Hook struct {
	Point   Point
	Name    string // for people: the command
	Handler Handler
	Timeout time.Duration // DefaultTimeout when 0
}

// DefaultTimeout is how long a hook may take.
const DefaultTimeout = 10 * time.Second

// Run is what became of one hook.
type Run struct {
	Hook     Hook
	Decision Decision
	Output   string
	Took     time.Duration
	Err      error
}

// ErrTimeout is the error of a hook that took too long.
var ErrTimeout = errors.New("it took too long")

// Set are the hooks of a session.
type Set []Hook

// At reports whether there are hooks at a point.
func (s Set) At(p Point) bool {
	for _, h := range s {
		if h.Point == p {
			return true
		}
	}
	return false
}

// Do runs the hooks of the event's point, and returns what they decided together. heard hears
// of each one that has ended. When ctx ends, nothing is decided.
func (s Set) Do(ctx context.Context, e Event, heard func(Run)) Decision {
	var all Decision
	e.Version = 1
	for _, h := range s {
		if h.Point != e.Hook || ctx.Err() != nil {
			continue
		}
		r := h.run(ctx, e)
		if r.Err != nil && e.Hook == BeforeApply {
			r.Decision.Refuse = "the hook failed: " + r.Err.Error()
		}
		heard(r)
		all.merge(r.Decision)
		if all.Refuse != "" {
			break
		}
		if e.Lookup != nil {
			e.Lookup = e.Lookup.with(r.Decision)
		}
	}
	return all
}

// run runs one hook. A handler that ignores its context is left behind: it
// cannot be ended, but nothing waits for it.
func (h Hook) run(ctx context.Context, e Event) Run {
	limit := h.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: more than %s", ErrTimeout, limit))
	defer cancel()
	r := Run{Hook: h}
	began := time.Now()
	done := make(chan Run, 1)
	go func() {
		one := Run{Hook: h}
		defer func() {
			if value := recover(); value != nil {
				one.Decision, one.Err = Decision{}, fmt.Errorf("it panicked: %v", value)
			}
			done <- one
		}()
		one.Decision, one.Output, one.Err = h.Handler.Handle(ctx, e)
	}()
	select {
	case r = <-done:
		if r.Err != nil && ctx.Err() != nil {
			r.Err = context.Cause(ctx)
		}
	case <-ctx.Done():
		r.Err = context.Cause(ctx)
	}
	if r.Err != nil {
		r.Decision = Decision{}
	}
	r.Took = time.Since(began)
	return r
}

// merge adds a later decision.
func (d *Decision) merge(next Decision) {
	if d.Refuse == "" {
		d.Refuse = next.Refuse
	}
	d.Add = append(d.Add, next.Add...)
	d.Remove = append(d.Remove, next.Remove...)
	if next.Arguments != nil {
		d.Arguments = next.Arguments
	}
	if next.Result != nil {
		d.Result = next.Result
	}
}

// with is the lookup as a decision changes it.
func (l Lookup) with(d Decision) *Lookup {
	if d.Arguments != nil {
		l.Arguments = d.Arguments
	}
	if d.Result != nil {
		l.Result = *d.Result
	}
	return &l
}
