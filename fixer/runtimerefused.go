package fixer

import "strings"

// runtimeRefused fixes what the runtime refuses and no class of its own is
// for: keys that cannot be hashed, values that cannot be compared, an iterator
// that goes on after its loop has ended.
func (f refusalRules) runtimeRefused() bool {
	switch m := f.Panic.Message; {
	case strings.Contains(m, "hash of unhashable type"):
	case strings.Contains(m, "comparing uncomparable type"):
	case strings.Contains(m, "range function continued iteration"):
	default:
		return false
	}
	return true
}
