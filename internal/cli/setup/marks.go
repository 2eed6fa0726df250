package setup

import (
	"fmt"
	"os"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
)

// Marks writes the lines of --timings.
type Marks struct {
	file  *os.File
	began time.Time
}

// OpenMarks opens the file of --timings; without a path nothing is written.
func OpenMarks(path string) (*Marks, error) {
	m := &Marks{began: started}
	if path == "" {
		return m, nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the timings file: %w", err)
	}
	m.file = file
	return m, nil
}

// Mark writes a mark with the time since the start of the process.
func (m *Marks) Mark(name string) {
	if m.file != nil {
		printable.Fprintf(m.file, "{\"mark\":%q,\"ms\":%.1f}\n", name, float64(time.Since(m.began).Microseconds())/1000)
	}
}

// Close closes the file.
func (m *Marks) Close() {
	if m.file != nil {
		_ = m.file.Close()
	}
}

// started is as near to the start of the process as Go code gets.
var started = time.Now()
