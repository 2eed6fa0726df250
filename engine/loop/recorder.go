package loop

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// recorder keeps what has happened: it appends events to the journal, folds
// them into the state, and hands both to the frontends. Its methods may be
// called from any goroutine.
type recorder struct {
	Log *session.Log
	now func() time.Time
	// Passed is how often muted places were passed; nil for none.
	Passed func() map[string]int

	mu      sync.Mutex // guards all below
	state   session.State
	events  []session.Event
	shown   int  // how many of the events the frontends see
	holding bool // events of one call to Run's goroutine come at once
	live    live.State
	changed chan struct{} // closed and replaced at each change
	over    bool
	failing bool // the last event could not be written; the person was notified
}

func newRecorder(log *session.Log, now func() time.Time) *recorder {
	return &recorder{Log: log, now: now, state: session.NewState(), changed: make(chan struct{})}
}

// Append records an event and folds it into the state. A log that cannot be
// written is reported once; the session goes on.
func (r *recorder) Append(actor string, body session.Body) { _ = r.Record(actor, body) }

// Record is append for what must not go on if it cannot be recorded.
func (r *recorder) Record(actor string, body session.Body) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	event, err := r.Log.Append(actor, body)
	if err != nil {
		event = session.Event{Seq: r.state.Seq + 1, At: r.now(), Actor: actor, Body: body}
		r.live.Status = "the log cannot be written: " + err.Error()
	}
	r.take(event)
	if err != nil && !r.failing {
		r.take(session.Event{At: r.now(), Actor: session.EngineActor, Body: &session.Notice{Level: "error", Text: "the log cannot be written: " + err.Error(),
			Hint: "the session goes on; what happens meanwhile is not in the log"}})
	}
	r.failing = err != nil
	if !r.holding {
		r.shown = len(r.events)
		r.touch()
	}
	return err
}

// take adds an event to those that frontends read; r.mu is held.
func (r *recorder) take(event session.Event) {
	event.Seq = uint64(len(r.events)) + 1 // without gaps, also when the log has lost some
	r.events = append(r.events, event)
	r.state = r.state.Apply(event)
}

// hold keeps events back until all that belong together are there, so that no
// frontend acts on half of what has happened.
func (r *recorder) hold(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holding = on
	if !on && r.shown < len(r.events) {
		r.shown = len(r.events)
		r.touch()
	}
}

// Notice tells the person something, in the name of the engine.
func (r *recorder) Notice(level, text, hint string) {
	r.Append(session.EngineActor, &session.Notice{Level: level, Text: text, Hint: hint})
}

// touch wakes all calls of Wait; r.mu is held.
func (r *recorder) touch() {
	r.live.Version++
	close(r.changed)
	r.changed = make(chan struct{})
}

// SetLive changes what is under way.
func (r *recorder) SetLive(change func(*live.State)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.live)
	r.touch()
}

// LastHits is how often each breakpoint was reached, as of the last stop.
func (r *recorder) LastHits() map[int]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.live.Hits)
}

// State returns the session's state now.
func (r *recorder) State() session.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Wait implements live.Client.
func (r *recorder) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	for {
		r.mu.Lock()
		u := live.Update{Live: r.snapshotLive()}
		if after < uint64(r.shown) {
			u.Events = slices.Clone(r.events[after:r.shown])
		}
		over, changed := r.over, r.changed
		r.mu.Unlock()
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

func (r *recorder) snapshotLive() live.State {
	l := r.live
	if r.Passed != nil {
		l.Passed = r.Passed()
	}
	l.Streams, l.Proving, l.Waiting = maps.Clone(l.Streams), maps.Clone(l.Proving), maps.Clone(l.Waiting)
	l.Began, l.Tested, l.Hits = maps.Clone(l.Began), maps.Clone(l.Tested), maps.Clone(l.Hits)
	if l.Build != nil {
		b := *l.Build
		l.Build = &b
	}
	return l
}

// LogPath is the markdown file of the session.
func (r *recorder) LogPath() string { return r.Log.Path() }

// ShowStatus sets the status line and returns what it was.
func (r *recorder) ShowStatus(text string) (before string) {
	r.SetLive(func(l *live.State) { before, l.Status = l.Status, text })
	return before
}

// Restore takes over the events of a session that goes on.
func (r *recorder) Restore(events []session.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = slices.Clone(events)
	for i := range r.events {
		r.events[i].Seq = uint64(i) + 1 // the log may have lost some
	}
	r.state = session.Fold(session.NewState(), r.events)
	r.shown = len(r.events)
}

// Finish tells the frontends that there are no more events.
func (r *recorder) Finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.touch()
}
