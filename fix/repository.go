package fix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/patch"
)

// inRepository is the report with names of files from the top of the repository, as
// GitHub, viewers of SARIF and git apply want them: a module may lie in a directory of
// it. What is outside of the repository keeps its name.
func (r Report) inRepository() Report {
	top := checkout(r.root)
	if r.root == "" || top == "" || top == r.root {
		return r
	}
	name := func(file string) string {
		if file == "" || filepath.IsAbs(file) {
			return file
		}
		rel, err := filepath.Rel(top, filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil || !filepath.IsLocal(rel) {
			return file
		}
		return filepath.ToSlash(rel)
	}
	r.Stops = slices.Clone(r.Stops)
	for i := range r.Stops {
		r.Stops[i].File = name(r.Stops[i].File)
	}
	if r.Stop != nil && len(r.Stops) > 0 {
		r.Stop = &r.Stops[0]
	}
	r.Candidates = slices.Clone(r.Candidates)
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.edits = slices.Clone(c.edits)
		for k := range c.edits {
			c.edits[k].File = name(c.edits[k].File)
		}
		c.Diff = patch.Candidate{Edits: c.edits}.Diff()
	}
	return r
}

// checkout is the top of the git repository that a directory is in, else the directory of
// a GitHub workflow that it is in; empty without either. git is not asked: its
// configuration may name programs to run.
func checkout(dir string) string {
	for d := dir; d != ""; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if work := os.Getenv("GITHUB_WORKSPACE"); work != "" && strings.HasPrefix(dir+string(filepath.Separator), filepath.Clean(work)+string(filepath.Separator)) {
		return filepath.Clean(work)
	}
	return ""
}
