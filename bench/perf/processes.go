package main

import (
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// spent runs a command, and waits for it and all that it leaves behind, which this process
// adopts. It returns the processor and wall time in seconds of it all. The command's own
// error is an exit code.
func spent(cmd *exec.Cmd) (processor, wall float64, err error) {
	before, began := children(), time.Now()
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		return 0, 0, err
	}
	wall = time.Since(began).Seconds()
	for {
		if _, err := syscall.Wait4(-1, nil, 0, nil); errors.Is(err, syscall.ECHILD) {
			return children() - before, wall, nil
		} else if err != nil && !errors.Is(err, syscall.EINTR) {
			return 0, 0, err
		}
	}
}

// children is the processor time in seconds of the children that have ended.
func children() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
