// Package engine runs one session: it takes intents from frontends, carries them
// out, and appends events that the frontends (the screen, --plain, fix) read.
//
// The rules are:
//
//   - The goroutine of Engine.Run owns the engine and all of its parts. What takes
//     time is a job: it runs in another goroutine and posts its result to Run's.
//   - Nothing has happened unless it is an event. An event is written to the
//     journal before a frontend sees it. What may be lost is in live.State.
//   - A refused intent is answered by a notice, never by a panic or silence.
//   - Everything that was started is ended, in order, before Run returns.
//
// The parts are in packages below this one. All stand on loop (events and jobs); from the
// bottom to the top they are look (reading the target), program (its source and binary),
// target (moving it), proof, judge, launch, ask, review and snapshot. Package engine itself
// has what concerns several of them, and the shell (the command line).
//
// The package knows no frontend, and no terminal but the target's.
package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/judge"
	"github.com/pausetui/pausetui/engine/launch"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/proof"
	"github.com/pausetui/pausetui/engine/review"
	"github.com/pausetui/pausetui/engine/snapshot"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// Engine runs one session. Make it with New, run it with Run, and talk to it
// through the methods of live.Client from any goroutine.
//
// It consists of parts. Each has one job, its own fields, and pointers to the
// parts it needs; newEngine makes them in an order in which a part knows only
// those before it. What concerns several (a stop, the end of a round, a restart)
// is done by Engine itself, which gives functions to the parts that need it.
//
// One goroutine, Run's, owns all parts. Everything slow happens in jobs, which
// hand their results back through the mailbox. What other goroutines use of a
// part has a lock there.
type Engine struct {
	loop       *loop.Loop
	inspection *look.Inspection
	program    *program.Program
	runner     *target.Runner
	muting     *target.Muting
	breaks     *target.Breakpoints
	traces     *target.Tracepoints
	proofs     *proof.Proofs
	judging    *judge.Judging
	repros     *judge.Repros
	hooked     *ask.Hooks
	blocks     *program.Blocks
	launcher   *launch.Launcher
	models     *ask.Models
	asking     *ask.Asking
	questions  *ask.Questions
	review     *review.Review
	memories   *review.Memories
	snapshots  *snapshot.Snapshots
	shell      *shell

	quitting bool
	ending   session.Ended

	outsideOnce   sync.Once
	asideMu       sync.Mutex      // held while rerun_to or history runs
	outsideScreen *prompts.Screen // hides secrets from agents outside
}

// New prepares a session: finds the user's modules and opens the log. Its
// errors carry hints. Call Run next.
func New(ctx context.Context, opts options.Session) (*Engine, error) {
	standby := launch.StandBy(ctx, opts.Target.Mode)
	go sandbox.Detect() // which remembers; the go command is waited for meanwhile
	e, err := newSession(ctx, opts.WithDefaults())
	if err != nil {
		return nil, errors.Join(err, standby.Close())
	}
	e.launcher.Standby = standby
	return e, nil
}

func newSession(ctx context.Context, opts options.Session) (*Engine, error) {
	if err := program.CheckMode(ctx, opts.Target.Mode); err != nil {
		return nil, err
	}
	opts.Target.Mode = program.WithBinary(opts.Target.Mode)
	ws, own, err := program.FindSource(ctx, opts)
	if err != nil {
		return nil, err
	}
	if opts.Target.Stdin != "" {
		if err := options.Readable(opts.Target.Stdin); err != nil {
			return nil, err
		}
	}
	dir, note, err := program.LogDir(ws, opts)
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
	e.launcher.First = opts.Target.Typed
	e.keepTrace()
	e.loop.Append(session.EngineActor, e.started(note))
	e.breaks.Recall()
	e.breaks.Await()
	e.muting.Recall()
	e.proofs.AllowFromStart()
	for _, n := range slices.Concat(opts.Notices, filesNotice(filesLimit()), recovered) {
		e.loop.Append(session.EngineActor, &n)
	}
	return e, nil
}

// newEngine returns an engine that writes to the log, which is closed when it
// fails.
func newEngine(opts options.Session, ws workspace.Workspace, own program.Own, log *session.Log) (*Engine, error) {
	c, err := loop.New(opts, ws, log)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	e := &Engine{loop: c}
	e.hooked = &ask.Hooks{Loop: c}
	e.inspection = look.NewInspection(c)
	e.program = program.NewProgram(c, own)
	e.inspection.Dirs = e.program.Sources.Dirs
	e.runner = &target.Runner{Loop: c, Inspection: e.inspection}
	e.muting = &target.Muting{Loop: c}
	e.breaks = &target.Breakpoints{Loop: c, Program: e.program, Runner: e.runner}
	e.traces = target.NewTracepoints(c, e.breaks)
	e.proofs = &proof.Proofs{Loop: c, Inspection: e.inspection, Program: e.program, Runner: e.runner}
	e.judging = &judge.Judging{Loop: c, Muting: e.muting, Proofs: e.proofs, Runner: e.runner}
	e.repros = &judge.Repros{Loop: c, Judging: e.judging, Runner: e.runner}
	e.blocks = program.NewBlocks(c, e.program)
	e.launcher = &launch.Launcher{Loop: c, Blocks: e.blocks, Breaks: e.breaks, Inspection: e.inspection, Judging: e.judging, Muting: e.muting, Program: e.program,
		Repros: e.repros, Runner: e.runner, Traces: e.traces}
	e.models = &ask.Models{Loop: c, Hooked: e.hooked}
	e.asking = ask.NewAsking(c, e.models, e.proofs)
	e.questions = &ask.Questions{Loop: c, Inspection: e.inspection, Models: e.models, Program: e.program, Proofs: e.proofs, Runner: e.runner}
	e.review = &review.Review{Loop: c, Hooked: e.hooked, Asking: e.asking, Breaks: e.breaks, Judging: e.judging, Launcher: e.launcher, Program: e.program, Proofs: e.proofs,
		Runner: e.runner, Outside: e.outside}
	e.memories = &review.Memories{Loop: c, Proofs: e.proofs}
	e.snapshots = &snapshot.Snapshots{Loop: c, Program: e.program, Runner: e.runner}
	e.shell = newShell(e)
	e.shell.timeTravel.e = e
	e.connect()
	return e, nil
}

