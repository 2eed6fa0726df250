// Package terminal runs a program on a terminal that shows what a person would
// see, and answers what it is asked. Measurements and recordings type there. It
// must not know which program it is.
package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Terminal is a program on a terminal of its own.
type Terminal struct {
	cmd     *exec.Cmd
	pty     *os.File
	began   time.Time
	mu      sync.Mutex
	shown   *vt.Emulator
	changed chan struct{} // something was written
	watch   Watch
	copied  sync.WaitGroup
}

// Cells is what a screen shows, by columns and rows from 0. A cell outside is nil.
type Cells interface{ CellAt(x, y int) *uv.Cell }

// Watch is called for each change, with the time since the program began. It may
// read the screen until it returns.
type Watch func(at time.Duration, screen Cells)

// Open starts a program on a terminal of some size. The watch may be nil.
func Open(cmd *exec.Cmd, columns, rows int, watch Watch) (*Terminal, error) {
	t := &Terminal{cmd: cmd, shown: vt.NewEmulator(columns, rows), changed: make(chan struct{}, 1), began: time.Now(), watch: watch}
	var err error
	if t.pty, err = pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)}); err != nil {
		return nil, err
	}
	t.copied.Go(func() { _, _ = io.Copy(t.pty, t.shown) }) // the answers to what it asks
	t.copied.Go(t.show)
	return t, nil
}

// show has the screen show what the program writes, until it ends.
func (t *Terminal) show() {
	for buffer := make([]byte, 64<<10); ; {
		n, err := t.pty.Read(buffer)
		if err != nil {
			return
		}
		t.mu.Lock()
		_, _ = t.shown.Write(buffer[:n])
		if t.watch != nil {
			t.watch(time.Since(t.began), t.shown)
		}
		t.mu.Unlock()
		select {
		case t.changed <- struct{}{}:
		default: // it will be looked at
		}
	}
}

// Began is when the program was started.
func (t *Terminal) Began() time.Time { return t.began }

// PID is the id of the program's process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Screen is the text that is shown.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.String()
}

// Wait waits until the screen shows all the words, and returns for how long.
func (t *Terminal) Wait(ctx context.Context, words ...string) (time.Duration, error) {
	began, late := time.Now(), time.After(time.Minute)
	for {
		screen, all := t.Screen(), true
		for _, w := range words {
			all = all && strings.Contains(screen, w)
		}
		if all {
			return time.Since(began), nil
		}
		select {
		case <-t.changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-late:
			return 0, fmt.Errorf("the screen does not show %q within a minute:\n%s", words, screen)
		}
	}
}

// Settle waits until nothing was written for a while, at most as long as it is
// given.
func (t *Terminal) Settle(ctx context.Context, quiet, most time.Duration) error {
	late := time.After(most)
	for {
		select {
		case <-t.changed:
		case <-time.After(quiet):
			return nil
		case <-late:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Type writes keys, and waits for the words.
func (t *Terminal) Type(ctx context.Context, keys string, words ...string) (time.Duration, error) {
	if _, err := t.pty.WriteString(keys); err != nil {
		return 0, err
	}
	return t.Wait(ctx, words...)
}

// End kills the program and closes the terminal.
func (t *Terminal) End() {
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
	_ = t.pty.Close()
	_ = t.shown.Close()
	t.copied.Wait()
}
