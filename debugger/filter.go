package debugger

import "strings"

// PanicFilter chooses, by package, the panics that stop the target though it
// would live on. One that ends it always stops. Patterns are import paths, in
// which "..." matches any text, as for the go command.
type PanicFilter struct {
	In  []string `json:"in,omitempty"`  // only those whose culprit, or who threw them, is in one of these packages
	Not []string `json:"not,omitempty"` // none of these packages
}

// Empty reports whether the filter lets everything stop.
func (f PanicFilter) Empty() bool { return len(f.In)+len(f.Not) == 0 }

// Stops reports whether a panic may stop the target: thrower is the function that
// panicked, culprit the user's own that is to blame, if there is one.
func (f PanicFilter) Stops(thrower, culprit string) bool {
	in := func(patterns []string) bool {
		for _, p := range patterns {
			if matchPackage(p, PackageOf(thrower)) || culprit != "" && matchPackage(p, PackageOf(culprit)) {
				return true
			}
		}
		return false
	}
	return !in(f.Not) && (len(f.In) == 0 || in(f.In))
}

// Names reports whether a function's package is named by the filter's In.
func (f PanicFilter) Names(function string) bool {
	for _, p := range f.In {
		if matchPackage(p, PackageOf(function)) {
			return true
		}
	}
	return false
}

// PackageOf is the import path in a function's name; that of an external test
// package is the one of the package that it tests.
func PackageOf(function string) string {
	pkg, _ := CutFunction(function)
	return strings.TrimSuffix(pkg, "_test")
}

// matchPackage matches an import path as the go command does: "a/..." is a too.
func matchPackage(pattern, path string) bool {
	if rest, ok := strings.CutSuffix(pattern, "/..."); ok && path == rest {
		return true
	}
	parts := strings.Split(pattern, "...")
	if len(parts) == 1 {
		return pattern == path
	}
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	path = path[len(parts[0]):]
	for i, part := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(path, part)
		}
		at := strings.Index(path, part)
		if at < 0 {
			return false
		}
		path = path[at+len(part):]
	}
	return true
}

// Site is a place where panics, or a test's failures, can be muted: they do not
// stop the target there any more, as long as it lives on.
type Site struct {
	Fingerprint string `json:"fingerprint"`
	Class       Class  `json:"class"`
	Message     string `json:"message"` // of the stop at which it was muted
	Function    string `json:"function,omitempty"`
	File        string `json:"file,omitempty"` // relative to the root of the module
	Line        int    `json:"line,omitempty"` // where it was then
	Test        string `json:"test,omitempty"`
}
