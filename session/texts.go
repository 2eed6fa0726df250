package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// Bounds of the source text that is kept of a session, in bytes.
const (
	maxKeptFile  = 2 << 20
	maxKeptFiles = 64 << 20
)

// ErrNotKept is returned for text that is not, or not any more, next to the log.
var ErrNotKept = errors.New("it was not kept")

// Texts keeps the text of source files next to a session's log, each version
// once, under a name made of its contents. Its methods may be called from any
// goroutine.
type Texts struct {
	dir  string
	mu   sync.Mutex
	used int64 // bytes; negative until they were counted
}

// OpenTexts returns the source texts of a session whose log is in dir. The
// directory is made when the first file is kept.
func OpenTexts(dir, id string) *Texts {
	return &Texts{dir: filepath.Join(dir, id+"-sources"), used: -1}
}

// Keep keeps a text and returns its name.
func (s *Texts) Keep(text []byte) (string, error) {
	if len(text) > maxKeptFile {
		return "", fmt.Errorf("keep the source: it has %d kB", len(text)>>10)
	}
	name := TextName(text)
	path := filepath.Join(s.dir, name)
	if _, err := os.Lstat(path); err == nil {
		return name, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return "", fmt.Errorf("keep the source: %w", err)
	}
	if s.used < 0 {
		s.used = sizeOf(s.dir)
	}
	if s.used+int64(len(text)) > maxKeptFiles {
		return "", fmt.Errorf("keep the source: %d MB are kept already", s.used>>20)
	}
	if err := renameio.WriteFile(path, text, 0o600, renameio.WithTempDir(s.dir)); err != nil {
		return "", fmt.Errorf("keep the source: %w", err)
	}
	s.used += int64(len(text))
	return name, nil
}

// keptName is what names look like; one that a journal claims may be anything.
var keptName = lazyregexp.New(`^[0-9a-f]{32}$`)

// Text returns a text that was kept. It fails with ErrNotKept where it is not
// there, or not what it was.
func (s *Texts) Text(name string) ([]byte, error) {
	if !keptName.MatchString(name) {
		return nil, ErrNotKept
	}
	text, err := regular.ReadIn(filepath.Dir(s.dir), filepath.Join(filepath.Base(s.dir), name), maxKeptFile)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, regular.ErrNotRegular), errors.Is(err, regular.ErrTooLarge), errors.Is(err, regular.ErrLeadsOut):
		return nil, ErrNotKept
	case err != nil:
		return nil, fmt.Errorf("read the source of then: %w", err)
	}
	if TextName(text) != name {
		return nil, ErrNotKept
	}
	return text, nil
}

// TextName is the name that a text is kept under.
func TextName(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func sizeOf(dir string) int64 {
	entries, _ := os.ReadDir(dir) // an empty one then
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			total += info.Size()
		}
	}
	return total
}
