package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// neverHere and attributeCallsHere are those that only this architecture has.
var (
	neverHere          = []uint32{unix.SYS_KEXEC_FILE_LOAD, unix.SYS_MEMFD_SECRET}
	attributeCallsHere []uint32
	inotifyCalls       = []uint32{unix.SYS_INOTIFY_INIT1}
)
