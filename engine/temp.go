package engine

import (
	"fmt"
	"os"

	"github.com/pausetui/pausetui/internal/scratch"
)

// makeTemp makes a directory for binaries and removes what processes that are
// gone have left.
func makeTemp() (string, error) {
	scratch.Sweep()
	dir, err := os.MkdirTemp("", scratch.Pattern("engine"))
	if err != nil {
		return "", fmt.Errorf("make a temporary directory: %w", err)
	}
	return dir, nil
}
