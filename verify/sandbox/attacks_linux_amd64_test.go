package sandbox

import (
	"fmt"
	"runtime/debug"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// old32 asks for the process id by int 0x80, whose table has other numbers, and
// by the x32 one. Some machines have no int 0x80: there it is a fault.
func old32() (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("no such gate: %v", r)
		}
	}()
	if _, _, errno := syscall.RawSyscall(1<<30|unix.SYS_GETPID, 0, 0, 0); errno == 0 {
		return nil
	}
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	copy(page, "\xb8\x14\x00\x00\x00\xcd\x80\x48\x98\xc3") // mov $20, %eax; int $0x80; cltq; ret
	entry := &page[0]
	code := &entry // a function value is a pointer to where it begins
	if got := (*(*func() int)(unsafe.Pointer(&code)))(); got < 0 {
		return syscall.Errno(-got)
	}
	return nil
}
