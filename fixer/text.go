package fixer

import "strings"

// replaceOnce puts where in place of the first %s.
func replaceOnce(text, where string) string { return strings.Replace(text, "%s", where, 1) }
