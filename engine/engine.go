package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// The names of who acts, in the journal.
const (
	actorEngine = "engine"
	actorPerson = "person"
)

// Engine runs one session. Make it with New, run it with Run, and talk to it
// through the Face methods from any goroutine.
//
// One goroutine, Run's, owns the fields below "owned by Run"; everything slow
// happens in jobs, which hand their results back through the mailbox.
type Engine struct {
	opts   Options
	given  []Profile // the profiles selected at the start
	log    *session.Log
	mail   *mailbox
	jobs   sync.WaitGroup
	seen   seen           // what was looked at of the current stop
	listed listing        // the goroutines that are looked at
	kept   *session.Texts // source files as they were at stops

	mu      sync.Mutex // guards the fields of the face
	state   session.State
	events  []session.Event
	shown   int  // how many of the events the faces see
	holding bool // events of one call to Run's goroutine come at once
	live    Live
	changed chan struct{} // closed and replaced at each change
	over    bool
	current target         // for the Inspector; nil without one
	resumes uint64         // how often the target has gone on
	buffer  *output.Buffer // of the newest round
	shell   *shell         // the command line

	// owned by Run
	ctx        context.Context
	ws         workspace.Workspace
	temp       string
	spec       build.Spec
	own        ownSource
	saidAge    bool // that source is newer than the program
	saidOpt    bool // that the program was built with optimisations
	killAtEnd  bool // a target of somebody else's, as the person wants
	binary     build.Result
	binaries   int
	round      *round
	launching  *round // being launched
	ahead      *ahead // launched before it is wanted; nil without one
	standby    *delve.Standby
	rounds     int
	first      []session.Input // typed into the target of a session that was resumed
	busy       bool            // a build or launch is under way
	committing bool            // git commit is under way
	code       *codeFuture
	sources    *sources
	stop       *openCase
	talk       *talk // about the current stop; nil before the first question
	// verifiers of all stops: the binaries that they proved may be running
	verifiers   []*verify.Verifier
	watch       *watch
	captured    captured
	refused     func(error) // takes what is refused while a command acts; else it is a notice
	breaks      breakpoints
	muting      muting
	traces      *traces
	halted      []func()  // to be done when the target is held next, or gone
	wanting     []waiting // for a person to agree that a prompt leaves this machine
	askedByHand bool      // since the last such answer
	wantHalt    bool      // the person asked for the halt
	ids         counters
	quitting    bool
	ending      session.Ended
}

type counters struct{ candidate, request, question int }

// New prepares a session: finds the user's modules and opens the log. Its
// errors carry hints. Call Run next.
func New(ctx context.Context, opts Options) (*Engine, error) {
	standby := standBy(ctx, opts.Way)
	go sandbox.Detect() // which remembers; the go command is waited for meanwhile
	e, err := newSession(ctx, opts.withDefaults())
	if err != nil {
		return nil, errors.Join(err, standby.Close())
	}
	e.standby = standby
	return e, nil
}

func newSession(ctx context.Context, opts Options) (*Engine, error) {
	if err := checkWay(opts.Way); err != nil {
		return nil, err
	}
	opts.Way = named(opts.Way)
	ws, own, err := findSource(ctx, opts)
	if err != nil {
		return nil, err
	}
	if opts.Stdin != "" {
		if err := readable(opts.Stdin); err != nil {
			return nil, err
		}
	}
	dir, note, err := logDir(ws, opts)
	if err != nil {
		return nil, err
	}
	recovered := apply.Recover(ctx, dir, ws)
	log, err := session.CreateLog(dir, opts.Now)
	if err != nil {
		return nil, err
	}
	e, err := newEngine(opts, ws, own, log)
	if err != nil {
		return nil, err
	}
	e.keepTrace()
	e.append(actorEngine, e.started(note))
	e.recallBreakpoints()
	e.wantBreakpoints()
	e.recallMutes()
	e.allowFromStart()
	for _, n := range slices.Concat(opts.Notices, recovered) {
		e.append(actorEngine, &n)
	}
	return e, nil
}

