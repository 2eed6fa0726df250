package engine

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

// inspection is how the current target is read, and what of a stop is recorded:
// what a person looked at, and the sources as they were.
type inspection struct {
	*loop.Loop
	seen   seen           // what was looked at of the current stop
	listed listing        // the goroutines that are looked at
	texts  *session.Texts // source files as they were at stops
	// dirs waits for the directories of the packages that the program is built from.
	dirs func(context.Context) map[string]string

	mu      sync.Mutex     // guards all below
	current target         // nil without one
	resumes uint64         // how often the target has gone on
	buffer  *output.Buffer // of the newest round
}

func newInspection(c *loop.Loop) *inspection {
	return &inspection{Loop: c, texts: session.OpenTexts(c.Log.Dir(), c.Log.ID()), buffer: output.New(0, nil)}
}

// target is the target that is read now; it fails with debugger.ErrGone without one.
func (in *inspection) target() (target, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.current == nil {
		return nil, debugger.ErrGone
	}
	return in.current, nil
}

// begin reads a round's target from now on, and shows its output.
func (in *inspection) begin(t target, buffer *output.Buffer) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.current, in.buffer = t, buffer
}

// end ends the reading of a round's target. Its output remains.
func (in *inspection) end() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.current = nil
}

func (in *inspection) output() *output.Buffer {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.buffer
}

// heldAt changes whenever the target goes on.
func (in *inspection) heldAt() uint64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.resumes
}

// heldInspector reads the target for as long as it is held where it is now.
func (in *inspection) heldInspector() debugger.Inspector {
	return stopInspector{inspector{in}, in.heldAt()}
}

// leaveStop notes that the target goes on.
func (in *inspection) leaveStop() {
	in.recordSeen()
	in.mu.Lock()
	defer in.mu.Unlock()
	in.resumes++
}

// recordSeen records what was looked at of the stop that the target leaves.
func (in *inspection) recordSeen() {
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

// enterStop begins to collect what is looked at of a stop, and keeps the sources
// of its frames.
func (in *inspection) enterStop(stop debugger.Stop) {
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
func (in *inspection) ownText(file string) ([]byte, error) {
	if _, err := os.Stat(file); err == nil && !in.Workspace.Readable(file, nil) {
		// Of what lies outside of the repository, only what the program is built from.
		if m, ok := in.Workspace.ModuleOf(file); !ok || !m.ReadOnly || !in.Workspace.Readable(file, in.dirs(in.Ctx)) {
			return nil, errNotSource
		}
	}
	return regular.Read(file)
}

// keepSources keeps the text of the user's files that frames are in. It reads
// them outside Run's goroutine.
func (in *inspection) keepSources(run uint64, frames []debugger.Frame) {
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
				k.Name, err = in.texts.Keep(text)
			}
			if err != nil {
				k.Err = err.Error()
			}
			kept.Files = append(kept.Files, k)
		}
		in.Append(session.EngineActor, kept) // not through Run, which may be over
	})
}
