//go:build !linux

package supervise

// KillDescendants does nothing where nobody says which processes stand below
// another.
func KillDescendants() {}

// KillSession does nothing there, either.
func KillSession(int) {}

// Descendants is nil where nobody says which processes stand below another.
func Descendants(int) []int { return nil }
