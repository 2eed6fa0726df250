package verify

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A program reads its files anew in every run. A candidate that writes over them gives
// itself another input, and loses what was in them when it is applied. A program that
// stopped may have had to write to some of its files later: what counts is that the
// candidate adds a call that changes files, or uses a function value that may, and that one
// which was there is changed.

// givenDirs are the directories whose files a run of the candidate is compared with; none
// where it adds no call that changes files.
func givenDirs(a *patched) []string {
	if !changesFiles(a) {
		return nil
	}
	return fileDirs(a.v)
}

// keptDirs are the directories in which a candidate must not remove files. The built-in fixer
// writes no code that removes any.
func keptDirs(a *patched) []string {
	if a.candidate.Source.Provider == patch.BuiltinProvider {
		return nil
	}
	return fileDirs(a.v)
}

// fileDirs are the directories of the program's files.
func fileDirs(v *Verifier) []string {
	dirs := []string{v.Subject.Workspace.Root}
	if dir := v.Subject.Run.Dir; dir != "" && dir != dirs[0] {
		dirs = append(dirs, dir)
	}
	return dirs
}

// removes names a file that a run of the candidate removed and the unpatched program does not:
// a call that was there may be given another name. Empty without one.
func (a *patched) removes(ctx context.Context, r sandbox.Result) (string, error) {
	if len(r.Removed) == 0 {
		return "", nil
	}
	before, err := a.v.removed.Get(ctx, func(ctx context.Context) ([]string, error) {
		binary, err := a.v.controlBinary(ctx)
		if err != nil {
			return nil, err
		}
		r, err := a.v.ExecuteWith(ctx, binary, execute.Manner{Args: a.v.Subject.Run.Args, Watched: fileDirs(a.v)}, a.v.Wall())
		return r.Removed, err
	})
	if err != nil {
		return "", err
	}
	for _, file := range r.Removed {
		if !slices.Contains(before, file) {
			return a.v.Subject.Workspace.Rel(file), nil
		}
	}
	return "", nil
}

// changesFiles reports whether the candidate adds a call that changes files, also by way of
// functions that are there, or may add one, see usesValues.
func changesFiles(a *patched) bool {
	a.changer.Do(func() {
		packages := reached(a)
		changers := quits.Changers(packages)
		a.changer.is = slices.ContainsFunc(a.candidate.Edits, func(e patch.Edit) bool {
			return strings.HasSuffix(e.File, ".go") && changers.Added(importPath(a.v.Target, path.Dir(filepath.ToSlash(e.File))), e.Before, e.After) != ""
		})
		a.changer.may = !a.changer.is && usesValues(a) && changers.AsValues(packages)
	})
	return a.changer.is || a.changer.may
}

// usesValues reports whether the candidate uses more function values than there were: one
// that is in a table does what no name tells. The built-in fixer writes no such code.
func usesValues(a *patched) bool {
	return a.candidate.Source.Provider != patch.BuiltinProvider && slices.ContainsFunc(a.directories(), func(dir string) bool {
		return review.MoreValues(filesOf(a, false), filesOf(a, true), importPath(a.v.Target, dir))
	})
}

// filesOf gives the files of the user's packages by their import paths, without the candidate
// or with it.
func filesOf(a *patched, after bool) func(from string) map[string]string {
	return func(from string) map[string]string {
		dir := directoryOf(a.v, from)
		if dir == "" {
			return nil
		}
		was, now := a.packageFiles(dir)
		if after {
			return now
		}
		return was
	}
}

// reached are the packages of the candidate's files as they were before, and those of the
// user's modules that these import, directly or not, with their paths.
func reached(a *patched) (packages []quits.Package) {
	var dirs []string
	add := func(dir string) {
		if dir != "" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, e := range a.candidate.Edits {
		add(path.Dir(filepath.ToSlash(e.File)))
	}
	for i := 0; i < len(dirs); i++ {
		before, after := a.packageFiles(dirs[i])
		packages = append(packages, quits.Package{Path: importPath(a.v.Target, dirs[i]), Texts: slices.Collect(maps.Values(before))})
		for from := range importedBy(maps.Values(after)) {
			add(directoryOf(a.v, from))
		}
	}
	return packages
}

func importPath(v *subject.Target, dir string) string {
	return v.Subject.Workspace.ImportPath(v.Subject.Workspace.Abs(dir))
}

// timesOf are when the files in directories were written last.
func timesOf(dirs []string) map[string]time.Time {
	times := map[string]time.Time{}
	for _, dir := range dirs {
		sandbox.Watch(dir, func(file string, info fs.FileInfo) (more bool) {
			times[file] = info.ModTime()
			return len(times) < sandbox.WatchedMost
		})
	}
	return times
}

// overwritten names a file that a run has changed; empty without one. One that is changed
// outside of the sandbox meanwhile, such as a log, is not its.
func overwritten(v *subject.Target, r sandbox.Result, before map[string]time.Time) string {
	for _, file := range r.Changed {
		if info, err := os.Lstat(file); err == nil && info.ModTime().Equal(before[file]) {
			return v.Subject.Workspace.Rel(file)
		}
	}
	return ""
}

// watch has the tests of a candidate watched for all files that it could write over.
func watch(a *patched) { a.v.Expected.Give(a.dir, givenDirs(a)) }

// rewritten names a file that the tests change with the candidate, and not
// without one; empty without one.
func rewritten(a *patched) string {
	file := a.v.Expected.OnlyWith(
		func(binary string) bool { return strings.HasPrefix(binary, a.dir+string(filepath.Separator)) },
		func(binary string) bool {
			return binary == a.v.Subject.Binary || strings.HasPrefix(binary, filepath.Join(a.v.Dir, execute.BeforePrefix))
		})
	if file == "" {
		return ""
	}
	return a.v.Subject.Workspace.Rel(file)
}

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
