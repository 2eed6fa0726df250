package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// neverHere and attributeCallsHere are those that only this architecture has.
var (
	neverHere          = []uint32{unix.SYS_KEXEC_FILE_LOAD, unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS_MODIFY_LDT, unix.SYS_MEMFD_SECRET}
	attributeCallsHere = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
	inotifyCalls       = []uint32{unix.SYS_INOTIFY_INIT, unix.SYS_INOTIFY_INIT1}
)
