package main

import (
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
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
	screen, err := terminal.Blind(cmd, columns, rows)
	if err != nil {
		return nil, nil, err
	}
	defer screen.End()
	cat, err := terminal.Blind(exec.Command("sh", "-c", "stty raw -echo; exec cat"), columns, rows)
	if err != nil {
		return nil, nil, err
	}
	defer cat.End()
	if _, err := await(file, "stop_painted"); err != nil {
		return nil, nil, err
	}
	var wait sync.WaitGroup
	defer wait.Wait()
	until := time.Now().Add(keysFor)
	wait.Go(func() { echo = press(cat, "x", 1, until) })
	ours = press(screen, "z", answered, until)
	wait.Wait()
	typeKeys(screen, []string{"q", "y"})
	return ours, echo, screen.Err()
}

// press types a key again and again, and measures until that many bytes have
// come.
func press(t *terminal.Terminal, key string, bytes int, until time.Time) latencies {
	var all latencies
	for time.Now().Before(until) {
		time.Sleep(between)
		began, before := time.Now(), t.Size()
		if err := t.Press(key); err != nil {
			return all
		}
		if !grows(t, before+bytes) {
			return all
		}
		all = append(all, time.Since(began))
	}
	return all
}

// grows waits until the program has written so many bytes, and reports whether it
// still runs. Two keys in one frame may cancel each other out: their answer is given
// up after a while, and counts as late.
func grows(t *terminal.Terminal, size int) bool {
	late := time.After(givenUp)
	for t.Size() < size {
		select {
		case <-t.Changed():
		case <-t.Ended():
			return false
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
