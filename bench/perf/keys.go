package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/creack/pty"
)

// How keys are measured: each changes the whole screen, so that more than
// answered bytes of a frame are its answer.
const (
	keysFor  = 3 * time.Second // from the painted stop on, while candidates are proved
	between  = 50 * time.Millisecond
	answered = 300
	givenUp  = time.Second
	wanted   = 16 * time.Millisecond
)

// keys presses a key again and again from the painted stop on, and has a cat on
// another terminal echo at the same time: what that takes is the machine's own.
func (b bench) keys(n int) (ours, echo latencies, err error) {
	for range n {
		o, e, err := b.keysOnce()
		if err != nil {
			return nil, nil, err
		}
		ours, echo = append(ours, o...), append(echo, e...)
	}
	return ours, echo, nil
}

func (b bench) keysOnce() (ours, echo latencies, err error) {
	cmd, file := b.timed("debug", ".")
	screen, err := openScreen(cmd)
	if err != nil {
		return nil, nil, err
	}
	defer screen.close()
	cat, err := openScreen(exec.Command("sh", "-c", "stty raw -echo; exec cat"))
	if err != nil {
		return nil, nil, err
	}
	defer cat.close()
	if _, err := await(file, "stop_painted"); err != nil {
		return nil, nil, err
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	until := time.Now().Add(keysFor)
	wait.Go(func() { echo = cat.press("x", 1, until) })
	ours = screen.press("z", answered, until)
	wait.Wait()
	typeKeys(screen.terminal, []string{"q", "y"})
	return ours, echo, cmd.Wait()
}

// screen is a program on a terminal, and what it writes.
type screen struct {
	cmd      *exec.Cmd
	terminal *os.File
	written  chan int // bytes
}

func openScreen(cmd *exec.Cmd) (*screen, error) {
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 36, Cols: 120})
	if err != nil {
		return nil, err
	}
	s := &screen{cmd: cmd, terminal: terminal, written: make(chan int, 4096)}
	go func() {
		defer close(s.written)
		for buffer := make([]byte, 64<<10); ; {
			n, err := terminal.Read(buffer)
			if err != nil {
				return
			}
			s.written <- n
		}
	}()
	return s, nil
}

func (s *screen) close() {
	_ = s.cmd.Process.Kill()
	_ = s.terminal.Close()
	for range s.written {
	}
}

// press types a key again and again, and measures until that many bytes have
// come.
func (s *screen) press(key string, bytes int, until time.Time) latencies {
	var all latencies
	for time.Now().Before(until) {
		time.Sleep(between)
		for len(s.written) > 0 {
			<-s.written
		}
		began := time.Now()
		if _, err := s.terminal.WriteString(key); err != nil {
			return all
		}
		if !s.answer(bytes) {
			return all
		}
		all = append(all, time.Since(began))
	}
	return all
}

// answer waits for that many bytes, and reports whether the program still writes.
// Two keys in one frame may cancel each other out: their answer is given up
// after a while, and counts as late.
func (s *screen) answer(bytes int) bool {
	late := time.After(givenUp)
	for got := 0; got < bytes; {
		select {
		case n, more := <-s.written:
			if !more {
				return false
			}
			got += n
		case <-late:
			return true
		}
	}
	return true
}

// latencies are times from keys to their answers.
type latencies []time.Duration

// String tells how they are distributed.
func (l latencies) String() string {
	if len(l) == 0 {
		return "none"
	}
	slices.Sort(l)
	inTime, _ := slices.BinarySearch(l, wanted+1)
	ms := func(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
	return fmt.Sprintf("median %v, 90 %% within %v, %d of %d over %v", ms(l[len(l)/2]), ms(l[len(l)*9/10]), len(l)-inTime, len(l), wanted)
}
