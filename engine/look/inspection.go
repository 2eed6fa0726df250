// Package look reads the target that a session debugs, whichever it is now, and collects
// what a person has looked at for the record of a stop.
package look

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// Inspection is how the current target is read, and what of a stop is recorded:
// what a person looked at, and the sources as they were.
type Inspection struct {
	*loop.Loop
	seen   seen           // what was looked at of the current stop
	Listed listing        // the goroutines that are looked at
	Texts  *session.Texts // source files as they were at stops
	// Dirs waits for the directories of the packages that the program is built from.
	Dirs func(context.Context) map[string]string

	mu      sync.Mutex     // guards all below
	current Target         // nil without one
	resumes uint64         // how often the target has gone on
	buffer  *output.Buffer // of the newest round
}

// NewInspection returns the inspection of a session, without a target.
func NewInspection(c *loop.Loop) *Inspection {
	return &Inspection{Loop: c, Texts: session.OpenTexts(c.Log.Dir(), c.Log.ID()), buffer: output.New(0, nil)}
}

// Target is the target that is read now; it fails with debugger.ErrGone without one.
func (in *Inspection) Target() (Target, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.current == nil {
		return nil, debugger.ErrGone
	}
	return in.current, nil
}

// Begin reads a round's target from now on, and shows its output.
func (in *Inspection) Begin(t Target, buffer *output.Buffer) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.current, in.buffer = t, buffer
}

// End ends the reading of a round's target. Its output remains.
func (in *Inspection) End() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.current = nil
}

// Output is what the target printed in the newest round.
func (in *Inspection) Output() *output.Buffer {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.buffer
}

// heldAt changes whenever the target goes on.
func (in *Inspection) heldAt() uint64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.resumes
}

// HeldInspector reads the target for as long as it is held where it is now.
func (in *Inspection) HeldInspector() debugger.Inspector {
	return stopInspector{inspector{in}, in.heldAt()}
}

// LeaveStop notes that the target goes on.
func (in *Inspection) LeaveStop() {
	in.RecordSeen()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.resumes++
}

// RecordSeen records what was looked at of the stop that the target leaves.
func (in *Inspection) RecordSeen() {
	state := in.State()
	in.seen.mu.Lock()
	stop := in.seen.stop
	in.seen.mu.Unlock()
	if stop == 0 || stop > len(state.Stops) {
		return
	}
	if what := in.seen.take(state.Stops[stop-1].Stop); !what.Empty() {
		in.Append(session.EngineActor, what)
	}
}

// EnterStop begins to collect what is looked at of a stop, and keeps the sources
// of its frames.
func (in *Inspection) EnterStop(stop debugger.Stop) {
	if stop.Ended() {
		in.seen.begin(0)
		return
	}
	in.seen.begin(len(in.State().Stops))
	in.keepSources(in.seen.now(), stop.Frames)
}

// errNotSource is returned for a file that a frame names, and that is no source
// of the program once links are followed.
var errNotSource = errors.New("it is no source of the program")

// ownText is the text of a file of the user's. A debug server or a core dump may
// name any file of this machine, and a repository may have links to it: logs are
// passed on, with what is kept beside them.
func (in *Inspection) ownText(file string) ([]byte, error) {
	if _, err := os.Stat(file); err == nil && !in.Workspace.Readable(file, nil) {
		// Of what lies outside of the repository, only what the program is built from.
		if m, ok := in.Workspace.ModuleOf(file); !ok || !m.ReadOnly || !in.Workspace.Readable(file, in.Dirs(in.Ctx)) {
			return nil, errNotSource
		}
	}
	return regular.Read(file)
}

// keepSources keeps the text of the user's files that frames are in. It reads
// them outside Run's goroutine.
func (in *Inspection) keepSources(run uint64, frames []debugger.Frame) {
	var files []string
	stop := 0
	in.seen.note(run, func() {
		stop = in.seen.stop
		for _, f := range frames {
			if f.User && f.File != "" && !in.seen.files[f.File] && len(in.seen.files) < maxSeenFiles {
				in.seen.files[f.File] = true
				files = append(files, f.File)
			}
		}
	})
	if len(files) == 0 {
		return
	}
	in.Job(func() {
		kept := &session.SourcesKept{Stop: stop}
		for _, file := range files {
			k := session.SourceKept{File: file}
			text, err := in.ownText(file)
			if err == nil {
				k.Name, err = in.Texts.Keep(text)
			}
			if err != nil {
				k.Err = err.Error()
			}
			kept.Files = append(kept.Files, k)
		}
		in.Append(session.EngineActor, kept) // not through Run, which may be over
	})
}