// connect gives the parts what they need of parts that they do not know.
func (e *Engine) connect() {
	e.loop.Passed = e.muting.Passed
	e.runner.Leaving = e.leaveStop
	e.runner.Started = e.judging.WatchAlive
	e.runner.Stopped = e.stopped
	e.runner.Lost = e.judging.Lost
	e.runner.Backwards = e.launcher.Back
	e.proofs.Failed = e.asking.NextRound
	e.proofs.Closed = e.asking.TellRounds
	e.judging.Helped, e.judging.Failed = e.memories.Learn, e.memories.Forget
	e.judging.Judged = e.judged
	e.launcher.Settings = e.shell.Settings
	e.review.Again = e.again
}

func (e *Engine) started(note string) *session.Started {
	var profiles []string
	for _, p := range e.loop.Opts.Fixes.Profiles {
		profiles = append(profiles, p.Name)
	}
	tier, _ := sandbox.Detect()
	return &session.Started{ID: e.loop.Log.ID(), Package: e.loop.Opts.Target.Package, Args: nonNil(e.loop.Opts.Target.Args), Dir: e.loop.WorkDir(), Stdin: e.loop.Opts.Target.Stdin,
		Repro: e.loop.Opts.Target.Repro.Command, After: e.loop.Opts.Target.Repro.After, Test: e.loop.Opts.Target.Test, Fix: e.loop.Opts.Actor == "fix", Workspace: e.loop.Workspace, Version: e.loop.Opts.Version, Sandbox: string(tier), Profiles: profiles, LogNote: note,
		Launch: e.loop.Opts.Launch(), Choice: e.loop.Opts.Choice, Mode: e.loop.Opts.Target.Mode}
}

// Run builds and launches the target, then serves intents until Quit or until
// ctx ends. When it returns, no child process is left and the log is closed.
// A session that ended in order returns nil.
func (e *Engine) Run(ctx context.Context) error {
	runCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e.loop.Ctx = runCtx
	stopWaiting := context.AfterFunc(ctx, func() { e.loop.Post(func() { e.quit(intent.Quit{Outcome: "interrupted"}) }) })
	defer stopWaiting()
	defer e.watchTime()()
	e.models.Look()
	e.begin()
	e.loop.Serve(func() bool { return e.quitting }, e.breaks.SaveSoon)
	e.breaks.Save()
	return e.shutDown(cancel)
}

// shutDown ends everything that was started, in order, and closes the log.
func (e *Engine) shutDown(cancel context.CancelFunc) error {
	e.proofs.Close()
	cancel()
	e.endRound()
	e.launcher.DropPrelaunched()
	e.loop.Jobs.Wait()
	if e.runner.Launching != nil { // it was launched, or failed to be, too late for anyone to take
		e.runner.Launching.Close()
	}
	_ = e.launcher.Standby.Close()
	if e.judging.Watched != nil {
		e.judging.Judge(session.NotReached, "the session ended first")
	}
	e.hooked.Last(e.ending.Outcome)
	e.loop.Append(session.EngineActor, &e.ending)
	err := errors.Join(e.loop.Log.Close(), e.shell.Close(), e.proofs.ShutDown(), scratch.Remove(e.loop.Temp))
	e.loop.Finish()
	return err
}

// Do hands over an intent and returns at once.
func (e *Engine) Do(i intent.Intent) { e.DoAs(intent.Author{}, i) }

// State returns the session's state now.
func (e *Engine) State() session.State { return e.loop.State() }

// LogPath is the markdown file of the session.
func (e *Engine) LogPath() string { return e.loop.LogPath() }

// Wait implements live.Client.
func (e *Engine) Wait(ctx context.Context, after, version uint64) (live.Update, error) {
	return e.loop.Wait(ctx, after, version)
}

// Inspector implements live.Client.
func (e *Engine) Inspector() debugger.Inspector { return e.inspection.Watched() }

// Output implements live.Client.
func (e *Engine) Output() *output.Buffer { return e.inspection.Output() }

// Sources implements live.Client.
func (e *Engine) Sources() live.Sources { return e.program.Sources }

// SourceOf implements live.Client.
func (e *Engine) SourceOf(name string) ([]byte, error) { return e.inspection.Texts.Text(name) }

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// keepTrace keeps the text of a trace next to the log, so that the session can be
// resumed without its file.
func (e *Engine) keepTrace() {
	if e.loop.Opts.Target.Mode.Kind != session.ModeTrace {
		return
	}
	var kept session.Trace
	if e.loop.Opts.Target.Mode.Trace != nil {
		kept = *e.loop.Opts.Target.Mode.Trace
	}
	name, err := e.inspection.Texts.Keep([]byte(program.Shortened(e.loop.Opts.Target.Trace.Text)))
	if err == nil {
		kept.Kept = name
	}
	e.loop.Opts.Target.Mode.Trace = &kept
}
