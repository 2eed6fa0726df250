package verify

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/weaken"
)

// misleads says how an edit makes unchanged code mean something else, or has the
// program behave otherwise in tests.
func misleads(v *Verifier, e patch.Edit) string {
	if !strings.HasSuffix(e.File, ".go") {
		return ""
	}
	why := quits.Redeclared(e.File, e.Before, e.After, func(name string) bool { return usedBeside(v, e.File, name) })
	if why == "" {
		why = quits.Reimported(e.File, e.Before, e.After, func(path string) bool { return ownPath(v, path) })
	}
	if why == "" && !strings.HasSuffix(e.File, "_test.go") {
		return quits.Asks(e.File, e.Before, e.After, func(path string) bool { return directoryOf(v, path) != "" }, v.Subject.Build.Test)
	}
	return why
}

// misled says how a candidate changes what tests and unchanged code go by, so that what they
// find says little: a person is asked then.
func misled(a *patched) string {
	for _, how := range []func(*patched) string{foreign, satisfies, shows, mentioned, refills} {
		if why := how(a); why != "" {
			return why
		}
	}
	return ""
}

// foreign says what a candidate changes of other packages for all that uses them.
func foreign(a *patched) string {
	for _, e := range a.candidate.Edits {
		if strings.HasSuffix(e.File, ".go") && !(e.Create && strings.HasSuffix(e.File, "_test.go")) {
			if how := review.Foreign(e.Before, e.After, func(path string) bool { return directoryOf(a.v, path) != "" }); how != "" {
				return how + " (" + e.File + ")"
			}
		}
	}
	return ""
}

// refills says which field a candidate fills that other code has set to nil.
func refills(a *patched) string {
	for _, dir := range a.directories() {
		if how := review.Refilled(a.packageFiles(dir)); how != "" {
			return how
		}
	}
	return ""
}

// shows says that a candidate adds a method by which the failing test is shown something else.
func shows(a *patched) string {
	t, failing := a.v.Failing()
	s, ok := a.v.Site()
	if !failing || !ok {
		return ""
	}
	text, err := a.v.Source(s.File, nil)
	if err != nil {
		return ""
	}
	for _, dir := range a.directories() {
		before, after := a.packageFiles(dir)
		if name := weaken.Shows(t.Name, text, before, after, func(path string) bool { return directoryOf(a.v, path) != "" }); name != "" {
			return "adds " + name + ", by which " + t.Name + " may be shown something else"
		}
	}
	return ""
}

// mentioned says that a candidate changes a variable or a constant that the tests mention of
// which one fails: by another value it may pass, or check less.
func mentioned(a *patched) string {
	t, failing := a.v.Failing()
	if !failing {
		return ""
	}
	before, after := filesOf(a, false), filesOf(a, true)
	var dirs []string
	for _, f := range a.v.Subject.Stop.Frames {
		dir := filepath.Dir(f.File)
		if slices.Contains(dirs, dir) || !strings.HasSuffix(f.File, "_test.go") || !a.v.Own(f) {
			continue
		}
		dirs = append(dirs, dir)
		tests := map[string]string{}
		for i, text := range testsBeside(a.v, f.File) {
			tests[fmt.Sprint(i, "_test.go")] = text
		}
		values := review.Mentioned(tests, before, importPath(a.v.Target, filepath.ToSlash(a.v.Subject.Workspace.Rel(dir))))
		for _, dir := range a.directories() {
			if name := values.Changed(before, after, importPath(a.v.Target, dir)); name != "" {
				return "changes what " + t.Name + " looks at: " + name
			}
		}
	}
	return ""
}

// sets says that the candidate sets what the program is given by way of functions that are
// there: what it does so by itself has other names. Files of tests may.
func sets(a *patched) string {
	setters := quits.Setters(reached(a))
	for _, e := range a.candidate.Edits {
		if strings.HasSuffix(e.File, ".go") && !strings.HasSuffix(e.File, "_test.go") {
			if name := setters.Added(importPath(a.v.Target, path.Dir(filepath.ToSlash(e.File))), e.Before, e.After); name != "" {
				return "changes what the program is given: " + name + " (" + e.File + ")"
			}
		}
	}
	return ""
}

// ownPath reports whether an import path is of the user's modules.
func ownPath(v *Verifier, path string) bool {
	return slices.ContainsFunc(v.Subject.Workspace.Modules, func(m workspace.Module) bool {
		return !m.ReadOnly && (path == m.Path || strings.HasPrefix(path, m.Path+"/"))
	})
}

// usedBeside reports whether a file of the same directory, as it was before, has a
// name.
func usedBeside(v *Verifier, file, name string) bool {
	files, err := filepath.Glob(filepath.Join(filepath.Dir(v.Subject.Workspace.Abs(file)), "*.go"))
	for _, f := range files {
		if text, err := v.Source(f, nil); err == nil && quits.Uses(text, name) {
			return true
		}
	}
	return err != nil
}

// testsBeside are the texts of the tests in the directory of a file, as they were.
func testsBeside(v *Verifier, file string) []string {
	return textsOf(v, filepath.Dir(v.Subject.Workspace.Abs(file)), "*_test.go")
}

// textsOf are those of the files of a directory that a pattern matches, as they were.
func textsOf(v *Verifier, dir, pattern string) (texts []string) {
	files, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, f := range files {
		if text, err := v.Source(f, nil); err == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// satisfies says how a candidate satisfies the failing test alone: by what that compares
// by, or with an answer that does not depend on the question.
func satisfies(a *patched) string {
	v, edits := a.v, a.candidate.Edits
	t, failing := v.Failing()
	s, ok := v.Site()
	if !failing || !ok {
		return ""
	}
	text, err := v.Source(s.File, nil)
	if err != nil {
		return ""
	}
	own := func(path string) bool { return directoryOf(v, path) != "" }
	others := textsOf(v, filepath.Dir(s.File), "*.go")
	for from := range importedBy(slices.Values([]string{text})) {
		if dir := directoryOf(v, from); dir != "" {
			others = append(others, textsOf(v, v.Subject.Workspace.Abs(dir), "*.go")...)
		}
	}
	for _, e := range edits {
		others = append(others, e.Before)
	}
	compared := weaken.ComparedBy(t.Name, text, s.Line, others, own)
	for _, e := range edits {
		if strings.HasSuffix(e.File, ".go") && !strings.HasSuffix(e.File, "_test.go") {
			if why := weaken.Answers(e.File, e.Before, e.After, compared); why != "" {
				return why
			}
		}
	}
	return ""
}
