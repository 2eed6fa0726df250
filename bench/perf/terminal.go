package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// terminal is a program on a terminal that shows what a person would see, and
// answers what it is asked.
type terminal struct {
	cmd     *exec.Cmd
	pty     *os.File
	began   time.Time
	mu      sync.Mutex
	shown   *vt.Emulator
	changed chan struct{} // something was written
}

func openTerminal(cmd *exec.Cmd) (*terminal, error) {
	const columns, rows = 120, 36
	t := &terminal{cmd: cmd, shown: vt.NewEmulator(columns, rows), changed: make(chan struct{}, 1), began: time.Now()}
	var err error
	if t.pty, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		return nil, err
	}
	go func() { _, _ = io.Copy(t.pty, t.shown) }()
	go func() {
		for buffer := make([]byte, 64<<10); ; {
			n, err := t.pty.Read(buffer)
			if err != nil {
				return
			}
			t.mu.Lock()
			_, _ = t.shown.Write(buffer[:n])
			t.mu.Unlock()
			select {
			case t.changed <- struct{}{}:
			default: // it will be looked at
			}
		}
	}()
	return t, nil
}

func (t *terminal) screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.String()
}

// wait waits until the screen shows all the words, and returns for how long.
func (t *terminal) wait(words ...string) (time.Duration, error) {
	began, late := time.Now(), time.After(time.Minute)
	for {
		screen, all := t.screen(), true
		for _, w := range words {
			all = all && strings.Contains(screen, w)
		}
		if all {
			return time.Since(began), nil
		}
		select {
		case <-t.changed:
		case <-late:
			return 0, fmt.Errorf("the screen does not show %q within a minute:\n%s", words, screen)
		}
	}
}

// types writes keys, and waits for the words.
func (t *terminal) types(keys string, words ...string) (time.Duration, error) {
	if _, err := t.pty.WriteString(keys); err != nil {
		return 0, err
	}
	return t.wait(words...)
}

// memory is the largest resident memory of the program so far, in MB.
func (t *terminal) memory() (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		var kb int
		if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kb); n == 1 {
			return kb >> 10, nil
		}
	}
	return 0, fmt.Errorf("the system does not tell the memory of a process")
}

// end kills the program and closes the terminal.
func (t *terminal) end() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.pty.Close()
	_ = t.shown.Close()
}
