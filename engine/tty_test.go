package engine

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/sandbox"
)

func TestPausesOfTypedInputAreCutDown(t *testing.T) {
	typed := []session.Input{{After: time.Minute, Text: "a"}, {After: time.Minute + 100*time.Millisecond, Text: "b"}, {After: time.Hour, Text: "\x04"}}
	quick, saved := hurried(typed)
	want := []session.Input{{After: maxPause, Text: "a"}, {After: maxPause + 100*time.Millisecond, Text: "b"}, {After: 2*maxPause + 100*time.Millisecond, Text: "\x04"}}
	if !slices.Equal(quick, want) || saved != time.Hour-want[2].After {
		t.Errorf("%v, saved %v", quick, saved)
	}
}

func noticed(s session.State, words string) bool {
	return slices.ContainsFunc(s.Notices, func(n session.NoticeRecord) bool { return n.Text == words })
}

// What is typed again after a restart is announced.
func TestInputThatIsTypedAgainIsAnnounced(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.org/greeting

go 1.26
-- main.go --
package main

import "fmt"

func main() {
	var name string
	fmt.Scanln(&name)
	fmt.Println("hello", name)
}
`)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Typed: []session.Input{{Text: "Ada\r"}}}})
	s := p.until("the end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if !noticed(s, "what was typed before is typed again") {
		t.Errorf("the notices are %+v", s.Notices)
	}
	round := s.Round
	p.engine.Do(intent.Restart{NoInput: true})
	s = p.until("the next round", func(s session.State) bool { return s.Round > round && s.Phase == session.PhaseRunning })
	if len(s.Typed) > 0 {
		t.Errorf("%+v is typed again", s.Typed)
	}
}

// A mouse click is for one place: what was typed at a size of the terminal is typed again
// at that size, wherever the program is shown now.
func TestInputIsTypedAgainAtItsSize(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.org/drawing

go 1.26
-- main.go --
package main

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

func main() {
	fmt.Print("\x1b[?1049h\x1b[2J\x1b[Hready")
	for range 2 {
		var line string
		fmt.Scanln(&line)
		var size [4]uint16
		syscall.Syscall(syscall.SYS_IOCTL, 0, syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
		f, _ := os.OpenFile("sizes", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		fmt.Fprintln(f, size[0], size[1])
		f.Close()
	}
}
`)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Emulate: true, Typed: []session.Input{{Text: "a\r", Cols: 100, Rows: 30}}}})
	testsupport.Eventually(t, "it takes its input", func() bool {
		_, err := os.Stat(filepath.Join(dir, "sizes"))
		return err == nil
	})
	p.until("all is typed", func(s session.State) bool { return len(s.Typed) > 0 })
	p.engine.Do(intent.Resize{Cols: 90, Rows: 25})
	p.engine.Do(intent.Type{Text: "b\r"})
	s := p.until("the end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if got, err := os.ReadFile(filepath.Join(dir, "sizes")); err != nil || string(got) != "30 100\n25 90\n" {
		t.Errorf("the sizes are %q, %v; typed: %+v", got, err, s.Typed)
	}
}

// A program that prints lines keeps the size with which it has begun: that of its pane.
func TestAProgramBeginsWithTheSizeOfItsPane(t *testing.T) {
	rn := &runner{Loop: looptest.New(t, options.Session{})}
	terminal, err := openTTY(t.Context(), io.Discard, sandbox.Size{Cols: 120, Rows: 40})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.master.Close()
	defer terminal.slave.Close()
	r := &round{console: terminal, buffer: output.New(0, nil)}
	at := func() [2]uint16 {
		size, err := unix.IoctlGetWinsize(int(terminal.slave.Fd()), unix.TIOCGWINSZ)
		if err != nil {
			t.Fatal(err)
		}
		return [2]uint16{size.Col, size.Row}
	}
	rn.launching = r
	rn.resize(intent.Resize{Cols: 76, Rows: 19})
	if got := at(); got != [2]uint16{76, 19} || rn.room != r.opened {
		t.Errorf("launched at %v", got)
	}
	rn.launching, rn.round = nil, r
	rn.resize(intent.Resize{Cols: 100, Rows: 30})
	if got := at(); got != [2]uint16{76, 19} || rn.room != (sandbox.Size{Cols: 100, Rows: 30}) {
		t.Errorf("running at %v, the next one at %v", got, rn.room)
	}
}

// However late the engine comes to it, the terminal has its size before anything is typed.
// Only a change of the size takes a pause, for the program to draw.
func TestTheSizeComesBeforeTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const busy = 2 * maxPause
		rn := &runner{Loop: looptest.New(t, options.Session{})}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		master, slave, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer master.Close()
		defer slave.Close()
		keys := []session.Input{{Cols: pty.Cols, Rows: pty.Rows}, {Cols: 100, Rows: 30}, {Cols: 100, Rows: 30}, {Cols: 70, Rows: 20}}
		r := &round{ctx: ctx, console: &tty{master: master, typed: make(chan string, len(keys))}, buffer: output.New(0, nil), pending: keys, sizes: sizes{opened: sandbox.Size{Cols: pty.Cols, Rows: pty.Rows}}}
		r.buffer.Emulate(pty.Cols, pty.Rows, func(string) {})
		defer r.buffer.End()
		_, _ = r.buffer.Write([]byte("\x1b[?1049h"))
		rn.Job(func() {
			for range keys {
				for _, fn := range rn.Take() {
					time.Sleep(busy)
					fn()
				}
			}
		})
		began := time.Now()
		wants := []time.Duration{busy, 2*busy + maxPause, 3*busy + maxPause, 4*busy + 2*maxPause}
		r.console.replay(ctx, keys, func() time.Duration { return rn.fitted(r) }, func(k session.Input) {
			size, err := unix.IoctlGetWinsize(int(slave.Fd()), unix.TIOCGWINSZ)
			if err != nil || int(size.Col) != k.Cols || int(size.Row) != k.Rows || time.Since(began) != wants[0] {
				t.Errorf("typed at %+v, %v, after %v; it should be %+v, after %v", size, err, time.Since(began), k, wants[0])
			}
			r.pending, wants = r.pending[1:], wants[1:]
		})
		if len(wants) > 0 {
			t.Errorf("%d are not typed", len(wants))
		}
	})
}
