//go:build unix

package terminal

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lookAgain is how often it is looked whether a shell has given the terminal back:
// it does so without a word to a process that runs.
const lookAgain = 50 * time.Millisecond

// Foreground reports whether this process may use the terminal now: a shell takes
// it from one that was stopped, also when that goes on in the background.
func Foreground(tty *os.File) bool {
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// Held is a terminal that a screen fills, and that is raw all the time. The screen is
// never stopped for using it from the background: it asks Ours before it draws, and draws
// everything again whenever Again sends.
type Held struct {
	Input *Input
	in    *os.File
	out   *os.File
	free  func() // ends the guard
	done  chan struct{}
	watch sync.WaitGroup
	mu    sync.Mutex
	again []chan struct{}
}

// Hold takes the terminal for a screen: the one that is read and drawn on. It waits
// until that is ours, as a program does that is started in the background, and
// fails as ctx does. Call Release in the end.
func Hold(ctx context.Context, in, out *os.File) (*Held, error) {
	for !Foreground(in) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGTTIN) // the shell shows it as stopped for want of its terminal
		time.Sleep(lookAgain)
	}
	// What is below a supervisor has the default for these: see supervise.
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
	signals := make(chan os.Signal, 1)
	free := Guard(out) // before the terminal is raw: it restores the modes that it finds
	h := &Held{Input: newInput(in), in: in, out: out, free: free, done: make(chan struct{})}
	signal.Notify(signals, syscall.SIGCONT)
	h.watch.Go(func() {
		defer signal.Stop(signals)
		h.follow(signals)
	})
	return h, nil
}

// Ours reports whether the screen may draw now.
func (h *Held) Ours() bool { return Foreground(h.in) }

// Release gives the terminal back, once the screen has left it.
func (h *Held) Release() {
	close(h.done)
	h.watch.Wait()
	if !h.Ours() { // what the screen wrote to leave it was not written
		_, _ = io.WriteString(h.out, restored)
	}
	h.Input.Restore()
	h.Input.release()
	h.free()
}

// follow tells of every return of the terminal until the end.
func (h *Held) follow(signals <-chan os.Signal) {
	for {
		select {
		case <-h.done:
			return
		case <-signals:
		}
		if !h.Ours() {
			_, _ = io.WriteString(h.out, quiet)
		}
		for !h.Ours() {
			select {
			case <-h.done:
				return
			case <-time.After(lookAgain):
			}
		}
		h.Input.take()
		h.tell()
	}
}

// Again returns a channel that receives, until ctx ends, whenever the process was stopped,
// goes on, and the terminal is ours. One screen may be shown on top of another, as the past
// is: each has its own.
func (h *Held) Again(ctx context.Context) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	again := make(chan struct{}, 1)
	h.again = append(h.again, again)
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.again = slices.DeleteFunc(h.again, func(c chan struct{}) bool { return c == again })
	})
	return again
}

func (h *Held) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, again := range h.again {
		select {
		case again <- struct{}{}:
		default: // it has not been heard yet
		}
	}
}

// What a shell is not to get from the terminal while the screen is in the
// background: the mouse, reports of focus, keys in another protocol. It shows the
// cursor, too. The alternate screen stays: the shell has drawn on it by now.
const quiet = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[<u\x1b[>4m\x1b[m\x1b[?25h"

// restored takes back whatever the screen has asked of the terminal: synchronized
// output, the mouse, reports of focus, marked pastes, keyboard protocols, widths,
// the cursor's shape, the style, the alternate screen and the hidden cursor.
const restored = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[>4m\x1b[?2027l\x1b[0 q\x1b[m\x1b[?1049l\x1b[?25h"
