package verify

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/versions"
)

// The files from which programs with several versions read which one they run.
const (
	versionOfTests  = 4 // beside the counters
	versionOfReplay = 5 // beside the calls and their outcomes
)

// joined is a program that holds versions of candidates.
type joined struct {
	program    versions.Program
	candidates []patch.Candidate
}

// join puts the candidates that change a package into one program, where they can be.
func (v *target) join(dir string, candidates []patch.Candidate, fd int) joined {
	var all [][]versions.Change
	for _, c := range candidates {
		var changes []versions.Change
		for _, e := range c.Edits {
			file := filepath.Clean(v.subject.Workspace.Abs(e.File))
			if e.Create && strings.HasSuffix(e.File, "_test.go") {
				continue // a test of its own changes nothing that it is to be tried with
			}
			changes = append(changes, versions.Change{File: file, Before: e.Before, After: e.After})
		}
		all = append(all, changes)
	}
	return joined{versions.Join(dir, all, fd), candidates}
}

// version is what a run is to be given for a candidate; false where the program does not
// hold it.
func (j joined) version(c patch.Candidate) (byte, bool) {
	i := slices.IndexFunc(j.candidates, func(other patch.Candidate) bool { return slices.Equal(other.Edits, c.Edits) })
	return j.program.Version(i)
}

// choose makes the file that says which version a run takes.
func choose(dir string, version byte) (*os.File, error) {
	f, err := os.CreateTemp(dir, "version-")
	if err != nil {
		return nil, fmt.Errorf("say which version is run: %w", err)
	}
	_ = os.Remove(f.Name()) // it lives as long as it is open
	if _, err := f.Write([]byte{version}); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("say which version is run: %w", err)
	}
	return f, nil
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
func (v *Verifier) joinExpected(dir string, fd int) joined {
	v.awaited.mu.Lock()
	defer v.awaited.mu.Unlock()
	return v.join(dir, slices.Clone(v.awaited.list), fd)
}
