//go:build !linux

package main

// adopt does nothing here: what descendants spend whose own parents end is not counted.
func adopt() error { return nil }
