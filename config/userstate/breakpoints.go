package userstate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
)

// Breakpoints are the breakpoints of modules, in breakpoints/, a file for each
// module. They may be used from any goroutine.
//
// A session saves its whole list. So that two sessions of the same module do
// not lose each other's, Breakpoints remember what they last read or wrote: what
// is in the file beyond that was added by another session, and stays.
type Breakpoints struct {
	store Store
	mu    sync.Mutex
	known map[string][]debugger.Breakpoint // by root: what this session knows of the file
}

// Breakpoints returns the breakpoints of the store.
func (s Store) Breakpoints() *Breakpoints {
	return &Breakpoints{store: s, known: map[string][]debugger.Breakpoint{}}
}

// ErrUnreadableBreakpoints is returned if a file cannot be understood; the next
// Save overwrites it.
var ErrUnreadableBreakpoints = errors.New("the breakpoints of earlier sessions cannot be read")

type breakpointsFile struct {
	header
	Breakpoints []debugger.Breakpoint `json:"breakpoints"`
}

const breakpointsVersion = 1

func (b *Breakpoints) path(root string) string {
	return filepath.Join(b.store.dir, "breakpoints", Name(root)+".json")
}

// Load returns the breakpoints of a module.
func (b *Breakpoints) Load(root string) ([]debugger.Breakpoint, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list, err := b.read(root)
	b.known[Name(root)] = list
	return slices.Clone(list), err
}

func (b *Breakpoints) read(root string) ([]debugger.Breakpoint, error) {
	var f breakpointsFile
	if err := read(b.path(root), forRoot(breakpointsVersion, root), &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadableBreakpoints, err)
	}
	return f.Breakpoints, nil
}

// Save replaces the breakpoints of a module, whose files are relative to its
// root. Those that another session has added meanwhile stay.
func (b *Breakpoints) Save(root string, list []debugger.Breakpoint) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.store.Locked(func() error {
		stored, _ := b.read(root) // an unreadable file is overwritten
		all := slices.Concat(list, added(stored, b.known[Name(root)], list))
		if len(all) == 0 {
			return remove(b.path(root))
		}
		return replace(b.path(root), breakpointsFile{forRoot(breakpointsVersion, root), all})
	})
	if err != nil {
		return fmt.Errorf("save breakpoints: %w", err)
	}
	b.known[Name(root)] = slices.Clone(list)
	return nil
}

// spot is where a breakpoint was set, however far edits have moved it since.
type spot struct {
	file, location, text string
	line                 int // only if there is no text to find the line by
}

func spotOf(b debugger.Breakpoint) spot {
	if b.Text != "" {
		return spot{file: b.File, location: b.Location, text: b.Text}
	}
	return spot{file: b.File, location: b.Location, line: b.Line}
}

// added returns the breakpoints that are stored but neither known nor in list.
// They lose a name that list uses. Several may have the same text, so spots are
// counted.
func added(stored, known, list []debugger.Breakpoint) []debugger.Breakpoint {
	seen := map[spot]int{}
	for _, b := range known {
		seen[spotOf(b)]++
	}
	var more []debugger.Breakpoint
	for _, b := range stored {
		if seen[spotOf(b)] > 0 {
			seen[spotOf(b)]--
			continue
		}
		if slices.ContainsFunc(list, func(l debugger.Breakpoint) bool { return spotOf(l) == spotOf(b) && l.Line == b.Line }) {
			continue
		}
		if slices.ContainsFunc(list, func(l debugger.Breakpoint) bool { return l.Name == b.Name }) {
			b.Name = ""
		}
		more = append(more, b)
	}
	return more
}
