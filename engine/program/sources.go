package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/git"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/source/workspace"
)

// sources is what the engine knows about the program's source.
type sources struct {
	*loop.Loop
	indexer *navigate.Indexer
	wanted  chan struct{} // closed when the index is waited for
	want    sync.Once

	mu      sync.Mutex
	code    *Code // of the newest build; nil before the first
	program *navigate.Program
	of      *Code // that program was made of
	spec    workspace.LoadSpec
	asOf    time.Time // when the files were what the binary was built from; zero when unknown
}

func newSources(c *loop.Loop) *sources {
	return &sources{Loop: c, indexer: navigate.NewIndexer(), wanted: make(chan struct{})}
}

// Built notes when the files on disk were those of the binary.
func (s *sources) Built(asOf time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asOf = asOf
}

// calm is how long the index waits for a moment in which no key
// is pressed.
const calm = 10 * time.Second

// begin takes the code of a build, which is still being loaded, and indexes it
// when that is done: the processor belongs to the target until then, unless
// the index is waited for.
func (s *sources) begin(code *Code, spec workspace.LoadSpec, binary string) {
	s.mu.Lock()
	s.code, s.spec = code, spec
	s.mu.Unlock()
	s.Job(func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.build(code, binary)
		}()
		select {
		case <-done:
		case <-s.Ctx.Done():
			select {
			case <-done:
			case <-time.After(moment): // a read that hangs does not keep the session
			}
		}
	})
}

// moment is how long the end of a session waits for the index, which is lost then.
const moment = time.Second

// build makes the index of a build; where nobody watches, only once it is asked for.
func (s *sources) build(code *Code, binary string) {
	loaded := code.Done
	if s.Opts.Target.Headless {
		loaded = nil
	}
	select {
	case <-loaded:
	case <-s.wanted:
	case <-s.Ctx.Done():
		return
	}
	subject := navigate.Subject{Workspace: s.Workspace, Binary: binary}
	select {
	case <-code.Done:
		subject.Code = code.Code
	default:
		s.indexer.Build(s.Ctx, subject)
		select {
		case <-code.Done:
			subject.Code = code.Code
		case <-s.Ctx.Done():
			return
		}
	}
	background.Calm(s.Ctx, calm, s.wanted)
	s.indexer.Build(s.Ctx, subject)
}

// Index implements live.Sources.
func (s *sources) Index(ctx context.Context, after int) (*navigate.Index, error) {
	s.want.Do(func() { close(s.wanted) })
	return s.indexer.Wait(ctx, after)
}

// Loaded implements live.Sources.
func (s *sources) Loaded() bool {
	s.mu.Lock()
	code := s.code
	s.mu.Unlock()
	if code == nil {
		return false
	}
	select {
	case <-code.Done:
		return true
	default:
		return false
	}
}

// Dirs waits for the directories of the packages that the newest build is made from, by
// import path; nil where they cannot be had.
func (s *sources) Dirs(ctx context.Context) map[string]string {
	s.mu.Lock()
	code := s.code
	s.mu.Unlock()
	if code == nil || code.Wait(ctx) != nil || code.Code == nil {
		return nil
	}
	return code.Code.Dirs
}

// Definition implements live.Sources.
func (s *sources) Definition(ctx context.Context, at navigate.At) (navigate.Answer, error) {
	p, err := s.loadedProgram(ctx)
	if err != nil {
		return navigate.Answer{}, err
	}
	return p.Definition(ctx, at)
}

// Callers implements live.Sources.
func (s *sources) Callers(ctx context.Context, at navigate.At) (navigate.Answer, error) {
	p, err := s.loadedProgram(ctx)
	if err != nil {
		return navigate.Answer{}, err
	}
	return p.Callers(ctx, at)
}

// loadedProgram waits for the types of the newest build.
func (s *sources) loadedProgram(ctx context.Context) (*navigate.Program, error) {
	s.mu.Lock()
	code, spec := s.code, s.spec
	s.mu.Unlock()
	if code == nil {
		return nil, advice.Add(errors.New("nothing has been built yet"), "wait for the build")
	}
	if err := code.Wait(ctx); err != nil {
		return nil, err
	}
	if code.Err != nil {
		return nil, fmt.Errorf("there are no types: %w", code.Err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of != code {
		s.program, s.of = navigate.NewProgram(s.Workspace, code.Code, spec), code
	}
	return s.program, nil
}

// About implements live.Sources.
func (s *sources) About(ctx context.Context, file string) live.About {
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxAbout {
		return live.About{}
	}
	a := live.About{Modified: info.ModTime()}
	data, err := regular.Read(file)
	if err != nil {
		return a
	}
	text := string(data)
	a.Generated = strings.HasSuffix(file, ".go") && workspace.Generated(data)
	s.mu.Lock()
	asOf := s.asOf
	s.mu.Unlock()
	owned := s.Workspace.Owns(file)
	if !asOf.IsZero() && info.ModTime().After(asOf) {
		a.Stale = fmt.Sprintf("changed at %s, after the build", info.ModTime().Format("15:04:05"))
	}
	if !owned {
		return a
	}
	s.mark(ctx, file, text, &a)
	return a
}

// maxAbout bounds the size of the files that are compared, in bytes.
const maxAbout = 8 << 20

// mark compares a file with the last commit, and with what fixes have written.
func (s *sources) mark(ctx context.Context, file, text string, a *live.About) {
	head, err := git.Head(ctx, file)
	switch {
	case err == nil:
		a.Marks = navigate.Changes(head, text)
	case errors.Is(err, git.ErrUntracked):
		a.Untracked = true
	case !errors.Is(err, git.ErrNoRepository) && !errors.Is(err, git.ErrNoCommit) && !errors.Is(err, exec.ErrNotFound):
		a.Err = err.Error()
	}
	state := s.State()
	rel := s.Workspace.Rel(file)
	for _, applied := range state.Applied {
		c, ok := state.Candidate(applied.Candidate)
		if !ok || applied.Undone {
			continue
		}
		for _, edit := range c.ToWrite() {
			if edit.File != rel {
				continue
			}
			if a.Marks == nil {
				a.Marks = map[int]navigate.Mark{}
			}
			for _, line := range navigate.Written(edit, text) {
				a.Marks[line] = navigate.Applied
			}
		}
	}
}

var _ live.Sources = (*sources)(nil)
