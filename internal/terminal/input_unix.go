//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Input is a terminal as a screen reads it. A read never waits: one that did would
// take what is typed for another program, if a shell took the key that it was woken
// for. Who reads waits for the descriptor.
type Input struct {
	*os.File // what is asked for modes, and closed by its owner
	fd       int
}

// newInput opens the terminal again, because whether reads wait belongs to the
// opened file, which the shell has, too.
func newInput(tty *os.File) *Input {
	fd, err := unix.Open(fmt.Sprintf("/dev/fd/%d", tty.Fd()), unix.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil { // another user's
		fd = -1
	}
	return &Input{File: tty, fd: fd}
}

// Read returns what was typed for us, or nothing.
func (i *Input) Read(b []byte) (int, error) {
	if !Foreground(i.File) {
		time.Sleep(lookAgain) // what the shell reads wakes us, too
		return 0, nil
	}
	fd := i.fd
	if fd < 0 {
		fd = int(i.Fd())
		if n, _ := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0); n == 0 {
			return 0, nil
		}
	}
	n, err := unix.Read(fd, b)
	switch {
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
		return 0, nil
	case errors.Is(err, unix.EIO) && !Foreground(i.File):
		return 0, nil
	case err != nil:
		return 0, &os.PathError{Op: "read", Path: i.Name(), Err: err}
	case n == 0:
		return 0, io.EOF // hung up
	}
	return n, nil
}

// Close does nothing: the terminal is not the screen's to close.
func (i *Input) Close() error { return nil }

// Terminal is what a program gets that is to have the terminal to itself.
func (i *Input) Terminal() *os.File { return i.File }

func (i *Input) release() {
	if i.fd >= 0 {
		_ = unix.Close(i.fd)
	}
}
