package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// core is what every part of the engine needs: the options, the journal, Run's
// goroutine, and jobs that hand their results to it.
type core struct {
	*recorder
	opts options.Session
	ws   workspace.Workspace
	temp string
	ctx  context.Context // of the session; set by Run
	mail *mailbox
	jobs sync.WaitGroup
	// refused takes what is refused while a command acts; without it, it is a
	// notice. Run's goroutine owns it.
	refused func(error)
	// author is who asked for what is being carried out. Run's goroutine owns it.
	author intent.Author
	// timeUp: the session has used its time. Run's goroutine owns it.
	timeUp bool
}

// post has Run's goroutine call fn.
func (c *core) post(fn func()) { c.mail.put(fn) }

// job runs fn outside Run's goroutine; shutDown waits for it.
func (c *core) job(fn func()) {
	c.jobs.Add(1)
	go func() {
		defer c.jobs.Done()
		fn()
	}()
}

// ErrInternal is a fault of ours, met in code that nobody here has seen. Its text
// goes on to say which.
var ErrInternal = errors.New("an internal error of pausetui: please report it")

// contained analyzes a person's code, or values of their program. A panic of ours in it
// ends the analysis, not the session.
func contained(analyze func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: %v, %s", ErrInternal, v, panickedAt())
		}
	}()
	return analyze()
}

// analysisTime bounds an analysis of code that nobody here has seen, and analysisGrace how long
// one that was canceled may take to end.
const analysisTime, analysisGrace = 2 * time.Minute, 2 * time.Second

// inTime is contained with a limit: an analysis that does not end in time is left alone.
func inTime[T any](ctx context.Context, analyze func() (T, error)) (T, error) {
	type outcome struct {
		found T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = contained(func() (err error) {
			o.found, err = analyze()
			return err
		})
		done <- o
	}()
	ctx, cancel := context.WithTimeout(ctx, analysisTime)
	defer cancel()
	select {
	case o := <-done:
		return o.found, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.found, o.err
	case <-time.After(analysisGrace):
		var none T
		return none, fmt.Errorf("%w: an analysis of the code does not end", ErrInternal)
	}
}

// panickedAt is the innermost frames of ours below a panic, in a deferred function.
func panickedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var at []string
	for more := true; more && len(at) < 4; {
		var f runtime.Frame
		f, more = frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			at = append(at, fmt.Sprintf("%s:%d", path.Base(f.File), f.Line))
		}
	}
	return strings.Join(at, " < ")
}

// refuse answers an intent that cannot be carried out.
func (c *core) refuse(err error) {
	if c.refused != nil {
		c.refused(err)
		return
	}
	c.append(session.EngineActor, &session.Notice{Level: "error", Text: err.Error(), Hint: advice.Of(err), To: c.author.Name})
}

// since is the time from a moment of this session.
func (c *core) since(t time.Time) time.Duration { return c.opts.Now().Sub(t) }

// after has Run's goroutine call fn when d has passed.
func (c *core) after(d time.Duration, fn func()) {
	c.job(func() {
		select {
		case <-c.ctx.Done():
		case <-time.After(d):
			c.post(fn)
		}
	})
}

// placeOf is where a stop is, for people.
func (c *core) placeOf(stop debugger.Stop) string {
	f, ok := stop.SelectedFrame()
	if !ok {
		return "an unknown place"
	}
	return fmt.Sprintf("%s:%d", c.ws.Rel(f.File), f.Line)
}

// environment is that of the target.
func (c *core) environment() []string { return append(os.Environ(), c.opts.Target.Env...) }

// warn says what failed, if something has.
func (c *core) warn(err error) {
	if err != nil {
		c.notice("warn", err.Error(), "")
	}
}
