package session

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
)

var (
	// ErrNoSession is returned by Find when no session is called so.
	ErrNoSession = errors.New("there is no such session")
	// ErrManySessions is returned by Find for a beginning that several share.
	ErrManySessions = errors.New("several sessions begin so")
)

// Entry is a session in a directory of logs.
type Entry struct {
	Name    string // "20261120-170203-nil-map-write", the name of its files
	Journal string // path
	time    string // "20261120-170203"
	number  int    // among those of one second, from 1
}

// Markdown is the path of the log for people.
func (e Entry) Markdown() string { return strings.TrimSuffix(e.Journal, ".jsonl") + ".md" }

// At is when the session began, to the second, by the name of its files.
func (e Entry) At() time.Time {
	at, err := time.ParseInLocation("20060102-150405", e.time, time.Local)
	if err != nil {
		return time.Time{}
	}
	return at
}

var journalName = lazyregexp.New(`^(\d{8}-\d{6})(?:-(\d+))?-[^.]+\.jsonl$`)

// List returns the sessions with their logs in dir, the oldest first. A
// directory that does not exist holds none.
func List(dir string) ([]Entry, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	var list []Entry
	for _, e := range entries {
		m := journalName.FindStringSubmatch(e.Name())
		if m == nil || strings.ContainsFunc(e.Name(), printable.Hidden) { // the second is none of ours
			continue
		}
		number, err := strconv.Atoi(m[2])
		if err != nil {
			number = 1
		}
		list = append(list, Entry{Name: strings.TrimSuffix(e.Name(), ".jsonl"), Journal: filepath.Join(dir, e.Name()), time: m[1], number: number})
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.number, b.number))
	})
	return list, nil
}

// Latest is the name that Find knows the newest session by.
const Latest = "latest"

// Find returns the session in dir of a name, of an unambiguous beginning of
// one, of a file of its log, or the newest one for Latest. It fails with
// ErrNoSession or ErrManySessions.
func Find(dir, name string) (Entry, error) {
	list, err := List(dir)
	if err != nil {
		return Entry{}, err
	}
	if name == Latest {
		if len(list) == 0 {
			return Entry{}, fmt.Errorf("%w: %q holds none", ErrNoSession, dir)
		}
		return list[len(list)-1], nil
	}
	want := filepath.Base(name)
	for _, ext := range []string{".jsonl", ".md"} {
		want = strings.TrimSuffix(want, ext)
	}
	var found []Entry
	for _, e := range list {
		if e.Name == want {
			return e, nil
		}
		if want != "" && strings.HasPrefix(e.Name, want) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Entry{}, fmt.Errorf("%w: %q in %q", ErrNoSession, name, dir)
	}
	return Entry{}, fmt.Errorf("%w: %q, for instance %s and %s", ErrManySessions, name, found[0].Name, found[1].Name)
}
