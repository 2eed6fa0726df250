package control

import (
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/printable"
)

// tailSize bounds what is kept of the server's standard error, in bytes.
const tailSize = 16 << 10

// tail keeps the end of what is written to it, for error reports.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-tailSize):]...)
	if over := len(t.text) - tailSize; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String returns the kept text without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(printable.Text(string(t.text)))
}