// newEngine returns an engine that writes to the log, which is closed when it
// fails.
func newEngine(opts Options, ws workspace.Workspace, own ownSource, log *session.Log) (*Engine, error) {
	temp, err := makeTemp()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	e := &Engine{opts: opts, given: opts.Profiles, log: log, mail: newMailbox(), state: session.NewState(), changed: make(chan struct{}),
		ws: ws, own: own, temp: temp, buffer: output.New(0, nil)}
	e.kept = session.OpenTexts(log.Dir(), log.ID())
	e.live.Status = opts.StatusLine
	e.traces = newTraces(e)
	e.sources = newSources(e)
	e.spec = e.buildSpec()
	e.shell = newShell(e)
	return e, nil
}

// readable tells whether a file can be the target's standard input, again and
// again: every restart and every proof reads it from its beginning.
func readable(path string) error {
	hint := "give --stdin a file that can be read"
	info, err := os.Stat(path)
	if err != nil {
		return advice.Add(fmt.Errorf("standard input: %w", err), hint)
	}
	if !info.Mode().IsRegular() && path != os.DevNull {
		return advice.Add(fmt.Errorf("standard input: %q is no regular file: it can be read only once", path), "save it to a file first")
	}
	f, err := os.Open(path)
	if err != nil {
		return advice.Add(fmt.Errorf("standard input: %w", err), hint)
	}
	return f.Close()
}

func (e *Engine) started(note string) *session.Started {
	var profiles []string
	for _, p := range e.opts.Profiles {
		profiles = append(profiles, p.Name)
	}
	return &session.Started{ID: e.log.ID(), Package: e.opts.Package, Args: nonNil(e.opts.Args), Dir: e.workDir(), Stdin: e.opts.Stdin,
		Repro: e.opts.Repro.Command, After: e.opts.Repro.After, Test: e.opts.Test, Workspace: e.ws, Version: e.opts.Version, Sandbox: sandboxTier(e.opts), Profiles: profiles, LogNote: note,
		Launch: e.opts.launchOptions(), Choice: e.opts.Choice, Way: e.opts.Way}
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (e *Engine) buildSpec() build.Spec {
	if !e.opts.Way.Builds() {
		return build.Spec{Dir: e.ws.Dir, Package: e.own.pkg, Test: e.own.test, Tags: e.own.tags, Race: e.own.race, Flags: e.own.flags, DebugPatterns: e.ws.DebugPatterns()}
	}
	return build.Spec{Dir: e.ws.Dir, Package: e.opts.Package, Test: e.opts.Test, Tags: e.opts.Tags, Race: e.opts.Race,
		Flags: e.opts.BuildFlags, DebugPatterns: e.ws.DebugPatterns()}
}

// Run builds and launches the target, then serves intents until Quit or until
// ctx ends. When it returns, no child process is left and the log is closed.
// A session that ended in order returns nil.
func (e *Engine) Run(ctx context.Context) error {
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e.ctx = runCtx
	stopWaiting := context.AfterFunc(ctx, func() { e.post(func() { e.quit(Quit{Outcome: "interrupted"}) }) })
	defer stopWaiting()
	e.look()
	e.begin()
	for !e.quitting {
		for _, fn := range e.mail.take() {
			e.hold(true)
			fn()
			e.keepBreakpoints()
			e.hold(false)
		}
	}
	return e.shutDown(cancel)
}

// shutDown ends everything that was started, in order, and closes the log.
func (e *Engine) shutDown(cancel context.CancelFunc) error {
	e.closeCase()
	cancel()
	e.endRound()
	e.dropAhead()
	e.jobs.Wait()
	if e.launching != nil { // it was launched, or failed to be, too late for anyone to take
		e.launching.close()
	}
	_ = e.standby.Close()
	if e.watch != nil {
		e.judge(session.NotReached, "the session ended first")
	}
	e.append(actorEngine, &e.ending)
	err := errors.Join(e.log.Close(), e.shell.Close())
	for _, v := range e.verifiers {
		err = errors.Join(err, v.Close())
	}
	err = errors.Join(err, os.RemoveAll(e.temp))
	e.mu.Lock()
	e.over = true
	e.touch()
	e.mu.Unlock()
	return err
}

// LogPath is the markdown file of the session.
func (e *Engine) LogPath() string { return e.log.Path() }

// Do hands over an intent and returns at once.
func (e *Engine) Do(i Intent) {
	e.post(func() {
		if !e.quitting { // what comes after Quit in the same batch is too late
			e.handle(i)
		}
	})
}

// post has Run's goroutine call fn.
func (e *Engine) post(fn func()) { e.mail.put(fn) }

// job runs fn beside Run; shutDown waits for it.
func (e *Engine) job(fn func()) {
	e.jobs.Add(1)
	go func() {
		defer e.jobs.Done()
		fn()
	}()
}

// append records an event and folds it into the state. A log that cannot be
// written is told once; the session goes on.
func (e *Engine) append(actor string, body session.Body) { _ = e.record(actor, body) }

// record is append for what must not happen unrecorded.
func (e *Engine) record(actor string, body session.Body) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	event, err := e.log.Append(actor, body)
	if err != nil {
		event = session.Event{Seq: e.state.Seq + 1, At: e.opts.Now(), Actor: actor, Body: body}
		e.live.Status = "the log cannot be written: " + err.Error()
	}
	event.Seq = uint64(len(e.events)) + 1 // without gaps, also when the log has lost some
	e.events = append(e.events, event)
	e.state = e.state.Apply(event)
	if !e.holding {
		e.shown = len(e.events)
		e.touch()
	}
	return err
}

