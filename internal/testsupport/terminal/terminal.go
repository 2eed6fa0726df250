// Package terminal runs a program on a terminal that shows what a person would
// see, and answers what it is asked. Tests, measurements and recordings type there.
// It must not know which program it is.
package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/pausetui/pausetui/internal/pty"
)

// Terminal is a program on a terminal of its own.
type Terminal struct {
	cmd     *exec.Cmd
	pty     *os.File
	began   time.Time
	mu      sync.Mutex
	shown   *vt.Emulator  // nil for none
	written []byte        // all that the program wrote
	changed chan struct{} // something was written
	watch   Watch
	modes   map[int]bool // those that the program has set or reset, by DEC's numbers
	copied  sync.WaitGroup
	ended   chan struct{}
	err     error // of the program, once it has ended

	resizing sync.Mutex
}

// Cells is what a screen shows, by columns and rows from 0. A cell outside is nil.
type Cells interface{ CellAt(x, y int) *uv.Cell }

// Watch is called for each change, with the time since the program began. It may
// read the screen until it returns.
type Watch func(at time.Duration, screen Cells)

// Open starts a program on a terminal of some size. The watch may be nil.
func Open(cmd *exec.Cmd, columns, rows int, watch Watch) (*Terminal, error) {
	return start(&Terminal{cmd: cmd, shown: vt.NewEmulator(columns, rows), watch: watch}, columns, rows)
}

// Blind starts a program on a terminal that shows and answers nothing, so that a
// measurement does not pay for it.
func Blind(cmd *exec.Cmd, columns, rows int) (*Terminal, error) {
	return start(&Terminal{cmd: cmd}, columns, rows)
}

func start(t *Terminal, columns, rows int) (*Terminal, error) {
	t.noteModes()
	t.changed, t.ended, t.began = make(chan struct{}, 1), make(chan struct{}), time.Now()
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	t.pty = master
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := errors.Join(pty.Resize(master, columns, rows), t.cmd.Start()); err != nil {
		return nil, errors.Join(err, master.Close())
	}
	if t.shown != nil {
		t.copied.Go(t.answer)
	}
	t.copied.Go(t.show)
	go func() {
		defer close(t.ended)
		t.err = t.cmd.Wait()
	}()
	return t, nil
}

// answer gives the program the answers to what it asks.
func (t *Terminal) answer() {
	_, _ = io.Copy(t.pty, t.shown)
	_, _ = io.Copy(io.Discard, t.shown) // so that the screen is not held up
}

// show has the screen show what the program writes, until the terminal is closed.
func (t *Terminal) show() {
	if t.shown != nil {
		if answers, ok := t.shown.InputPipe().(io.Closer); ok {
			defer answers.Close() // closing the emulator itself races with reading its answers
		}
	}
	for buffer := make([]byte, 64<<10); ; {
		n, err := t.pty.Read(buffer)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.written = append(t.written, buffer[:n]...)
		if t.shown != nil {
			t.draw(buffer[:n])
		}
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

// draw writes to the emulator, one escape sequence at a time: it panics at some that were
// written for a larger screen.
func (t *Terminal) draw(written []byte) {
	take := func(piece []byte) {
		defer func() { _ = recover() }()
		_, _ = t.shown.Write(piece)
	}
	for len(written) > 0 {
		end := 1 + bytes.IndexByte(written[1:], '\x1b')
		if end == 0 {
			end = len(written)
		}
		take(written[:end])
		written = written[end:]
	}
}

// Began is when the program was started.
func (t *Terminal) Began() time.Time { return t.began }

// PID is the id of the program's process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// Signal sends the program a signal.
func (t *Terminal) Signal(s os.Signal) error { return t.cmd.Process.Signal(s) }

// Memory is the largest resident memory of the program so far, in MB. It fails where the
// system does not tell it, as where it is not Linux.
func (t *Terminal) Memory() (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.PID()))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		var kb int
		if n, _ := fmt.Sscanf(string(line), "VmHWM: %d kB", &kb); n == 1 {
			return kb >> 10, nil
		}
	}
	return 0, errors.New("the system does not tell the memory of a process")
}

// FD is the descriptor of the terminal, to ask for its modes.
func (t *Terminal) FD() int {
	fd := -1
	if c, err := t.pty.SyscallConn(); err == nil { // File.Fd would keep Hangup from ending the reading
		_ = c.Control(func(n uintptr) { fd = int(n) })
	}
	return fd
}

// noteModes has the emulator tell which modes are changed.
func (t *Terminal) noteModes() {
	t.modes = map[int]bool{}
	if t.shown == nil {
		return
	}
	note := func(on bool) func(ansi.Mode) {
		return func(m ansi.Mode) {
			if dec, ok := m.(ansi.DECMode); ok {
				t.modes[dec.Mode()] = on
			}
		}
	}
	t.shown.SetCallbacks(vt.Callbacks{EnableMode: note(true), DisableMode: note(false)})
}

// Changes lists the modes of DEC's terminals that the program has changed and not
// changed back, as "1049" for the alternate screen or "not 25" for a hidden cursor.
func (t *Terminal) Changes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, mode := range slices.Sorted(maps.Keys(t.modes)) {
		first := mode == 7 || mode == 25 // lines wrap, the cursor is shown
		switch on := t.modes[mode]; {
		case on && !first:
			list = append(list, strconv.Itoa(mode))
		case !on && first:
			list = append(list, "not "+strconv.Itoa(mode))
		}
	}
	return list
}

// Hangup closes the terminal under the program.
func (t *Terminal) Hangup() { _ = t.pty.Close() }

// Ended is closed when the program has ended.
func (t *Terminal) Ended() <-chan struct{} { return t.ended }

// Err waits until the program has ended, and returns its error.
func (t *Terminal) Err() error {
	<-t.ended
	return t.err
}

// Screen is the text that is shown.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.String()
}

// Written is all that the program has written since the first bytes that are
// left out.
func (t *Terminal) Written(without int) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.written[without:]...)
}

// Size is how many bytes the program has written.
func (t *Terminal) Size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.written)
}

// Changed delivers when the program has written.
func (t *Terminal) Changed() <-chan struct{} { return t.changed }

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

// Press writes keys.
func (t *Terminal) Press(keys string) error {
	_, err := t.pty.WriteString(keys)
	return err
}

// Type writes keys, and waits for the words.
func (t *Terminal) Type(ctx context.Context, keys string, words ...string) (time.Duration, error) {
	if err := t.Press(keys); err != nil {
		return 0, err
	}
	return t.Wait(ctx, words...)
}

// Resize gives the terminal another size.
func (t *Terminal) Resize(columns, rows int) error {
	t.resizing.Lock() // who resizes at the same time must not come between
	defer t.resizing.Unlock()
	t.mu.Lock()
	t.shown.Resize(columns, rows)
	t.mu.Unlock()
	return pty.Resize(t.pty, columns, rows)
}

// Close kills the program and closes the terminal. What others that have it open
// write is still shown.
func (t *Terminal) Close() {
	_ = t.cmd.Process.Kill()
	<-t.ended
	_ = t.pty.Close()
}

// End is Close, and waits until nobody has the terminal open.
func (t *Terminal) End() {
	t.Close()
	t.copied.Wait()
}
