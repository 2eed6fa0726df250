// Package consent remembers which models that run on another machine a person
// has agreed to, once a project.
//
// It asks nobody and sends nothing; it only keeps what was said, in
// $XDG_STATE_HOME/pausetui/consent.json.
package consent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/config/userstate"
)

// Place is what is agreed to: prompts of a project may go to a model on a host.
type Place struct {
	Module string `json:"module"` // the module's path
	Root   string `json:"root"`   // the module's directory: a path may be anybody's
	Host   string `json:"host"`   // "api.openai.com", "ollama.com"
	Model  string `json:"model"`  // "openai/gpt-5"
}

// same compares places; the names of hosts know no case.
func (p Place) same(q Place) bool {
	return p.Module == q.Module && p.Root == q.Root && p.Model == q.Model && strings.EqualFold(p.Host, q.Host)
}

// Given is one agreement.
type Given struct {
	Place
	At time.Time `json:"at"`
}

// ErrUnreadable is returned when the file is there and cannot be understood:
// nothing counts as agreed to then, and nothing is written over it.
var ErrUnreadable = errors.New("the file of what was agreed to cannot be read")

// Store is the file. It is safe for concurrent use, and read anew each time:
// another process may have written it.
type Store struct {
	path string
	mu   sync.Mutex
}

// Open returns the store in a file, which need not be there yet.
func Open(path string) *Store { return &Store{path: path} }

// Default returns the user's own store.
func Default() *Store { return Open(userstate.State("consent.json")) }

// Path is the file.
func (s *Store) Path() string { return s.path }

// file is what stands in the file.
type file struct {
	userstate.Header
	Given []Given `json:"given"`
}

var header = userstate.Header{Version: 1}

// List returns every agreement, the oldest first.
func (s *Store) List() ([]Given, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read()
}

// Given tells whether a place was agreed to.
func (s *Store) Given(p Place) (bool, error) {
	list, err := s.List()
	return slices.ContainsFunc(list, func(g Given) bool { return g.same(p) }), err
}

// Give remembers that a place was agreed to.
func (s *Store) Give(p Place, at time.Time) error {
	return s.change(func(list []Given) []Given {
		if slices.ContainsFunc(list, func(g Given) bool { return g.same(p) }) {
			return list
		}
		return append(list, Given{p, at.UTC().Truncate(time.Second)})
	})
}

// Revoke forgets that a place was agreed to.
func (s *Store) Revoke(p Place) error {
	return s.change(func(list []Given) []Given {
		return slices.DeleteFunc(list, func(g Given) bool { return g.same(p) })
	})
}

func (s *Store) change(how func([]Given) []Given) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, err := s.read()
	if err != nil {
		return err
	}
	if err := userstate.Write(s.path, file{header, how(list)}); err != nil {
		return fmt.Errorf("remember what was agreed to: %w", err)
	}
	return nil
}

func (s *Store) read() ([]Given, error) {
	var f file
	if err := userstate.Read(s.path, header, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f.Given, nil
}
