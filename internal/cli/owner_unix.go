//go:build unix

package cli

import (
	"os"
	"syscall"
)

// Owned tells whether a file is the user's own; root may look at all.
func Owned(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Getuid() == 0 || int(stat.Uid) == os.Getuid())
}
