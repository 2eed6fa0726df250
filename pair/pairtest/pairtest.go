// Package pairtest has an engine for tests of shared sessions: it keeps the intents that
// it gets, and has the events that a test adds.
package pairtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// Done is an intent that reached the engine.
type Done struct {
	By     intent.Author
	Intent intent.Intent
}

// Engine is a pair.Engine.
type Engine struct {
	Read debugger.Inspector // nil for none
	// OnDo answers an intent; may be nil.
	OnDo func(intent.Author, intent.Intent)

	mu      sync.Mutex
	done    []Done
	events  []session.Event
	live    live.State
	over    bool
	changed chan struct{}
	out     *output.Buffer
}

// New returns an engine without events.
func New() *Engine { return &Engine{changed: make(chan struct{}), out: output.New(0, nil)} }

// Do implements live.Client.
func (e *Engine) Do(i intent.Intent) { e.DoAs(intent.Author{}, i) }

// DoAs keeps an intent.
func (e *Engine) DoAs(by intent.Author, i intent.Intent) {
	e.mu.Lock()
	e.done = append(e.done, Done{by, i})
	answer := e.OnDo
	e.mu.Unlock()
	if n, ok := i.(intent.Note); ok {
		e.Add(by.Name, &session.Notice{Level: "note", Text: n.Text, Pin: n.Pin})
	}
	if answer != nil {
		answer(by, i)
	}
}

// Done returns what reached the engine since the last call.
func (e *Engine) Done() []Done {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.done
	e.done = nil
	return list
}

// Add appends events.
func (e *Engine) Add(actor string, bodies ...session.Body) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, b := range bodies {
		e.events = append(e.events, session.Event{Seq: uint64(len(e.events)) + 1, At: time.Now(), Actor: actor, Body: b})
	}
	e.wake()
}

// SetLive changes what is under way.
func (e *Engine) SetLive(change func(*live.State)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.live)
	e.wake()
}

// End ends the session.
func (e *Engine) End() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
	e.wake()
}

func (e *Engine) wake() {
	e.live.Version++
	close(e.changed)
	e.changed = make(chan struct{})
}

// Wait implements live.Client.
func (e *Engine) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	for {
		e.mu.Lock()
		u := live.Update{Live: e.live}
		if after < uint64(len(e.events)) {
			u.Events = slices.Clone(e.events[after:])
		}
		over, changed := e.over, e.changed
		e.mu.Unlock()
		switch {
		case len(u.Events) > 0, u.Live.Version > version && !over:
			return u, nil
		case over:
			return u, io.EOF
		}
		select {
		case <-ctx.Done():
			return live.Update{}, ctx.Err()
		case <-changed:
		}
	}
}

// State is what the events add up to.
func (e *Engine) State() session.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return session.Fold(session.NewState(), e.events)
}

// UseTool repeats what it is called with.
func (e *Engine) UseTool(_ context.Context, name string, arguments map[string]any) (string, error) {
	return fmt.Sprintf("%s %v", name, arguments), nil
}

// Screened hides the word secret.
func (e *Engine) Screened(text string) string { return strings.ReplaceAll(text, "secret", "[hidden]") }

// ScreenedCode leaves instructions as they are.
func (e *Engine) ScreenedCode(answer session.Evaluated) session.Evaluated { return answer }

// ScreenedStop leaves a stop as it is.
func (e *Engine) ScreenedStop(stop debugger.Stop) debugger.Stop { return stop }

// Unseen refuses the word secret.
func (e *Engine) Unseen(expr string) error {
	if strings.Contains(expr, "secret") {
		return errors.New("it names a secret")
	}
	return nil
}

// Inspector implements live.Client.
func (e *Engine) Inspector() debugger.Inspector { return e.Read }

// Sources implements live.Client.
func (e *Engine) Sources() live.Sources { return nil }

// SourceOf implements live.Client.
func (e *Engine) SourceOf(string) ([]byte, error) { return nil, session.ErrNotKept }

// Output implements live.Client.
func (e *Engine) Output() *output.Buffer { return e.out }
