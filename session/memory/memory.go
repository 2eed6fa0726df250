// Package memory stores fixes that helped: candidates that a person approved and that
// were judged fixed, by the fingerprint of the stop. The next stop with that fingerprint
// is offered the fix first, proved again like every candidate.
//
// A remembered fix is a candidate like any other: merged into the current source
// (patch.Rebase), proved, and ranked.
//
// A Store keeps them; the default is a SQLite database of this user. A team may
// put its own behind the interface. What a store gives is a proposal and no more:
// nothing of it is believed, and it is applied only when it is proved here and a
// person approves.
package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
)

// Provider is the provider of candidates that are remembered fixes.
const Provider = patch.MemoryProvider

// ErrNotKept is returned by Delete for a fix that the store does not have.
var ErrNotKept = errors.New("no such fix is remembered")

// Fix is a fix that helped.
type Fix struct {
	ID          string       `json:"id"`          // made of the fingerprint and the change, see Identify
	Fingerprint string       `json:"fingerprint"` // of the stop
	Class       string       `json:"class"`
	Function    string       `json:"function"` // the culprit, with its package
	Module      string       `json:"module"`   // path of the module
	Dir         string       `json:"dir"`      // of the culprit's file, relative to the module's root
	Session     string       `json:"session"`  // name of the log
	At          time.Time    `json:"at"`       // when it was judged
	By          string       `json:"by"`       // who approved
	Source      patch.Source `json:"source"`   // who proposed
	Intent      string       `json:"intent,omitempty"`
	Title       string       `json:"title"`
	Explanation string       `json:"explanation,omitempty"`
	Effect      string       `json:"effect,omitempty"`
	Evidence    []string     `json:"evidence,omitempty"`
	Edits       []patch.Edit `json:"edits"` // the files before and after
	Times       int          `json:"times"` // how often it helped
	Pinned      bool         `json:"pinned,omitempty"`
}

// Diff is the change as git apply takes it.
func (f Fix) Diff() string {
	var out strings.Builder
	for _, e := range f.Edits {
		out.WriteString(patch.Unified(e))
	}
	return out.String()
}

// Store keeps fixes. Its methods may be called from several goroutines.
type Store interface {
	// Get returns the fixes of a fingerprint; none is no error.
	Get(ctx context.Context, fingerprint string) ([]Fix, error)
	// Put keeps a fix, in the place of the one with its ID.
	Put(ctx context.Context, f Fix) error
	// List returns all fixes.
	List(ctx context.Context) ([]Fix, error)
	// Delete forgets the fix of an ID. It fails with ErrNotKept.
	Delete(ctx context.Context, id string) error
}

// Identify sets the ID: the same change for the same fingerprint has the same one,
// wherever and whenever it was made.
func (f *Fix) Identify() {
	sum := sha256.Sum256([]byte(f.Fingerprint + "\x00" + patch.Identity(patch.Candidate{Edits: f.Edits})))
	f.ID = hex.EncodeToString(sum[:6])
}

// Learn keeps a fix that has just been judged. One that is there already has
// helped once more, and takes over the newest text, so that each version of the
// code has its own edit only where the edit differs.
func Learn(ctx context.Context, s Store, f Fix) error {
	f.Identify()
	f.Times = 1
	known, err := s.Get(ctx, f.Fingerprint)
	if err != nil {
		return err
	}
	from, remembered := strings.CutPrefix(f.Source.Model, Provider+"/")
	for _, k := range known {
		if remembered && k.ID == from { // who thought of it first
			f.Source, f.Explanation = k.Source, k.Explanation
		}
		if k.ID == f.ID {
			f.Times, f.Pinned = k.Times+1, k.Pinned
		}
	}
	return s.Put(ctx, f)
}

