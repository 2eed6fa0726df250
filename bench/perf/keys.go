package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// How keys are measured: each opens the help, which is its answer.
const (
	keysFor = 3 * time.Second // from the painted stop on, while candidates are proved
	between = 50 * time.Millisecond
	givenUp = time.Second
	wanted  = 16 * time.Millisecond

	// helpTitle is drawn when help opens, and by nothing else.
	helpTitle = "Help"
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
	wait.Go(func() { echo = press(cat, "x", "x", "", until) })
	ours = press(screen, "?", helpTitle, "?", until)
	wait.Wait()
	typeKeys(screen, []string{"q", "y"})
	return ours, echo, screen.Err()
}

// press types a key again and again, measures until the words have come that answer it,
// and types the key that takes them away, if there is one.
func press(t *terminal.Terminal, key, words, away string, until time.Time) latencies {
	var all latencies
	for time.Now().Before(until) {
		time.Sleep(between)
		began, before := time.Now(), t.Size()
		if err := t.Press(key); err != nil {
			return all
		}
		if !answered(t, before, words) {
			return all
		}
		all = append(all, time.Since(began))
		if away != "" {
			time.Sleep(between)
			_ = t.Press(away)
		}
	}
	return all
}

// answered waits until the program has written words after so many bytes, and reports
// whether it still runs. An answer that does not come is given up, and counts as late.
func answered(t *terminal.Terminal, after int, words string) bool {
	late := time.After(givenUp)
	for !bytes.Contains(t.Written(after), []byte(words)) {
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

func (b bench) reportKeys(n int) error {
	ours, echo, err := b.keys(n)
	if err != nil {
		return fmt.Errorf("%s: %w", keysName, err)
	}
	fmt.Printf("%s: %v   want ≤ %v\n  (an echo by cat meanwhile: %v)\n", keysName, ours, wanted, echo)
	return nil
}

const keysName = "keys, from the painted stop on"
