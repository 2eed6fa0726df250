//go:build !unix

package cli

// Owned tells whether a file is the user's own, which is not known here.
func Owned(string) bool { return false }
