//go:build !linux

package terminal

import "os"

// lacking is nil: the consoles of other systems are terminals like others.
func lacking(*os.File) func(rune) bool { return nil }
