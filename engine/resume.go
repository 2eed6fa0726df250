package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// ErrMoved is returned by Resume when the session's module is not where it was.
var ErrMoved = errors.New("the module of the session no longer exists")

// Resume opens a session again that has ended, or was killed: its log goes on,
// its target is built and started as before, with the input recorded last. What
// was applied can be undone, what was proposed can still be approved. What the
// session says of its target takes the place of those options. Its errors carry
// hints.
func Resume(ctx context.Context, opts options.Session, journal string) (*Engine, error) {
	if err := mayActOn(journal, opts.Log.TrustJournal); err != nil {
		return nil, err
	}
	started, err := session.ReadStarted(journal)
	if err != nil {
		return nil, unreadable(journal, err)
	}
	if err := resumable(started.Mode); err != nil && opts.Log.From == nil {
		return nil, err
	}
	ws, err := findAgain(ctx, started)
	if err != nil {
		return nil, err
	}
	opts = opts.WithDefaults().ForTargetOf(started).Thaw()
	own, err := program.OwnAgain(ctx, &opts, ws, journal, started)
	if err != nil {
		return nil, err
	}
	if opts.Target.Stdin != "" {
		if err := options.Readable(opts.Target.Stdin); err != nil {
			return nil, err
		}
	}
	recovered := apply.Recover(ctx, filepath.Dir(journal), ws)
	log, events, cut, err := session.OpenLog(journal, opts.Log.TrustJournal, opts.Now)
	if err != nil {
		return nil, unreadable(journal, err)
	}
	e, err := newEngine(opts, ws, own, log)
	if err != nil {
		return nil, err
	}
	e.takeUp(events)
	e.loop.Append(session.EngineActor, &session.Reopened{Version: opts.Version, Cut: cut})
	if cut > 0 {
		e.loop.Notice("warn", fmt.Sprintf("the last line of the journal was torn: %d bytes were cut off", cut), "")
	}
	if opts.Log.From != nil {
		opts.Notices = append(opts.Notices, program.OtherSources(ws, e.inspection.Texts, events)...)
	}
	for _, n := range slices.Concat(opts.Notices, filesNotice(filesLimit()), recovered) {
		e.loop.Append(session.EngineActor, &n)
	}
	e.muting.Recall()
	e.proofs.AllowFromStart()
	e.judging.WatchAgain()
	return e, nil
}

// Like returns the options that start the target of a session again, in a session
// of its own, with what was typed into it. It fails as Resume does.
func Like(ctx context.Context, opts options.Session, journal string) (options.Session, error) {
	if err := mayActOn(journal, opts.Log.TrustJournal); err != nil {
		return opts, err
	}
	events, err := session.ReadFile(journal)
	if err != nil && !errors.Is(err, session.ErrTorn) {
		return opts, unreadable(journal, err)
	}
	state := session.Fold(session.NewState(), events)
	if !state.Started.Mode.Starts() || len(events) == 0 {
		return opts, advice.Add(errors.New("the program of that session is not started here"), "pausetui sessions resume opens it")
	}
	if _, err := findAgain(ctx, state.Started); err != nil {
		return opts, err
	}
	opts = opts.ForTargetOf(state.Started)
	opts.Target.Typed = state.Typed
	return opts, nil
}

// resumable reports whether a session of a launch mode can go on later.
func resumable(w session.LaunchMode) error {
	if w.Kind != session.ModeAttach {
		return nil
	}
	return advice.Add(errors.New("a session of an attached process cannot be resumed: it is no longer the same process"),
		fmt.Sprintf("attach again, if it still runs: pausetui attach %d", w.PID))
}

// mayActOn refuses a journal that came from somewhere else, before anything of
// it is obeyed: it names directories, commands, flags of go build, an environment.
func mayActOn(journal string, trusted bool) error {
	if trusted {
		return nil
	}
	if err := session.Sealed(journal); err != nil {
		return unreadable(journal, err)
	}
	return nil
}

// unreadable says what to do about a log that cannot be opened.
func unreadable(journal string, err error) error {
	name := strings.TrimSuffix(filepath.Base(journal), filepath.Ext(journal))
	err = fmt.Errorf("open session %s: %w", name, err)
	switch {
	case errors.Is(err, session.ErrForeign):
		return advice.Add(err, "read "+name+".md; --trust-journal trusts what it says: the program, its environment, build flags and commands, and the files to restore")
	case errors.Is(err, session.ErrAlive):
		return advice.Add(err, "it is open in another terminal")
	case errors.Is(err, session.ErrTorn):
		return advice.Add(err, "what could be read of it is in "+name+".md")
	case errors.Is(err, session.ErrEmpty):
		return advice.Add(err, "it was killed before it began; start a new one")
	}
	return err
}

// findAgain looks up the modules of a session, which must be where they were:
// its events name files by their place.
func findAgain(ctx context.Context, started session.Started) (workspace.Workspace, error) {
	const hint = "move it back, or start a new session where it is now"
	was := started.Workspace
	if info, err := os.Stat(was.Dir); was.Root == "" || err != nil || !info.IsDir() {
		return workspace.Workspace{}, advice.Add(fmt.Errorf("%w: %q", ErrMoved, was.Dir), hint)
	}
	ws, err := workspace.Find(ctx, was.Dir, nil)
	if len(was.Modules) == 0 && errors.Is(err, workspace.ErrNoModule) { // there was none then
		ws.Root = was.Root
		return ws, nil
	}
	if err != nil {
		return ws, err
	}
	if ws.Root != was.Root {
		return ws, advice.Add(fmt.Errorf("%w: %q, which belongs to %q now", ErrMoved, was.Dir, ws.Root), hint)
	}
	return ws, nil
}

// takeUp restores the events of the earlier runs of the session.
func (e *Engine) takeUp(events []session.Event) {
	e.loop.Restore(events)
	state := e.State()
	e.runner.Rounds, e.launcher.First = state.Round, state.Typed
	for _, b := range state.Breakpoints {
		e.breaks.Last = max(e.breaks.Last, b.ID)
	}
	e.proofs.TakeUp(state)
}
