//go:build !linux && !darwin

package catalog

// Memory is the memory of this machine in bytes; 0 where it is not known.
func Memory() uint64 { return 0 }
