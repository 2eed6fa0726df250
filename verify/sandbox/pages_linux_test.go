package sandbox

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pageAttacks go through the pages of a file, which a program shares with all who use it.
var pageAttacks = map[string]func(args []string) error{
	"move others' waiters": func(a []string) error {
		return onPage(a[0], func(page []byte) error {
			return only(unix.EPERM, futex(page, 3 /* FUTEX_REQUEUE */, 0, 10, uintptr(unsafe.Pointer(&page[1024]))))
		})
	},
	"move others' waiters, by the newer call": func(a []string) error {
		return onPage(a[0], func(page []byte) error {
			const size32 = 2
			from, to := uintptr(unsafe.Pointer(&page[0])), uintptr(unsafe.Pointer(&page[1024]))
			waiters := [2][3]uintptr{{uintptr(page[0]), from, size32}, {0, to, size32}}
			_, _, errno := unix.Syscall6(unix.SYS_FUTEX_REQUEUE, uintptr(unsafe.Pointer(&waiters)), 0, 0, 10, 0, 0)
			return fromErrno(errno)
		})
	},
	"take others' wake-ups": func(a []string) error {
		return onPage(a[0], func(page []byte) error {
			timeout := uintptr(unsafe.Pointer(&unix.Timespec{Nsec: 1}))
			return only(unix.EAGAIN, futex(page, futexWait, uintptr(page[0]), timeout, 0))
		})
	},
	"take others' wake-ups, by the newer call": func([]string) error {
		return only(unix.ENOSYS, call(unix.SYS_FUTEX_WAITV, 0, 0, 0))
	},
	"be told who reads a file": func(a []string) error {
		return onPage(a[0], func(page []byte) error {
			var there byte
			_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&page[0])), 4096, uintptr(unsafe.Pointer(&there)))
			return fromErrno(errno)
		})
	},
	"be told who reads a file, by the newer call": func([]string) error { return only(unix.ENOSYS, call(unix.SYS_CACHESTAT, 0, 0, 0)) },
	"read only what is in memory": func(a []string) error {
		return opened(a[0], func(f *os.File) error {
			_, err := unix.Preadv2(int(f.Fd()), [][]byte{{0}}, 0, unix.RWF_NOWAIT)
			return only(unix.EOPNOTSUPP, err)
		})
	},
	// The kernel would refuse these: no file, and no page.
	"have others read a file again": func([]string) error { return held(unix.Fadvise(-1, 0, 0, unix.FADV_DONTNEED)) },
	"have others read pages again":  func([]string) error { return held(call(unix.SYS_MADVISE, 1, 1, unix.MADV_PAGEOUT)) },
}

// held is the outcome of a call that only seems to succeed.
func held(err error) error {
	if err == nil {
		return errors.New("nothing was done")
	}
	fmt.Println("it was done:", err)
	return nil
}

// onPage does something with a mapping of a file's first page that is only read.
func onPage(path string, do func(page []byte) error) error {
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	page, err := unix.Mmap(fd, 0, 4096, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Munmap(page) }()
	return do(page)
}

func futex(page []byte, operation, value, timeout, other uintptr) error {
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&page[0])), operation, value, timeout, other, 0)
	return fromErrno(errno)
}
