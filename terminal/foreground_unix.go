//go:build unix

package terminal

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Foreground tells whether this process may use the terminal now: a shell takes
// it from one that was stopped, also when that goes on in the background.
func Foreground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// Patient is a terminal that is read in the background, too: a read waits until
// the terminal is ours again, and nothing that touches it stops the process.
type Patient struct{ *os.File }

// NewPatient keeps the signals of job control from stopping this process.
func NewPatient(tty *os.File) Patient {
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
	return Patient{tty}
}

// Read reads what was typed for us.
func (p Patient) Read(b []byte) (int, error) {
	for {
		n, err := p.File.Read(b)
		if !errors.Is(err, syscall.EIO) || Foreground(p.File) {
			return n, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Continued sends whenever this process was stopped, goes on, and has the
// terminal's foreground again. Call stop in the end.
func Continued(tty *os.File) (again <-chan struct{}, stop func()) {
	signals, done, out := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{}, 1)
	signal.Notify(signals, syscall.SIGCONT)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
			}
			for !Foreground(tty) { // a shell gives it back without a word
				select {
				case <-done:
					return
				case <-time.After(100 * time.Millisecond):
				}
			}
			select {
			case out <- struct{}{}:
			default:
			}
		}
	}()
	return out, func() { signal.Stop(signals); close(done) }
}
