package catalog

import "golang.org/x/sys/unix"

// Memory is the memory of this machine in bytes; 0 when it is not known.
func Memory() uint64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return n
}
