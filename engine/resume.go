package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/engine/apply"
	"github.com/pausetui/pausetui/engine/earlier"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/session"
)

// Resume opens a session again that has ended, or was killed: its log goes on,
// its target is built and started as before, with the input recorded last. What
// was applied can be undone, what was proposed can still be approved. What the
// session says of its target takes the place of those options. Its errors carry
// hints.
func Resume(ctx context.Context, opts options.Session, journal string) (*Engine, error) {
	if err := earlier.MayActOn(journal, opts.Log.TrustJournal); err != nil {
		return nil, err
	}
	started, err := session.ReadStarted(journal)
	if err != nil {
		return nil, earlier.Unreadable(journal, err)
	}
	if err := earlier.Resumable(started.Mode); err != nil && opts.Log.From == nil {
		return nil, err
	}
	ws, err := earlier.FindModules(ctx, started)
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
		return nil, earlier.Unreadable(journal, err)
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
