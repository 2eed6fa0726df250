package verify

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// mustReturn reports whether the rerun counts only if main, or the tests, came to
// their end: it ended with 0, and a model or a person wrote the candidate. A
// program can end itself with 0 in more ways than a list of functions names.
func (a *attempt) mustReturn() bool {
	if a.candidate.Source.Provider == patch.BuiltinProvider { // which writes no code that ends a program
		return false
	}
	if _, ok := a.v.Failing(); ok {
		rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
		return rerun.Status == verdict.Pass || rerun.Status == verdict.Warn
	}
	end := a.verdict.Ending
	return end != nil && end.Exit == 0 && !end.Alive
}

// withEnds marks in which changes main returns, or the program exits, and adds
// the files that do so and do not change.
func (a *attempt) withEnds(changes []effect.Change) []effect.Change {
	if !a.mustReturn() || a.v.Subject.Build.Test {
		return changes
	}
	at := map[string]int{}
	for i := range changes {
		changes[i].Ends = a.isBuilt(changes[i].File)
		at[path.Clean(changes[i].File)] = i
	}
	for _, dir := range a.ending() {
		before, after := a.packageFiles(dir)
		for file, text := range after {
			if _, changed := at[path.Clean(file)]; !changed && before[file] == text && a.isBuilt(file) && instrument.Ends(text) {
				changes = append(changes, effect.Change{Change: syntax.Change{File: file, Before: text, After: text}, Ends: true})
			}
		}
	}
	return changes
}

// isBuilt reports whether a file is among those that are built where these are
// named one by one.
func (a *attempt) isBuilt(file string) bool {
	b, w := a.v.Subject.Build, a.v.Subject.Workspace
	if !strings.HasSuffix(b.Package, ".go") {
		return true
	}
	return slices.ContainsFunc(strings.Fields(b.Package), func(name string) bool {
		return path.Clean(w.Rel(path.Join(b.Dir, name))) == path.Clean(file) || path.Clean(w.Rel(name)) == path.Clean(file)
	})
}

// countTests adds the files that have the tests which are run note that they
// have come to their end, and the one that was stopped that it has run.
func (a *attempt) countTests(m *effect.Marked) {
	dirs := a.mainDirectories()
	if !a.mustReturn() || !a.v.Subject.Build.Test || len(dirs) != 1 || strings.HasSuffix(a.v.Subject.Build.Package, ".go") {
		return
	}
	root := a.v.Subject.Workspace.Abs(dirs[0])
	name, tests := a.testFiles(root)
	var added instrument.Overlay
	added, m.Main, m.Tests = instrument.Tests(name, a.v.StoppedTest(), tests)
	for file, text := range added {
		m.Overlay[filepath.Join(root, file)] = text
	}
}

// testFiles are the test files of a directory as the candidate has them, by
// their names, and the name of its package.
func (a *attempt) testFiles(root string) (name string, tests map[string]string) {
	tests = map[string]string{}
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		return "", nil
	}
	overlay, builds := a.withoutOwnTests(), a.v.Builds()
	for file := range overlay {
		if filepath.Dir(file) == root && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, file := range files {
		text, err := a.v.Source(file, overlay)
		if built, wrong := builds.MatchFile(root, filepath.Base(file)); err != nil || wrong == nil && !built {
			continue // of another system, or a program of its own
		}
		if strings.HasSuffix(file, "_test.go") {
			tests[filepath.Base(file)] = text
		}
		if f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); err == nil && (name == "" || !strings.HasSuffix(file, "_test.go")) {
			name = strings.TrimSuffix(f.Name.Name, "_test")
		}
	}
	return name, tests
}

