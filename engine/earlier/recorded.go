package earlier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/ask"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// ErrNoStop is returned for a session without the crash that was asked for.
var ErrNoStop = errors.New("no such crash in the session")

// Stop is a crash of an earlier session, as far as its journal and the
// sources of today tell of it.
type Stop struct {
	Evidence   evidence.Case
	Goroutines string   // as a model was shown them; empty when none was
	Missing    []string // what cannot be had any more, in words
}

// Recorded rebuilds a crash of a session: the n-th, from 1, or the last for 0.
// dir is the person's directory; the sources are read from the module there
// when those that the session ran on are gone, or when somebody else has written
// the journal, which may name any directory. It fails with ErrNoStop.
func Recorded(ctx context.Context, journal string, n int, dir string) (Stop, error) {
	events, err := session.ReadFile(journal)
	if err != nil {
		return Stop{}, err
	}
	s := session.Fold(session.NewState(), events)
	var crashes []int
	for i, r := range s.Stops {
		if r.Stop.Crashed() {
			crashes = append(crashes, i)
		}
	}
	if n == 0 {
		n = len(crashes)
	}
	if n < 1 || n > len(crashes) {
		return Stop{}, fmt.Errorf("%w: number %d of %d", ErrNoStop, n, len(crashes))
	}
	at := crashes[n-1]
	ws, err := workspace.Find(ctx, dir, nil)
	if err != nil {
		return Stop{}, err
	}
	if _, err := os.Stat(s.Started.Workspace.Root); err == nil && s.Started.Workspace.Root != "" && session.Sealed(journal) == nil {
		ws = s.Started.Workspace
	}
	return recorded(s, at, ws), nil
}

func recorded(s session.State, at int, ws workspace.Workspace) Stop {
	r := s.Stops[at]
	out := Stop{Evidence: evidence.Case{Stop: moved(r.Stop, s.Started.Workspace.Root, ws.Root), Workspace: ws}}
	if r.Diagnosis != nil {
		out.Evidence.Diagnosis = *r.Diagnosis
	}
	for _, c := range r.Candidates {
		if a := ask.Failure(c); a.Failure != "" {
			out.Evidence.Attempts = append(out.Evidence.Attempts, a)
		}
	}
	for _, q := range s.Requests {
		later := at+1 < len(s.Stops) && q.At.After(s.Stops[at+1].At)
		if text := prompts.RecordedGoroutines(q.Asked.Prompt); text != "" && !q.At.Before(r.At) && !later {
			out.Goroutines = text
		}
	}
	out.Missing = missing(out, r.Stop.Panic)
	return out
}

// missing says what of a recorded stop cannot be had any more.
func missing(r Stop, was *debugger.Panic) []string {
	var list []string
	stop := r.Evidence.Stop
	if was == nil || stop.Panic == nil {
		return nil
	}
	now := *stop.Panic
	stop.Panic = &now
	if target.Identify(&stop); now.Fingerprint != was.Fingerprint && was.Fingerprint != "" {
		list = append(list, "the source has changed since the stop: lines may not be those that stopped")
	}
	if c := now.Class; r.Goroutines == "" && (c == debugger.Deadlock || c == debugger.ConcurrentMap) {
		list = append(list, "what the goroutines waited for was not recorded: no model was asked")
	}
	for _, f := range stop.Frames {
		if f.User && !f.Loaded {
			return append(list, "the values of the outer frames were not recorded")
		}
	}
	return list
}

// moved returns a stop whose files below one directory lie below another.
func moved(stop debugger.Stop, from, to string) debugger.Stop {
	frames := make([]debugger.Frame, len(stop.Frames))
	copy(frames, stop.Frames)
	for i, f := range frames {
		if rel, ok := strings.CutPrefix(f.File, from+string(filepath.Separator)); ok && from != "" {
			frames[i].File = filepath.Join(to, rel)
		}
	}
	stop.Frames = frames
	return stop
}
