//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// Input is a terminal as a screen reads it. A read never waits: one that did would
// take what is typed for another program, if a shell took the key that it was woken
// for. Who reads waits for the descriptor.
type Input struct {
	*os.File // what is asked for modes, and closed by its owner
	fd       int
	before   *term.State // its modes before it was ours; nil if it has none
	mu       sync.Mutex
	lent     bool // another program has it
}

// newInput opens the terminal again, because whether reads wait belongs to the
// opened file, which the shell has, too.
func newInput(tty *os.File) *Input {
	fd, err := unix.Open(fmt.Sprintf("/dev/fd/%d", tty.Fd()), unix.O_RDONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil { // another user's
		fd = -1
	}
	i := &Input{File: tty, fd: fd}
	i.before, _ = term.GetState(tty.Fd()) // no terminal has no modes
	i.take()
	return i
}

// take makes the terminal raw, unless it is lent. The screen's library does so, too; but
// whenever it starts its input again, it would give the terminal the modes of a shell for a
// while, in which enter is another key, and ctrl+c a signal.
func (i *Input) take() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.before != nil && !i.lent {
		_, _ = term.MakeRaw(i.Fd()) // it may be gone
	}
}

// Restore gives the terminal the modes back that it had before the screen.
func (i *Input) Restore() {
	if i.before != nil {
		_ = term.Restore(i.Fd(), i.before) // it may be gone
	}
}

// Lend is Restore for the time in which another program has the terminal: until the result
// is called.
func (i *Input) Lend() (back func()) {
	i.setLent(true)
	i.Restore()
	return func() {
		i.setLent(false)
		i.take()
	}
}

func (i *Input) setLent(lent bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.lent = lent
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
