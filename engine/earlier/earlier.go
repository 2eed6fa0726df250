// Package earlier deals with sessions that have ended: it tells which journals may be
// acted on, finds their modules, reads their stops again, and takes back what they have
// applied.
package earlier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

// ErrMoved is returned by engine.Resume when the session's module is not where it was.
var ErrMoved = errors.New("the module of the session no longer exists")

// Like returns the options that start the target of a session again, in a session
// of its own, with what was typed into it. It fails as engine.Resume does.
func Like(ctx context.Context, opts options.Session, journal string) (options.Session, error) {
	if err := MayActOn(journal, opts.Log.TrustJournal); err != nil {
		return opts, err
	}
	events, err := session.ReadFile(journal)
	if err != nil && !errors.Is(err, session.ErrTorn) {
		return opts, Unreadable(journal, err)
	}
	state := session.Fold(session.NewState(), events)
	if !state.Started.Mode.Starts() || len(events) == 0 {
		return opts, advice.Add(errors.New("the program of that session is not started here"), "pausetui sessions resume opens it")
	}
	if _, err := FindModules(ctx, state.Started); err != nil {
		return opts, err
	}
	opts = opts.ForTargetOf(state.Started)
	opts.Target.Typed = state.Typed
	return opts, nil
}

// Resumable reports whether a session of a launch mode can go on later.
func Resumable(w session.LaunchMode) error {
	if w.Kind != session.ModeAttach {
		return nil
	}
	return advice.Add(errors.New("a session of an attached process cannot be resumed: it is no longer the same process"),
		fmt.Sprintf("attach again, if it still runs: pausetui attach %d", w.PID))
}

// MayActOn refuses a journal that came from somewhere else, before anything of
// it is obeyed: it names directories, commands, flags of go build, an environment.
func MayActOn(journal string, trusted bool) error {
	if trusted {
		return nil
	}
	if err := session.Sealed(journal); err != nil {
		return Unreadable(journal, err)
	}
	return nil
}

// Unreadable says what to do about a log that cannot be opened.
func Unreadable(journal string, err error) error {
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

// FindModules looks up the modules of a session, which must be where they were:
// its events name files by their place.
func FindModules(ctx context.Context, started session.Started) (workspace.Workspace, error) {
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
