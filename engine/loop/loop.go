// Package loop is what every part of the engine needs: the options, the journal, the
// goroutine that owns the parts, and jobs that hand their results to it.
package loop

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// Loop is what every part of the engine needs: the options, the journal, Run's
// goroutine, and jobs that hand their results to it.
type Loop struct {
	*recorder
	Opts      options.Session
	Workspace workspace.Workspace
	Temp      string
	Ctx       context.Context // of the session; set by Run
	mail      *mailbox
	Jobs      sync.WaitGroup
	// Refused takes what is refused while a command acts; without it, it is a
	// notice. Run's goroutine owns it.
	Refused func(error)
	// Author is who asked for what is being carried out. Run's goroutine owns it.
	Author intent.Author
	// TimeUp: the session has used its time. Run's goroutine owns it.
	TimeUp bool
}

// New returns the loop of a session that writes to the log.
func New(opts options.Session, ws workspace.Workspace, log *session.Log) (*Loop, error) {
	temp, err := MakeTemp()
	if err != nil {
		return nil, err
	}
	c := &Loop{recorder: newRecorder(log, opts.Now), Opts: opts, Workspace: ws, Temp: temp, mail: newMailbox()}
	c.live.Status = opts.Fixes.StatusLine
	return c, nil
}

// Serve calls what was posted, and then after, until the session is over. The events of one
// call come at once.
func (l *Loop) Serve(over func() bool, after func()) {
	for !over() {
		for _, fn := range l.Take() {
			l.hold(true)
			fn()
			after()
			l.hold(false)
		}
	}
}

// Take waits for what was posted, and returns it.
func (l *Loop) Take() []func() { return l.mail.take() }

// Post has Run's goroutine call fn.
func (l *Loop) Post(fn func()) { l.mail.put(fn) }

// Job runs fn outside Run's goroutine; shutDown waits for it.
func (l *Loop) Job(fn func()) {
	l.Jobs.Add(1)
	go func() {
		defer l.Jobs.Done()
		fn()
	}()
}

// Refuse answers an intent that cannot be carried out.
func (l *Loop) Refuse(err error) {
	if l.Refused != nil {
		l.Refused(err)
		return
	}
	l.Append(session.EngineActor, &session.Notice{Level: "error", Text: err.Error(), Hint: advice.Of(err), To: l.Author.Name})
}

// Since is the time from a moment of this session.
func (l *Loop) Since(t time.Time) time.Duration { return l.Opts.Now().Sub(t) }

// After has Run's goroutine call fn when d has passed.
func (l *Loop) After(d time.Duration, fn func()) {
	l.Job(func() {
		select {
		case <-l.Ctx.Done():
		case <-time.After(d):
			l.Post(fn)
		}
	})
}

// PlaceOf is where a stop is, for people.
func (l *Loop) PlaceOf(stop debugger.Stop) string {
	f, ok := stop.SelectedFrame()
	if !ok {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", l.Workspace.Rel(f.File), f.Line)
}

// Environment is that of the target.
func (l *Loop) Environment() []string { return append(os.Environ(), l.Opts.Target.Env...) }

// Warn says what failed, if something has.
func (l *Loop) Warn(err error) {
	if err != nil {
		l.Notice("warn", err.Error(), "")
	}
}

// MakeTemp makes a directory for binaries and removes what processes that are
// gone have left.
func MakeTemp() (string, error) {
	scratch.Sweep()
	dir, err := os.MkdirTemp("", scratch.Pattern("engine"))
	if err != nil {
		return "", advice.Add(fmt.Errorf("make a temporary directory: %w", err), "set TMPDIR to a directory that can be written to")
	}
	return dir, nil
}

// mailbox is an unbounded queue of calls: putting never blocks, so that no
// frontend and no job can hold up another.
type mailbox struct {
	mu    sync.Mutex
	queue []func()
	wake  chan struct{}
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) put(fn func()) {
	m.mu.Lock()
	m.queue = append(m.queue, fn)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take waits for calls and returns all there are.
func (m *mailbox) take() []func() {
	for {
		m.mu.Lock()
		queue := m.queue
		m.queue = nil
		m.mu.Unlock()
		if len(queue) > 0 {
			return queue
		}
		<-m.wake
	}
}
