package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/versions"
)

// joined is a program that holds versions of candidates.
type joined struct {
	program    versions.Program
	candidates []patch.Candidate
}

// join puts the candidates that change a package into one program, where they can be.
func (v *Verifier) join(dir string, candidates []patch.Candidate) joined {
	var all [][]syntax.Change
	for _, c := range candidates {
		var changes []syntax.Change
		for _, e := range c.Edits {
			file := filepath.Clean(v.Subject.Workspace.Abs(e.File))
			if e.Create && strings.HasSuffix(e.File, "_test.go") {
				continue // a test of its own changes nothing that it is to be tried with
			}
			changes = append(changes, syntax.Change{File: file, Before: e.Before, After: e.After})
		}
		all = append(all, changes)
	}
	return joined{versions.Join(dir, all), candidates}
}

// binary is what runs a candidate's version, of a binary that was built of the program; empty
// where it does not hold that.
func (j joined) binary(built string, c patch.Candidate) (string, error) {
	i := slices.IndexFunc(j.candidates, func(other patch.Candidate) bool { return slices.Equal(other.Edits, c.Edits) })
	name, ok := j.program.Directory(i)
	if !ok {
		return "", nil
	}
	dir := filepath.Join(filepath.Dir(built), name)
	binary := filepath.Join(dir, filepath.Base(built))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("run the version of %q: %w", c.ID, err)
	}
	if err := os.Link(built, binary); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("run the version of %q: %w", c.ID, err)
	}
	return binary, nil
}

// awaited are candidates that are to be proved.
type awaited struct {
	mu   sync.Mutex
	list []patch.Candidate
}

// Expect says which candidates will be proved next: one program serves them all where it
// can. A candidate that was not expected is proved as well, in a program of its own.
func (v *Verifier) Expect(candidates ...patch.Candidate) {
	v.awaited.mu.Lock()
	defer v.awaited.mu.Unlock()
	for _, c := range candidates {
		if !slices.ContainsFunc(v.awaited.list, func(other patch.Candidate) bool { return other.ID == c.ID }) {
			v.awaited.list = append(v.awaited.list, c)
		}
	}
}

// joinExpected joins the candidates that are expected by now.
func (v *Verifier) joinExpected(dir string) joined {
	v.awaited.mu.Lock()
	defer v.awaited.mu.Unlock()
	return v.join(dir, slices.Clone(v.awaited.list))
}
