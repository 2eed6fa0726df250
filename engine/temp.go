package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// tempPrefix begins the names of our temporary directories; the number of the
// process follows, so that what a killed one left can be told and removed.
const tempPrefix = "pausetui-"

// makeTemp makes a directory for binaries and removes those of processes that
// are gone.
func makeTemp() (string, error) {
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*"))
	for _, dir := range old {
		if pid := owner(dir); pid > 0 && pid != os.Getpid() && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.RemoveAll(dir) // best effort: it may be another user's
		}
	}
	dir, err := os.MkdirTemp("", tempPrefix+strconv.Itoa(os.Getpid())+"-")
	if err != nil {
		return "", fmt.Errorf("make a temporary directory: %w", err)
	}
	return dir, nil
}

func owner(dir string) int {
	name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), tempPrefix), "-")
	pid, err := strconv.Atoi(name)
	if err != nil {
		return 0
	}
	return pid
}
