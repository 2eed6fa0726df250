//go:build !linux

package repro

// Listens reports whether this system can say which ports a program listens on.
const Listens = false

func connects(int, int) bool { return false }

// Ports returns nothing: only Linux tells.
func Ports(int) []int { return nil }
