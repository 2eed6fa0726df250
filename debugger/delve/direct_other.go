//go:build !linux

package delve

import "errors"

// readProcess is not possible here.
func readProcess(int, []span, [][]byte) error { return errors.ErrUnsupported }
