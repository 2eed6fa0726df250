package main

import (
	"fmt"
	"os"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
)

// marks writes the lines of --timings.
type marks struct {
	file  *os.File
	began time.Time
}

func openMarks(path string) (*marks, error) {
	m := &marks{began: started}
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

func (m *marks) mark(name string) {
	if m.file != nil {
		printable.Fprintf(m.file, "{\"mark\":%q,\"ms\":%.1f}\n", name, float64(time.Since(m.began).Microseconds())/1000)
	}
}

func (m *marks) close() {
	if m.file != nil {
		_ = m.file.Close()
	}
}

// started is as near to the start of the process as Go code gets.
var started = time.Now()
