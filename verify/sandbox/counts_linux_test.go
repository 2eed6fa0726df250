package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What is counted for the user or the machine, and what is reached by a number.

// systemV makes memory, a queue with a message in it, and semaphores, and checks in
// the end that nobody has touched them.
func systemV(t *testing.T) (ids []string) {
	t.Helper()
	const mode = 0o666 | unix.IPC_CREAT
	for _, of := range []struct {
		get, control uintptr
		size         uintptr
		at           uintptr // of the argument that says what to do
	}{{unix.SYS_SHMGET, unix.SYS_SHMCTL, 4096, 1}, {unix.SYS_MSGGET, unix.SYS_MSGCTL, mode, 1}, {unix.SYS_SEMGET, unix.SYS_SEMCTL, 1, 2}} {
		n, _, errno := unix.Syscall(of.get, unix.IPC_PRIVATE, of.size, mode)
		if errno != 0 {
			t.Skipf("no System V objects here: %v", errno)
		}
		ids = append(ids, fmt.Sprint(n))
		t.Cleanup(func() {
			args := [3]uintptr{n}
			args[of.at] = unix.IPC_RMID
			if err := call(of.control, args[0], args[1], args[2]); err != nil {
				t.Error("was removed:", err)
			}
		})
	}
	if err := message(unix.SYS_MSGSND, ids[1]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := message(unix.SYS_MSGRCV, ids[1]); err != nil {
			t.Error("the message was taken:", err)
		}
	})
	return ids
}

func id(text string) uintptr {
	n, _ := strconv.Atoi(text)
	return uintptr(n)
}

// message sends a message to a queue, or takes one.
func message(number uintptr, queue string) error {
	m := struct {
		kind int
		text [8]byte
	}{kind: 1}
	_, _, errno := unix.Syscall6(number, id(queue), uintptr(unsafe.Pointer(&m)), uintptr(len(m.text)), 0, unix.IPC_NOWAIT, 0)
	if number == unix.SYS_MSGSND {
		_, _, errno = unix.Syscall6(number, id(queue), uintptr(unsafe.Pointer(&m)), uintptr(len(m.text)), unix.IPC_NOWAIT, 0, 0)
	}
	return fromErrno(errno)
}

// upTo makes more than n of something, and takes them back; an error if it cannot.
func upTo(n int, one func() (undo func(), err error)) error {
	for range n + 1 {
		undo, err := one()
		if err != nil {
			return err
		}
		defer undo()
	}
	return nil
}

func manyFiles(n int, path string) error {
	return upTo(n, func() (func(), error) {
		f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
		return func() { _ = f.Close() }, err
	})
}

func useUpWatchers([]string) error {
	return upTo(watchers, func() (func(), error) {
		fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
		return func() { _ = unix.Close(fd) }, err
	})
}

func useUpWatches([]string) error {
	watcher, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(watcher) }()
	dir, err := os.MkdirTemp("", "watched-")
	if err != nil {
		fmt.Println("GOT THROUGH: nothing to watch", err)
	}
	defer os.RemoveAll(dir)
	n := 0
	return upTo(watches, func() (func(), error) {
		n++
		path := filepath.Join(dir, strconv.Itoa(n))
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			fmt.Println("GOT THROUGH: nothing to watch", err)
		}
		_, err := unix.InotifyAddWatch(watcher, path, unix.IN_OPEN)
		return func() {}, err
	})
}

func useUpTimers([]string) error {
	return upTo(pendingSignals, func() (func(), error) {
		var timer int32
		err := call(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&timer)))
		return func() { _ = call(unix.SYS_TIMER_DELETE, uintptr(timer), 0, 0) }, err
	})
}