// hold keeps events back until all that belong together are there, so that no
// face acts on half of what has happened.
func (e *Engine) hold(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.holding = on
	if !on && e.shown < len(e.events) {
		e.shown = len(e.events)
		e.touch()
	}
}

func (e *Engine) notice(level, text, hint string) {
	e.append(actorEngine, &session.Notice{Level: level, Text: text, Hint: hint})
}

// refuse answers an intent that cannot be carried out.
func (e *Engine) refuse(err error) {
	if e.refused != nil {
		e.refused(err)
		return
	}
	e.notice("error", err.Error(), advice.Of(err))
}

// touch wakes all who Wait; e.mu is held.
func (e *Engine) touch() {
	e.live.Version++
	close(e.changed)
	e.changed = make(chan struct{})
}

// setLive changes what is under way.
func (e *Engine) setLive(change func(*Live)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(&e.live)
	e.touch()
}

// State returns the session's state now.
func (e *Engine) State() session.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.state
}

// Wait implements Face.
func (e *Engine) Wait(ctx context.Context, after, version uint64) (Update, error) {
	for {
		e.mu.Lock()
		u := Update{Live: e.snapshotLive()}
		if after < uint64(e.shown) {
			u.Events = slices.Clone(e.events[after:e.shown])
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
			return Update{}, ctx.Err()
		case <-changed:
		}
	}
}

func (e *Engine) snapshotLive() Live {
	l := e.live
	l.Passed = e.muting.passed()
	l.Streams, l.Proving, l.Waiting = maps.Clone(l.Streams), maps.Clone(l.Proving), maps.Clone(l.Waiting)
	l.Tested, l.Hits = maps.Clone(l.Tested), maps.Clone(l.Hits)
	if l.Build != nil {
		b := *l.Build
		l.Build = &b
	}
	return l
}

// Output implements Face.
func (e *Engine) Output() *output.Buffer {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.buffer
}

// since is the time from a moment of this session.
func (e *Engine) since(t time.Time) time.Duration { return e.opts.Now().Sub(t) }
