// Package stacks reads the stacks of goroutines: frames with their variables, what has
// no value in them yet, the calls that a line has still to make, and where a goroutine
// comes from.
package stacks
