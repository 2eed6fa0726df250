//go:build unix

package main

import (
	"os"
	"syscall"
)

// owned tells whether a file is the user's own; root may look at all.
func owned(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (os.Getuid() == 0 || int(stat.Uid) == os.Getuid())
}
