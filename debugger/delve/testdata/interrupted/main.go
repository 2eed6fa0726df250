// Command interrupted runs a loop that is sent signals all the time.
package main

import (
	"runtime"
	"syscall"
)

var total int

func main() {
	runtime.LockOSThread()
	pid, tid := syscall.Getpid(), syscall.Gettid()
	go func() {
		for {
			_, _, _ = syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(tid), uintptr(syscall.SIGURG))
			for range 2000 {
			}
		}
	}()
	total = sum(total, 1)
	for {
		count()
		count()
	}
}

func count() {
	for i := range 100 {
		total += i
	}
	for i := range 100 {
		total -= i
	}
}

func sum(a, b int) int { return a + b }
