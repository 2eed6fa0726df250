package process

import (
	"encoding/binary"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watched is written to while the processor watches it.
var watched uint32

// ProcessorWatches reports whether the processor notices writes to memory: some
// virtual machines accept watchpoints that never fire. Where that cannot be asked,
// it is taken to.
func ProcessorWatches() bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const onWrite, fourBytes = 2, 4
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_BREAKPOINT, Bp_type: onWrite, Ext1: uint64(uintptr(unsafe.Pointer(&watched))), Ext2: fourBytes,
		Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return true
	}
	defer func() { _ = unix.Close(fd) }()
	for range 10 {
		watched++
	}
	var count [8]byte
	if _, err := unix.Read(fd, count[:]); err != nil {
		return true
	}
	return binary.NativeEndian.Uint64(count[:]) > 0
}
