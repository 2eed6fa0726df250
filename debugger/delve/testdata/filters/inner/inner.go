// Package inner panics.
package inner

// Fail panics.
func Fail() { panic("inner") }