// ending are the directories whose exits may end the program: main's, those that
// the candidate changes, and what these import of the user's modules, directly or
// through others.
func (a *attempt) ending() []string {
	dirs := slices.Concat(a.mainDirectories(), a.directories())
	for i := 0; i < len(dirs); i++ {
		_, files := a.packageFiles(dirs[i])
		for from := range importedBy(maps.Values(files)) {
			if dir := directoryOf(a.v, from); dir != "" && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// mainDirectories are where the program's main may be, relative to the
// workspace.
func (a *patched) mainDirectories() []string {
	var dirs []string
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	w := a.v.Subject.Workspace
	for _, name := range strings.Fields(a.v.Subject.Build.Package) {
		switch {
		case strings.Contains(name, "..."):
			if dir := testedIn(a.v.Target); dir != "" {
				add(dir)
			}
		case strings.HasSuffix(name, ".go"):
			add(path.Dir(w.Rel(path.Join(a.v.Subject.Build.Dir, name))))
		case strings.HasPrefix(name, "."):
			add(w.Rel(path.Join(a.v.Subject.Build.Dir, name)))
		case path.IsAbs(name):
			add(w.Rel(name))
		default:
			if dir := directoryOf(a.v, name); dir != "" {
				add(dir)
			}
		}
	}
	return dirs
}

// testedIn is the directory of the test that stopped, where its stack says so.
func testedIn(v *subject.Target) string {
	for _, f := range v.Subject.Stop.Frames {
		if strings.HasSuffix(f.File, "_test.go") && v.Subject.Workspace.Owns(f.File) {
			return path.Dir(v.Subject.Workspace.Rel(f.File))
		}
	}
	return ""
}

// unreturned says how the program ended with 0 though main did not return;
// empty where that is not so, or cannot be told of this program: its main is
// not the user's, or code that was there has ended it, and it came past the site.
func (a *attempt) unreturned(ctx context.Context, t trace) string {
	why, past := "", error(nil)
	switch {
	case !a.mustReturn():
		return ""
	case a.v.Subject.Build.Test:
		why = a.untested(t)
	case t.reached.Unwound:
		why = "lets the function that failed, or what does its work now, panic again, and what calls it recovers that"
	case t.Main && !t.reached.Returned:
		why, past = a.exited(ctx, t)
	}
	if why != "" && t.unlike != "" {
		why, past = "", errors.New(t.unlike)
	}
	a.notSeen(past)
	return why
}

// byValue says what a function value may have done that the candidate uses and the program
// did not use before; empty where it has done nothing of the kind, or none may.
func (a *attempt) byValue(t trace) string {
	switch {
	case t.overwritten != "":
		return "uses another function value, which may have written to a file that was there: " + t.overwritten
	case !a.mustReturn() || a.v.Subject.Build.Test || !t.Main || t.reached.Returned || !t.reached.Exited || !usesValues(a.patched):
		return ""
	case slices.ContainsFunc(quits.Exits(reached(a.patched)), quits.Exiting.AsValues):
		return "uses another function value, which may have ended the program"
	}
	return ""
}

// exited says how a program ended with 0 whose main did not return.
func (a *attempt) exited(ctx context.Context, t trace) (string, error) {
	const why = "ends the program with 0 before main returns"
	if !t.reached.Exited {
		return why, nil
	}
	s, _ := a.v.Site()
	c, err := a.v.controlRun(ctx)
	if err != nil || !s.Class.HasStatement() {
		return "", err
	}
	check, err := a.probe(ctx, s, c, t.result)
	if err != nil || check.Status == verdict.Pass || check.Status == verdict.Inconclusive {
		return "", err
	}
	return why + " and before it gets past the failing line", nil
}

// untested says how the tests are said to pass though they have not come to their
// end, the one that was stopped did not run, or has failed; empty where that is
// not so, or cannot be told.
func (a *attempt) untested(t trace) string {
	_, failing := a.v.Failing()
	rerun, _ := verdict.Find(a.verdict.Checks, verdict.Rerun)
	switch {
	case t.Main && !t.reached.Returned, t.Tests && !t.reached.Tested:
		return "ends the tests before they have run"
	case t.Tests && failing && rerun.Status == verdict.Pass && !t.reached.Passed:
		return "reports that a test passes that fails"
	}
	return ""
}
