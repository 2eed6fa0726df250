package preferences

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/renameio/v2"

	"github.com/pausetui/pausetui/config/userstate"
)

// History keeps the lines of the command line of one module, a line each. Its
// methods may be called from any goroutine, and several processes may use the
// same file.
type History struct {
	Path string
	mu   sync.Mutex
}

// Bounds of a history.
const (
	maxLines = 1000
	maxLine  = 4096 // bytes; longer ones are not kept
)

// HistoryPath is where the history of the module in a directory is kept.
func HistoryPath(root string) string {
	return userstate.Path("history", userstate.Name(root))
}

// Load returns the lines, the newest last; none where there is no history yet.
func (h *History) Load() ([]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines, err := h.read()
	if len(lines) <= maxLines {
		return lines, err
	}
	lines = lines[len(lines)-maxLines:]
	if err == nil && len(lines) > 0 { // a file that has grown is cut down at the next start
		err = renameio.WriteFile(h.Path, []byte(strings.Join(lines, "\n")+"\n"), 0o600, renameio.WithStaticPermissions(0o600))
	}
	return lines, err
}

func (h *History) read() ([]string, error) {
	f, err := os.Open(h.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of the command line: %w", err)
	}
	defer f.Close()
	var lines []string
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 64<<10)
	for scan.Scan() {
		if line := scan.Text(); line != "" && len(line) <= maxLine {
			lines = append(lines, line)
		}
		if len(lines) > 4*maxLines {
			lines = lines[2*maxLines:]
		}
	}
	if err := scan.Err(); err != nil {
		return lines, fmt.Errorf("history of the command line: %w", err)
	}
	return lines, nil
}

// Add keeps a line.
func (h *History) Add(line string) error {
	if len(line) > maxLine || strings.ContainsAny(line, "\n\r") {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		return fmt.Errorf("history of the command line: %w", err)
	}
	f, err := os.OpenFile(h.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("history of the command line: %w", err)
	}
	_, err = f.WriteString(line + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("history of the command line: %w", err)
	}
	return nil
}
