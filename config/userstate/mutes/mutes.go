// Package mutes keeps the places of a module where a person does not want to
// stop at panics any more, between sessions.
//
// They are one person's own, so they lie in $XDG_STATE_HOME/pausetui/mutes and
// not in the module, a file for each root directory.
package mutes

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/config/userstate"
	"github.com/pausetui/pausetui/debugger"
)

// ErrUnreadable is returned when a file is there and cannot be understood; the
// next Mute writes over it.
var ErrUnreadable = errors.New("the muted places of earlier sessions cannot be read")

// Store is a directory of files.
type Store struct{ dir string }

// Open returns the store in a directory, which need not be there yet.
func Open(dir string) Store { return Store{dir} }

// Default returns the user's own store.
func Default() Store { return Open(userstate.State("mutes")) }

// file is what stands in a file.
type file struct {
	userstate.Header
	Sites []debugger.Site `json:"sites"`
}

const version = 1

func (s Store) path(root string) string { return filepath.Join(s.dir, userstate.Name(root)+".json") }

// Load returns the muted places of a module, the oldest first; none where none
// were kept.
func (s Store) Load(root string) ([]debugger.Site, error) {
	var f file
	if err := userstate.Read(s.path(root), userstate.ForRoot(version, root), &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f.Sites, nil
}

// Mute keeps a place, beside those that other sessions have muted meanwhile.
func (s Store) Mute(root string, site debugger.Site) error {
	sites, _ := s.Load(root) // what cannot be read is written over
	sites = append(without(sites, site.Fingerprint), site)
	if err := userstate.Write(s.path(root), file{userstate.ForRoot(version, root), sites}); err != nil {
		return fmt.Errorf("keep a muted place: %w", err)
	}
	return nil
}

// Unmute forgets a place.
func (s Store) Unmute(root, fingerprint string) error {
	sites, err := s.Load(root)
	if err != nil {
		return err
	}
	if sites = without(sites, fingerprint); len(sites) == 0 {
		err = userstate.Remove(s.path(root))
	} else {
		err = userstate.Write(s.path(root), file{userstate.ForRoot(version, root), sites})
	}
	if err != nil {
		return fmt.Errorf("forget a muted place: %w", err)
	}
	return nil
}

func without(sites []debugger.Site, fingerprint string) []debugger.Site {
	return slices.DeleteFunc(sites, func(s debugger.Site) bool { return s.Fingerprint == fingerprint })
}
