package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
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
	p := play(t, Options{Target: TargetOptions{Dir: dir, Typed: []session.Input{{Text: "Ada\r"}}}})
	s := p.until("the end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if !noticed(s, "what was typed before is typed again") {
		t.Errorf("the notices are %+v", s.Notices)
	}
	round := s.Round
	p.engine.Do(Restart{NoInput: true})
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
	p := play(t, Options{Target: TargetOptions{Dir: dir, Emulate: true, Typed: []session.Input{
		{After: 400 * time.Millisecond, Text: "a\r", Cols: 100, Rows: 30}, {After: 800 * time.Millisecond, Text: "b\r", Cols: 70, Rows: 20}}}})
	p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
	testsupport.Eventually(t, "it draws", func() bool {
		p.engine.Do(Resize{Cols: 90, Rows: 25})
		_, err := os.Stat(filepath.Join(dir, "sizes"))
		return err == nil
	})
	s := p.until("the end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if got, err := os.ReadFile(filepath.Join(dir, "sizes")); err != nil || string(got) != "30 100\n20 70\n" {
		t.Errorf("the sizes are %q, %v; typed: %+v", got, err, s.Typed)
	}
}
