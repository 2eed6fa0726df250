package userstate

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/debugger"
)

// Mutes are the places of modules where a person does not want to stop at
// panics any more, in mutes/, a file for each module.
type Mutes struct{ store Store }

// Mutes returns the muted places of the store.
func (s Store) Mutes() Mutes { return Mutes{s} }

// ErrUnreadableMutes is returned if a file cannot be understood; the next Mute
// overwrites it.
var ErrUnreadableMutes = errors.New("the muted places of earlier sessions cannot be read")

type mutesFile struct {
	header
	Sites []debugger.Site `json:"sites"`
}

const mutesVersion = 1

func (m Mutes) path(root string) string {
	return filepath.Join(m.store.dir, "mutes", Name(root)+".json")
}

// Load returns the muted places of a module, the oldest first.
func (m Mutes) Load(root string) ([]debugger.Site, error) {
	var f mutesFile
	if err := read(m.path(root), forRoot(mutesVersion, root), &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadableMutes, err)
	}
	return f.Sites, nil
}

// Mute adds a place, or replaces the one with the same fingerprint.
func (m Mutes) Mute(root string, site debugger.Site) error {
	err := m.store.Locked(func() error {
		sites, _ := m.Load(root) // an unreadable file is overwritten
		return m.save(root, append(without(sites, site.Fingerprint), site))
	})
	if err != nil {
		return fmt.Errorf("save a muted place: %w", err)
	}
	return nil
}

// Unmute removes a place.
func (m Mutes) Unmute(root, fingerprint string) error {
	err := m.store.Locked(func() error {
		sites, err := m.Load(root)
		if err != nil {
			return err
		}
		return m.save(root, without(sites, fingerprint))
	})
	if err != nil {
		return fmt.Errorf("remove a muted place: %w", err)
	}
	return nil
}

func (m Mutes) save(root string, sites []debugger.Site) error {
	if len(sites) == 0 {
		return remove(m.path(root))
	}
	return replace(m.path(root), mutesFile{forRoot(mutesVersion, root), sites})
}

func without(sites []debugger.Site, fingerprint string) []debugger.Site {
	return slices.DeleteFunc(sites, func(s debugger.Site) bool { return s.Fingerprint == fingerprint })
}
