package memory

import (
	"errors"

	"golang.org/x/sys/unix"
)

const (
	maxVectors = 1024    // pieces in one call (IOV_MAX)
	maxAtOnce  = 4 << 20 // bytes in one call, unless one piece is larger
)

// readProcess reads pieces of a process's memory. What cannot be read stays nil;
// an error means that the process cannot be read at all.
func readProcess(pid int, want []Span, out [][]byte) error {
	for next := 0; next < len(want); {
		n, err := readVector(pid, want[next:], out[next:])
		if err != nil {
			return err
		}
		next += n
	}
	return nil
}

// readVector reads the first pieces in one call and returns how many of them are
// done with, readable or not: the kernel stops at the first that is not.
func readVector(pid int, want []Span, out [][]byte) (int, error) {
	var from []unix.RemoteIovec
	count, total := 0, 0
	for ; count < len(want) && count < maxVectors && (count == 0 || total+want[count].asked() <= maxAtOnce); count++ {
		from = append(from, unix.RemoteIovec{Base: uintptr(want[count].Addr), Len: want[count].asked()})
		total += want[count].asked()
	}
	if total == 0 {
		return count, nil
	}
	buffer := make([]byte, total)
	into := []unix.Iovec{{Base: &buffer[0]}}
	into[0].SetLen(total)
	got, err := unix.ProcessVMReadv(pid, into, from, 0)
	if err != nil && !errors.Is(err, unix.EFAULT) {
		return 0, err
	}
	at := 0
	for i := range count {
		end := at + want[i].asked()
		if end > max(got, 0) {
			return i + 1, nil
		}
		if end > at {
			out[i] = buffer[at:end:end]
		}
		at = end
	}
	return count, nil
}
