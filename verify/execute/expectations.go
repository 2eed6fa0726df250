package execute

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/verify/lazy"
	"github.com/pausetui/pausetui/verify/subject"
)

// expectations are the files in testdata and, for candidates that add what may change
// others, all files, and which of them the test binaries change as
// they run: what a test compares with is not for a candidate to write.
type expectations struct {
	dirs lazy.Value[[]string]

	mu      sync.Mutex
	written map[string][]string // by binary
	given   map[string][]string // more directories, by that of the binaries
}

// Give has the binaries in a directory watched for more than testdata.
func (e *expectations) Give(dir string, given []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.given == nil {
		e.given = map[string][]string{}
	}
	e.given[dir] = given
}

// watched are the directories that are watched while a test binary runs.
func (e *expectations) watched(ctx context.Context, v *subject.Target, binary string) ([]string, error) {
	dirs, err := e.of(ctx, v)
	e.mu.Lock()
	defer e.mu.Unlock()
	for dir, given := range e.given {
		if strings.HasPrefix(binary, dir+string(filepath.Separator)) {
			dirs = append(slices.Clip(dirs), given...)
		}
	}
	return dirs, err
}

// of are the directories called testdata of the user's modules.
func (e *expectations) of(ctx context.Context, v *subject.Target) ([]string, error) {
	const most = 500_000 // files that are looked at
	return e.dirs.Get(ctx, func(context.Context) ([]string, error) {
		var dirs []string
		looked := 0
		for _, m := range v.Subject.Workspace.Modules {
			if m.ReadOnly {
				continue
			}
			// What cannot be read, tests do not compare with.
			_ = filepath.WalkDir(m.Dir, func(path string, d os.DirEntry, err error) error {
				looked++
				switch name := filepath.Base(path); {
				case looked > most:
					return fs.SkipAll
				case err != nil || !d.IsDir():
					return nil //nolint:nilerr // the others are looked at
				case name == "testdata":
					dirs = append(dirs, path)
					return fs.SkipDir
				case path != m.Dir && (strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules"):
					return fs.SkipDir
				}
				return nil
			})
		}
		return dirs, nil
	})
}

// note keeps what a run of a test binary has changed.
func (e *expectations) note(binary string, files []string) {
	if len(files) == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.written == nil {
		e.written = map[string][]string{}
	}
	e.written[binary] = append(e.written[binary], files...)
}

// OnlyWith is a file that some binaries have changed and others have not; empty without one.
func (e *expectations) OnlyWith(with, without func(binary string) bool) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var changed, others []string
	for binary, files := range e.written {
		switch {
		case with(binary):
			changed = append(changed, files...)
		case without(binary):
			others = append(others, files...)
		}
	}
	slices.Sort(changed)
	for _, file := range changed {
		if !slices.Contains(others, file) {
			return file
		}
	}
	return ""
}

// BeforePrefix begins the names of the directories of tests without a candidate.
const BeforePrefix = "before-"
