package verify

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// expected reports whether a file is what tests compare with: it lies in a
// testdata directory, or tests embed it. A Go file has to satisfy both: it may be
// the code that is fixed.
func (a *patched) expected(file string) bool {
	file = filepath.ToSlash(a.v.Subject.Workspace.Rel(a.v.Subject.Workspace.Abs(file)))
	inTestdata := slices.Contains(strings.Split(path.Dir(file), "/"), "testdata")
	switch isGo := strings.HasSuffix(file, ".go"); {
	case isGo && !inTestdata:
		return false
	case !isGo && inTestdata:
		return true
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		rest := strings.TrimPrefix(file, dir+"/")
		tests, err := filepath.Glob(filepath.Join(a.v.Subject.Workspace.Abs(dir), "*_test.go"))
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
	text, err := a.v.Source(file, nil)
	if err != nil {
		return false
	}
	for line := range strings.Lines(text) {
		patterns, ok := strings.CutPrefix(strings.TrimPrefix(line, "\ufeff"), "//go:embed")
		if !ok {
			continue
		}
		for _, p := range embedded(patterns) {
			p = path.Clean(strings.TrimPrefix(p, "all:"))
			for name := other; name != "."; name = path.Dir(name) {
				if match, err := path.Match(p, name); p == "." || err == nil && match {
					return true
				}
			}
		}
	}
	return false
}

// embedded are the patterns of a go:embed directive: words, or Go strings.
func embedded(patterns string) []string {
	var list []string
	for patterns = strings.TrimSpace(patterns); patterns != ""; patterns = strings.TrimSpace(patterns) {
		pattern := strings.Fields(patterns)[0]
		if quoted, err := strconv.QuotedPrefix(patterns); err == nil {
			patterns = patterns[len(quoted):]
			pattern, _ = strconv.Unquote(quoted)
		} else {
			patterns = patterns[len(pattern):]
		}
		list = append(list, pattern)
	}
	return list
}

// withoutOwnTests are the candidate's files without the test files that it
// creates: what these set, the program does not have.
func (a *patched) withoutOwnTests() map[string]string {
	left := maps.Clone(a.overlay)
	for _, e := range a.candidate.Edits {
		if e.Create && strings.HasSuffix(e.File, "_test.go") {
			delete(left, filepath.Clean(a.v.Subject.Workspace.Abs(e.File)))
		}
	}
	return left
}
