//go:build unix

package serve

import "golang.org/x/sys/unix"

// limitMemory bounds the data of this process, in bytes. A process that wants
// more ends, and its client says that the debugger is gone.
func limitMemory(most uint64) error {
	return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: most, Max: most})
}
