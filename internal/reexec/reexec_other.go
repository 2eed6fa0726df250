//go:build !linux

package reexec

import "os"

func self() (string, error) { return os.Executable() }

// CloseOnExec does nothing: Go opens its own files so, and others are not known.
func CloseOnExec(int) {}
