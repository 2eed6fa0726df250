package catalog

import "golang.org/x/sys/unix"

// Memory is the memory of this machine in bytes; 0 when it is not known.
func Memory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit) //nolint:unconvert // it is narrower on some architectures
}
