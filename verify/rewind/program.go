// Package rewind runs the stopped program once more, to see what was before its stop: values
// at a place, what happened to a value, any statement that it had come to.
package rewind

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/subject"
)

// Program is the stopped program, which can be run once more while it is paused.
type Program struct {
	*execute.Runner
	Dir string // everything made here, removed by Close

	closing context.Context // ends when Close begins
	end     context.CancelFunc
	working sync.WaitGroup // background work
}

// New returns the program of a subject, with a directory for what is built. Close removes it.
func New(s subject.Subject, opts execute.Options) (*Program, error) {
	dir, err := os.MkdirTemp(opts.TempDir, "pausetui-verify-")
	if err != nil {
		return nil, fmt.Errorf("prepare to verify: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("prepare to verify: %w", err)
	}
	p := &Program{Runner: execute.New(s, opts), Dir: dir}
	p.closing, p.end = context.WithCancel(context.Background())
	return p, nil
}

// Close ends what goes on in the background and removes everything that was
// built, the proved binaries too. No Check may be under way.
func (v *Program) Close() error {
	v.end()
	v.working.Wait()
	if err := scratch.Remove(v.Dir); err != nil {
		return fmt.Errorf("clean up after verifying: %w", err)
	}
	return nil
}

// Background begins work that the candidates of a stop share. It goes on when
// the check that began it is over, until ctx ends or the verifier is closed.
func (v *Program) Background(ctx context.Context, work func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(v.closing, cancel)
	v.working.Go(func() {
		defer cancel()
		defer stop()
		work(ctx)
	})
}

// OwnModule is the module that a file is in, to which a package may be added.
func (v *Program) OwnModule(file string) (workspace.Module, error) {
	m, ok := v.Subject.Workspace.ModuleOf(file)
	switch {
	case !ok:
		return m, fmt.Errorf("%s is in none of your modules", v.Subject.Workspace.Rel(file))
	case m.ReadOnly:
		return m, fmt.Errorf("%s is in %s", v.Subject.Workspace.Rel(file), m.Outside())
	}
	return m, nil
}