// Unlearn takes back one time that a fix has helped, and forgets a fix that never
// helped otherwise. One that is not kept, or is pinned, is left as it is.
func Unlearn(ctx context.Context, s Store, f Fix) error {
	f.Identify()
	known, err := s.Get(ctx, f.Fingerprint)
	if err != nil {
		return err
	}
	for _, k := range known {
		switch {
		case k.ID != f.ID || k.Pinned:
		case k.Times > 1:
			k.Times--
			return s.Put(ctx, k)
		default:
			return s.Delete(ctx, k.ID)
		}
	}
	return nil
}

// Bounds of what is taken of a store, which may be a team's.
const (
	maxOffered = 3
	maxEdits   = 20
	maxText    = 1 << 20 // bytes of a file
)

// Offer makes candidates of the remembered fixes for source that may have
// changed since: exact where it is as it was, merged where it has moved. read
// returns a file's text by its name relative to the module's root. Fixes that do
// not fit any more are left out. Pinned ones come first, then those that helped
// more often, then newer ones.
func Offer(fixes []Fix, now time.Time, read func(file string) (string, error)) []patch.Candidate {
	fixes = slices.Clone(fixes)
	slices.SortStableFunc(fixes, func(a, b Fix) int {
		if a.Pinned != b.Pinned {
			return map[bool]int{true: -1, false: 1}[a.Pinned]
		}
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.At.Compare(a.At))
	})
	var list []patch.Candidate
	for _, f := range fixes {
		edits, exact, ok := f.adapt(read)
		if !ok || len(list) == maxOffered {
			continue
		}
		list = append(list, patch.Candidate{
			Source: patch.Source{Provider: Provider, Model: Provider + "/" + f.ID, First: cmp.Or(f.Source.First, f.Source.Model)}, Title: f.Title,
			Explanation: strings.TrimSpace(f.words(now, exact) + " " + f.Explanation), Edits: edits,
		})
	}
	return list
}

// words say where the fix comes from: "This change fixed the same panic on 12 Nov in api/; …".
func (f Fix) words(now time.Time, exact bool) string {
	layout := "2 Jan"
	if f.At.Year() != now.Year() {
		layout = "2 Jan 2006"
	}
	verb := "fixed"
	if f.Times == 0 {
		verb = "was proposed for"
	}
	where := ""
	if dir := strings.Trim(f.Dir, "/"); dir != "" && dir != "." {
		where = " in " + dir + "/"
	}
	words := fmt.Sprintf("This change %s the same panic on %s%s; it came from %s.", verb, f.At.Local().Format(layout), where, f.Source.Who())
	if !exact {
		words += " The code has changed since; the fix was adapted to it."
	}
	return words
}

// adapt is the fix for the source as it is now.
func (f Fix) adapt(read func(string) (string, error)) (edits []patch.Edit, exact, ok bool) {
	if len(f.Edits) == 0 || len(f.Edits) > maxEdits {
		return nil, false, false
	}
	exact = true
	for _, e := range f.Edits {
		if !filepath.IsLocal(e.File) || path.Clean(e.File) != e.File || len(e.Before)+len(e.After) > maxText {
			return nil, false, false
		}
		current, err := read(e.File)
		switch {
		case e.Create && errors.Is(err, fs.ErrNotExist):
			edits = append(edits, e)
			continue
		case err != nil:
			return nil, false, false
		case current == e.After:
			continue // done already
		case e.Create:
			return nil, false, false
		}
		exact = exact && current == e.Before
		moved, err := patch.Rebase(e, current)
		if err != nil {
			return nil, false, false
		}
		edits = append(edits, moved)
	}
	return edits, exact, len(edits) > 0
}

// ReadIn reads files of the module at root, bounded, and never what a link leads
// to elsewhere.
func ReadIn(root string) func(file string) (string, error) {
	return func(file string) (string, error) {
		full := filepath.Join(root, filepath.FromSlash(file))
		if err := regular.Within(root, full); err != nil {
			return "", err
		}
		text, err := regular.Read(full)
		return string(text), err
	}
}
