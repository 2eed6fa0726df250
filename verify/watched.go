package verify

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/lazy"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
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

// watch has the tests of a candidate watched for all files that it could write over.
func watch(a *patched) {
	dirs := givenDirs(a)
	e := &a.v.expected
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.given == nil {
		e.given = map[string][]string{}
	}
	e.given[a.dir] = dirs
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

// rewritten names a file that the tests change with the candidate, and not
// without one; empty without one.
func rewritten(a *patched) string {
	e := &a.v.expected
	e.mu.Lock()
	defer e.mu.Unlock()
	var with, without []string
	for binary, files := range e.written {
		switch {
		case strings.HasPrefix(binary, a.dir+string(filepath.Separator)):
			with = append(with, files...)
		case binary == a.v.Subject.Binary || strings.HasPrefix(binary, filepath.Join(a.v.dir, beforePrefix)):
			without = append(without, files...)
		}
	}
	slices.Sort(with)
	for _, file := range with {
		if !slices.Contains(without, file) {
			return a.v.Subject.Workspace.Rel(file)
		}
	}
	return ""
}

// beforePrefix begins the names of the directories of tests without a candidate.
const beforePrefix = "before-"

// unwritten doubts a check that passes while tests run: another result may have been
// written where they look for it.
func unwritten(a *patched, check verdict.Check) verdict.Check {
	if check.Status != verdict.Pass && check.Status != verdict.Warn {
		return check
	}
	if file := rewritten(a); file != "" {
		doubt := finding.Inconclusive("with it, the tests change %s while they run, which they may compare with", file)
		doubt.Count, doubt.Fixed = check.Count, check.Fixed
		return doubt
	}
	return check
}
