//go:build linux

package sandbox

import (
	"path/filepath"
	"slices"
)

// hiddenSystem lists those that are there, but for what the spec shows: paths in
// readable, and what they lie in.
func hiddenSystem(readable []string) []string {
	var found []string
	for _, pattern := range systemSecrets {
		paths, _ := filepath.Glob(pattern) // the patterns are ours
		for _, p := range paths {
			if !slices.ContainsFunc(readable, func(r string) bool { return within(p, r) }) {
				found = append(found, p)
			}
		}
	}
	return found
}
