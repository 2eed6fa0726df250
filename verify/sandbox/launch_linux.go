package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/reexec"
)

// launcher is a process that waits for an order and then becomes a command of
// the sandbox. In the full tier it has a user namespace of its own below the
// init's, so that nothing in it has any power over the init or its mounts.
//
// All launchers are started before anything foreign runs: afterwards the init
// has no rights left, and nothing has to be kept open for it to start more.
type launcher struct {
	pid    int
	orders *os.File
	fate   *os.File // one zero byte when the command is about to begin, then why it did not
}

// newLauncher starts one. The files become those of the command; tty is which
// of them is its controlling terminal, -1 without one. Until then the launcher
// has no standard error: what its own runtime prints is not the command's output.
func newLauncher(tier Tier, privileged bool, tty int, files ...uintptr) (*launcher, error) {
	orderRead, orderWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the launcher's pipes: %w", err)
	}
	defer orderRead.Close()
	fateRead, fateWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the launcher's pipes: %w", err)
	}
	defer fateWrite.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("start the launcher: %w", err)
	}
	defer null.Close()
	own := append([]uintptr{files[0], files[1], null.Fd()}, files[3:]...)
	attr := &syscall.ProcAttr{
		Env:   reexec.Env("GOMAXPROCS=1"), // it does one thing
		Files: append(own, orderRead.Fd(), fateWrite.Fd(), files[2]),
		Sys:   &syscall.SysProcAttr{Setsid: true},
	}
	if tty >= 0 {
		attr.Sys.Setctty, attr.Sys.Ctty = true, tty
	}
	if tier == Full {
		inUserNamespace(attr.Sys, privileged)
		attr.Sys.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP}
	}
	path, err := reexec.Self()
	if err != nil {
		return nil, fmt.Errorf("start the launcher: %w", err)
	}
	pid, err := syscall.ForkExec(path, reexec.Argv(launcherName, strconv.Itoa(len(files))), attr)
	if err != nil {
		return nil, fmt.Errorf("start the launcher: %w", err)
	}
	return &launcher{pid: pid, orders: orderWrite, fate: fateRead}, nil
}

// launch gives the launcher its order, and returns once the command runs.
func (l *launcher) launch(o order) error {
	defer l.fate.Close()
	err := json.NewEncoder(l.orders).Encode(o)
	_ = l.orders.Close()
	if err != nil {
		return fmt.Errorf("instruct the launcher: %w", err)
	}
	fate, err := io.ReadAll(io.LimitReader(l.fate, 4096))
	switch {
	case err != nil:
		return fmt.Errorf("hear from the launcher: %w", err)
	case len(fate) == 0:
		return errors.New("the launcher ended early")
	case fate[0] != 0:
		return errors.New(string(fate))
	case len(fate) > 1:
		return errors.New(string(fate[1:]))
	}
	return nil
}

// launchers are those of the program and of the repro command.
type launchers struct {
	program, repro *launcher // repro: nil without one
}

func newLaunchers(o order) (l launchers, err error) {
	files := []uintptr{0, 1, 2}
	for i := range o.Extra {
		files = append(files, uintptr(firstExtra+i))
	}
	tty := -1
	if o.Terminal {
		tty = o.TTY
	}
	if l.program, err = newLauncher(o.Tier, o.Privileged, tty, files...); err != nil || o.Repro == "" {
		return l, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return l, fmt.Errorf("prepare the repro command: %w", err)
	}
	defer null.Close()
	out := uintptr(firstExtra + o.Extra)
	l.repro, err = newLauncher(o.Tier, o.Privileged, -1, null.Fd(), out, out)
	return l, err
}
