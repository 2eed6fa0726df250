package verify

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// expected reports whether a file is what tests compare with: it lies in a
// testdata directory, or tests embed it.
func (a *patched) expected(file string) bool {
	file = filepath.ToSlash(a.v.subject.Workspace.Rel(a.v.subject.Workspace.Abs(file)))
	if strings.HasSuffix(file, ".go") {
		return false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if path.Base(dir) == "testdata" {
			return true
		}
		rest := strings.TrimPrefix(file, dir+"/")
		tests, err := filepath.Glob(filepath.Join(a.v.subject.Workspace.Abs(dir), "*_test.go"))
		if err == nil && slices.ContainsFunc(tests, func(test string) bool { return a.embeds(test, rest) }) {
			return true
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}

// embeds reports whether a Go file embeds another one, or a directory that holds
// it.
func (a *patched) embeds(file, other string) bool {
	text, err := a.v.source(file, nil)
	if err != nil {
		return false
	}
	for line := range strings.Lines(text) {
		patterns, ok := strings.CutPrefix(line, "//go:embed ")
		if !ok {
			continue
		}
		for _, p := range strings.Fields(patterns) {
			p = path.Clean(strings.TrimPrefix(strings.Trim(p, "\"`"), "all:"))
			for name := other; name != "."; name = path.Dir(name) {
				if match, err := path.Match(p, name); p == "." || err == nil && match {
					return true
				}
			}
		}
	}
	return false
}

// withoutOwnTests are the candidate's files without the test files that it
// creates: what these set, the program does not have.
func (a *patched) withoutOwnTests() map[string]string {
	left := maps.Clone(a.overlay)
	for _, e := range a.candidate.Edits {
		if e.Create && strings.HasSuffix(e.File, "_test.go") {
			delete(left, filepath.Clean(a.v.subject.Workspace.Abs(e.File)))
		}
	}
	return left
}
