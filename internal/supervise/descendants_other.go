//go:build !linux

package supervise

// KillDescendants does nothing where the system does not say which processes are below
// another.
func KillDescendants() {}

// KillSession does nothing there, either.
func KillSession(int) {}

// Descendants is nil where the system does not say which processes are below another.
func Descendants(int) []int { return nil }
