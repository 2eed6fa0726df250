// Package snapshot keeps the paused target in a file next to the log: a bundle of a core
// dump, its binary and the session so far.
//
// When a session is resumed from a snapshot, the core dump is its first round.
// Meanwhile the program is built from the source on this machine, if that is possible.
// Fixes are made for, proved on and applied to that source. The next round is an
// ordinary launch.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
)

// Snapshots takes the snapshots of a session.
type Snapshots struct {
	*loop.Loop
	Program *program.Program
	Runner  *target.Runner

	taken bool // the one of options.Log.Snapshot
}

// defaultSnapshot is how much memory of a target a snapshot holds at most, in
// bytes, where options.Log.SnapshotLimit does not say.
const defaultSnapshot = 4 << 30

// dumper is a target as far as a snapshot needs it.
type dumper interface {
	Dump(ctx context.Context, path string, progress func(debugger.DumpProgress)) error
}

// frozen is a target that was dumped: the rest can be done without it.
type frozen struct{ dir, core, binary string }

// Binary is the file of the target's program, on Run's goroutine.
func (sn *Snapshots) Binary() (string, error) {
	switch r := sn.Runner.Round; {
	case r == nil:
		return "", debugger.ErrGone
	case r.Frozen || !sn.Opts.Target.Mode.Lives():
		return "", errors.New("this is a core dump, which is kept already")
	}
	file := sn.Program.Executable()
	if info, err := os.Stat(file); file == "" || err != nil || !info.Mode().IsRegular() {
		return "", errors.New("the program's binary is not on this machine: a core dump cannot be read without it")
	}
	return file, nil
}

// AtCrash takes the snapshot that options.Log.Snapshot asks for, of the first crash,
// and then calls next on Run's goroutine. Nothing else happens to the target
// before.
func (sn *Snapshots) AtCrash(next func()) {
	if !sn.Opts.Log.Snapshot || sn.taken {
		next()
		return
	}
	binary, err := sn.Binary()
	if err != nil {
		next()
		return
	}
	sn.taken = true
	r := sn.Runner.Round
	sn.Job(func() {
		f, err := sn.Dump(sn.Ctx, r.Target, binary, func(string) {})
		sn.Post(func() {
			if sn.Runner.Round == r && !r.Running {
				next()
			}
		})
		path := ""
		if err == nil {
			path, err = sn.Pack(f)
		}
		if err != nil { // not through Run, which may be over
			sn.Notice("warn", "no snapshot was taken: "+err.Error(), advice.Of(err))
			return
		}
		sn.Kept(path)
	})
}

// Kept says where a snapshot is.
func (sn *Snapshots) Kept(path string) {
	words := "a snapshot of this stop is in " + filepath.Base(path)
	if info, err := os.Stat(path); err == nil {
		words += fmt.Sprintf(" (%.1f MB)", float64(info.Size())/(1<<20))
	}
	sn.Notice("info", words, "pausetui sessions resume opens it, here or in another clone")
}

// Dump writes a core dump of the held target, if there is room for it and it is
// not larger than the limit. The caller packs it.
func (sn *Snapshots) Dump(ctx context.Context, t dumper, binary string, progress func(string)) (f frozen, err error) {
	logs := sn.Log.Dir()
	scratch.SweepIn(logs)
	dir, err := os.MkdirTemp(logs, scratch.Pattern("snapshot"))
	if err != nil {
		return f, fmt.Errorf("take a snapshot: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	f = frozen{dir: dir, core: filepath.Join(dir, "core"), binary: binary}
	limited, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	looked := false
	err = t.Dump(limited, f.core, func(p debugger.DumpProgress) {
		if p.AllMemory > 0 && !looked {
			looked = true
			if err := sn.fits(int64(p.AllMemory), binary); err != nil {
				cancel(err)
			}
		}
		progress(fmt.Sprintf("%d of %d MB", p.Memory>>20, p.AllMemory>>20))
	})
	if cause := context.Cause(limited); cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	if err != nil {
		return f, fmt.Errorf("take a snapshot: %w", err)
	}
	return f, nil
}

// fits says why a core dump of so many bytes is not written. The bundle made of it
// is smaller, but not known yet: room for both is asked for.
func (sn *Snapshots) fits(memory int64, binary string) error {
	limit := sn.Opts.Log.SnapshotLimit
	if limit <= 0 {
		limit = defaultSnapshot
	}
	if memory > limit {
		return advice.Add(fmt.Errorf("the program has %d MB of memory, and a snapshot holds %d MB at most", memory>>20, limit>>20), "--snapshot-limit sets another limit")
	}
	if info, err := os.Stat(binary); err == nil {
		memory += info.Size()
	}
	return bundle.Room(sn.Log.Dir(), memory+memory/2)
}

// Pack makes a bundle of a dumped target and of the session as it is now, next to
// the log. It returns its path.
func (sn *Snapshots) Pack(f frozen) (path string, err error) {
	defer func() { err = errors.Join(err, os.RemoveAll(f.dir)) }()
	logs, id := sn.Log.Dir(), sn.Log.ID()
	screen := prompts.NewScreen(redact.New(sn.Opts.Privacy.Redact, os.Environ()))
	p, err := bundle.MakePlan(bundle.Options{
		Logs: logs, Session: strings.TrimSuffix(filepath.Base(sn.Log.Path()), ".md"), Sources: filepath.Join(logs, id+"-sources"),
		Core: f.core, Binary: f.binary, Now: sn.Opts.Now(), By: sn.Opts.Version,
		Redact: screen.Secretless, Learn: screen.Learn, Journal: func(text string) string { return hide.Journal(text, screen) },
	})
	if err != nil {
		return "", err
	}
	path = session.NextSnapshot(logs, id)
	return path, p.WriteFile(path)
}
