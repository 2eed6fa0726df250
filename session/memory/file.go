package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// maxImported bounds the lines of a file of fixes, in bytes each.
const maxImported = 8 << 20

// Export writes fixes as text that a team can keep in its repository: a JSON
// line each, in the order of their IDs, so that a change of one fix changes one
// line.
func Export(w io.Writer, fixes []Fix) error {
	fixes = slices.Clone(fixes)
	slices.SortFunc(fixes, func(a, b Fix) int { return strings.Compare(a.ID, b.ID) })
	encoder := json.NewEncoder(printable.NewJSONWriter(w)) // it may be a terminal
	encoder.SetEscapeHTML(false)
	for _, f := range fixes {
		if err := encoder.Encode(f); err != nil {
			return fmt.Errorf("export the fixes: %w", err)
		}
	}
	return nil
}

// Imported says what became of the fixes of a file.
type Imported struct {
	Added, Same int
	// Conflicts are fixes that are here for the same fingerprint with another
	// change. Both are kept; the proof decides at the next stop.
	Conflicts []Conflict
	Refused   []string // lines that are no fixes, and why
}

// Conflict is a fix of a file and the one that is here.
type Conflict struct{ Theirs, Ours Fix }

// Import takes fixes from what Export wrote. Nothing of it is believed: each is
// checked, and proved again before it is shown.
func Import(ctx context.Context, s Store, text []byte) (Imported, error) {
	var done Imported
	for n, line := range bytes.Split(text, []byte{'\n'}) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		f, err := parse(line)
		if err != nil {
			done.Refused = append(done.Refused, fmt.Sprintf("line %d: %v", n+1, err))
			continue
		}
		known, err := s.Get(ctx, f.Fingerprint)
		if err != nil {
			return done, err
		}
		at := slices.IndexFunc(known, func(k Fix) bool { return k.ID == f.ID })
		if at >= 0 && known[at].Times >= f.Times {
			done.Same++
			continue
		}
		if at >= 0 { // only how often it helped is new: the rest is ours
			ours := known[at]
			ours.Times = f.Times
			f = ours
		}
		for _, k := range known {
			if k.ID != f.ID {
				done.Conflicts = append(done.Conflicts, Conflict{Theirs: f, Ours: k})
			}
		}
		if err := s.Put(ctx, f); err != nil {
			return done, err
		}
		done.Added++
	}
	return done, nil
}

// parse reads a fix and refuses what could not have been exported.
func parse(line []byte) (Fix, error) {
	var f Fix
	if len(line) > maxImported {
		return f, errors.New("it is too long")
	}
	if strings.Contains(string(line), "<<<<<<<") || strings.Contains(string(line), ">>>>>>>") {
		return f, errors.New("it contains a git conflict")
	}
	if err := json.Unmarshal(line, &f); err != nil {
		return f, fmt.Errorf("not a fix: %w", err)
	}
	was := f.ID
	if f.Identify(); f.Fingerprint == "" || f.ID != was {
		return f, errors.New("its ID does not fit its change")
	}
	for _, e := range f.Edits {
		if !filepath.IsLocal(e.File) || path.Clean(e.File) != e.File {
			return f, fmt.Errorf("it changes %q, which is outside the module", printable.Line(e.File))
		}
	}
	f.Times = min(max(f.Times, 1), 1000)
	f.Pinned = false // that is the choice of whoever is here
	return f, nil
}
