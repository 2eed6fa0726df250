// Package pty opens the pseudo-terminals that targets and candidates run
// on. Only one end is given away; the other is held here to read and to type.
// It must not interpret what passes through a terminal.
package pty

import (
	"errors"
	"fmt"
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// The size that every target's terminal begins with. It is the same in every round
// and in every proof, so that what a program lays out by it stays the same too.
// Only programs that draw a screen get the size of what they are shown in.
const Rows, Cols = 40, 120

// Open opens a pseudo-terminal. Reads of master end with its deadline and with
// Close, even if the other end is still held.
func Open() (master, slave *os.File, err error) {
	if master, slave, err = pty.Open(); err != nil {
		return nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	if err = errors.Join(pty.Setsize(master, &pty.Winsize{Rows: Rows, Cols: Cols}), eraseCharacters(slave)); err == nil {
		master, err = pollable(master)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("open a terminal: %w", err), slave.Close())
	}
	return master, slave, nil
}

// eraseCharacters has the backspace key erase characters of UTF-8 and not their last bytes,
// as in the terminals that people use.
func eraseCharacters(slave *os.File) error {
	modes, err := unix.IoctlGetTermios(int(slave.Fd()), getModes)
	if err != nil {
		return err
	}
	modes.Iflag |= unix.IUTF8
	return unix.IoctlSetTermios(int(slave.Fd()), setModes, modes)
}

// Resize gives a terminal another size, in cells; what runs on it gets SIGWINCH.
func Resize(master *os.File, cols, rows int) error {
	raw, err := master.SyscallConn()
	if err != nil {
		return fmt.Errorf("resize a terminal: %w", err)
	}
	size, failed := unix.Winsize{Row: uint16(rows), Col: uint16(cols)}, error(nil)
	err = raw.Control(func(fd uintptr) { failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &size) })
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("resize a terminal: %w", err)
	}
	return nil
}

// pollable returns the file again: pty's ioctls have made it a blocking one,
// whose reads neither a deadline nor Close would end.
func pollable(f *os.File) (*os.File, error) {
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
