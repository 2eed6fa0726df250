// Package preferences stores the screen's preferences of a person between sessions: the
// layout, the theme, the commands of the palette. It is a convenience: a file that cannot
// be read is started afresh. Nothing that decides what a session does belongs here;
// breakpoints and consent are in config/userstate.
package preferences

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/ui/layout"
)

// Screen is what is remembered.
type Screen struct {
	Layout layout.Shape `json:"layout,omitzero"`
	Theme  string       `json:"theme,omitempty"`
	// Background is the one the theme was chosen for: "auto", "dark" or "light".
	Background string   `json:"background,omitempty"`
	Recent     []string `json:"recent,omitempty"` // names of actions chosen in the palette, the newest first
	Starts     int      `json:"starts,omitempty"` // how often the first hint was shown
	Hinted     bool     `json:"hinted,omitempty"` // … and that it is not needed any more
}

// maxRecent is how many commands of the palette are remembered.
const maxRecent = 8

// Use puts an action in front of the recent ones.
func (s *Screen) Use(action string) {
	list := slices.DeleteFunc(slices.Clone(s.Recent), func(a string) bool { return a == action })
	list = append([]string{action}, list...)
	s.Recent = list[:min(len(list), maxRecent)]
}

// File is where the state is kept. Its methods may be called from any goroutine.
type File struct {
	Path string
	mu   sync.Mutex
}

// Path is the user's own file.
func Path() string { return filepath.Join(xdg.StateHome, "pausetui", "screen.json") }

// maxFile bounds what is read, in bytes.
const maxFile = 64 << 10

// Load reads the state. With an error, which says what is wrong with the file,
// the state is the empty one; a file that is not there is no error.
func (f *File) Load() (Screen, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.load()
}

func (f *File) load() (Screen, error) {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Screen{}, nil
	case err == nil && info.Size() > maxFile:
		err = fmt.Errorf("%q is larger than %d bytes", f.Path, maxFile)
	}
	if err != nil {
		return Screen{}, fmt.Errorf("read what was remembered: %w", err)
	}
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return Screen{}, fmt.Errorf("read what was remembered: %w", err)
	}
	var s Screen
	if err := json.Unmarshal(data, &s); err != nil {
		return Screen{}, fmt.Errorf("read what was remembered in %q: %w", f.Path, err)
	}
	s.Layout = s.Layout.Sound()
	s.Recent = s.Recent[:min(len(s.Recent), maxRecent)]
	return s, nil
}

// Change reads the state, changes it and writes it back, so that another
// session's changes to other parts of it stay.
func (f *File) Change(change func(*Screen)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, _ := f.load() // what cannot be read is written again
	change(&s)
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("remember the screen: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return fmt.Errorf("remember the screen: %w", err)
	}
	if err := renameio.WriteFile(f.Path, append(data, '\n'), 0o600, renameio.WithStaticPermissions(0o600)); err != nil {
		return fmt.Errorf("remember the screen: %w", err)
	}
	return nil
}
