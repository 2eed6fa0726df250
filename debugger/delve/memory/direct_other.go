//go:build !linux

package memory

import "errors"

// readProcess is not possible here.
func readProcess(int, []Span, [][]byte) error { return errors.ErrUnsupported }
