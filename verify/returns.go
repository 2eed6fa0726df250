package verify

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// builtIn is the provider of what the built-in fixer proposes. It writes no code
// that ends a program, and its proofs need not look for any.
const builtIn = "builtin"

// mustReturn reports whether the rerun counts only if main has returned: it ended
// with 0, and a model or a person wrote the candidate. A program can end itself
// with 0 in more ways than a list of functions names.
func (a *attempt) mustReturn() bool {
	end := a.verdict.Ending
	return a.candidate.Source.Provider != builtIn && !a.v.subject.Build.Test && end != nil && end.Exit == 0 && !end.Alive
}

// withMain marks which change has the program's main, or adds its file.
func (a *attempt) withMain(changes []effect.Change) []effect.Change {
	if !a.mustReturn() {
		return changes
	}
	for _, dir := range a.mainDirectories() {
		_, after := a.packageFiles(dir)
		for file, text := range after {
			if !effect.DeclaresMain(text) {
				continue
			}
			for i, c := range changes {
				if path.Clean(c.File) == path.Clean(file) {
					changes[i].Main = true
					return changes
				}
			}
			return append(changes, effect.Change{File: file, Before: text, After: text, Main: true})
		}
	}
	return changes
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
	w := a.v.subject.Workspace
	for _, name := range strings.Fields(a.v.subject.Build.Package) {
		switch {
		case strings.HasSuffix(name, ".go"):
			add(path.Dir(w.Rel(path.Join(a.v.subject.Build.Dir, name))))
		case strings.HasPrefix(name, "."):
			add(w.Rel(path.Join(a.v.subject.Build.Dir, name)))
		case path.IsAbs(name):
			add(w.Rel(name))
		default:
			if dir := a.v.directoryOf(name); dir != "" {
				add(dir)
			}
		}
	}
	return dirs
}

// unreturned says how the program ended with 0 though main did not return;
// empty where that is not so, or cannot be told of this program: its main is
// not the user's, or code that was there may end it, and it came past the site.
func (a *attempt) unreturned(ctx context.Context, t trace, err error) (string, error) {
	switch {
	case !a.mustReturn() || errors.Is(err, sandbox.ErrNoSandbox):
		return "", nil
	case err != nil:
		return "may end the program before main returns: that cannot be checked: " + cut(err.Error()), nil
	case !t.Main || t.reached.Returned:
		return "", nil
	}
	const why = "ends the program with 0 before main returns"
	if !effect.MayExit(a.linked()) {
		return why, nil
	}
	s, _ := a.v.site()
	c, err := a.v.controlRun(ctx)
	if err != nil || !hasFollowing(s.class) {
		return "", err
	}
	check, err := a.probe(ctx, s, c, t.result)
	if err != nil || check.Status == verdict.Pass || check.Status == verdict.Inconclusive {
		return "", err
	}
	return why + " and before it comes past the site", nil
}

// linked are the packages that the candidate changes, those that these import,
// and main's, as they were before.
func (a *patched) linked() []effect.Package {
	packages := a.among()
	for _, dir := range a.mainDirectories() {
		before, _ := a.packageFiles(dir)
		var texts []string
		for _, text := range before {
			texts = append(texts, text)
		}
		packages = append(packages, effect.Package{Own: true, Texts: texts})
	}
	return packages
}
