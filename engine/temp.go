package engine

import (
	"fmt"
	"os"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
)

// makeTemp makes a directory for binaries and removes what processes that are
// gone have left.
func makeTemp() (string, error) {
	scratch.Sweep()
	dir, err := os.MkdirTemp("", scratch.Pattern("engine"))
	if err != nil {
		return "", advice.Add(fmt.Errorf("make a temporary directory: %w", err), "set TMPDIR to a directory that can be written to")
	}
	return dir, nil
}
