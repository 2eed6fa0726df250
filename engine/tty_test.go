package engine

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/loop/looptest"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/sandbox"
)

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
	rn := &target.Runner{Loop: looptest.New(t, options.Session{})}
	terminal, err := target.OpenTerminal(t.Context(), io.Discard, sandbox.Size{Cols: 120, Rows: 40})
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Master.Close()
	defer terminal.Slave.Close()
	r := &target.Round{Console: terminal, Buffer: output.New(0, nil)}
	at := func() [2]uint16 {
		size, err := unix.IoctlGetWinsize(int(terminal.Slave.Fd()), unix.TIOCGWINSZ)
		if err != nil {
			t.Fatal(err)
		}
		return [2]uint16{size.Col, size.Row}
	}
	rn.Launching = r
	rn.Resize(intent.Resize{Cols: 76, Rows: 19})
	if got := at(); got != [2]uint16{76, 19} || rn.Room != r.Opened {
		t.Errorf("launched at %v", got)
	}
	rn.Launching, rn.Round = nil, r
	rn.Resize(intent.Resize{Cols: 100, Rows: 30})
	if got := at(); got != [2]uint16{76, 19} || rn.Room != (sandbox.Size{Cols: 100, Rows: 30}) {
		t.Errorf("running at %v, the next one at %v", got, rn.Room)
	}
}
