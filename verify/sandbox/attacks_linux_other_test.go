//go:build linux && !amd64

package sandbox

import "errors"

func old32() error { return errors.New("this processor has no such gate") }
