package main

import (
	"os"
	"path/filepath"
	"time"
)

// crowd is the program with many goroutines, and how many.
const (
	crowd   = "debugger/delve/testdata/crowd"
	inCrowd = "100000"
)

// goroutines: from the stop to all goroutines grouped on the screen, by whole
// stacks, against the time that listing them by one location adds to a session
// of dlv. The second figure is the first page.
func (b bench) goroutines() ([]two, error) {
	c := bench{tool: b.tool, dir: filepath.Join(b.dir, "..", "crowd")}
	if _, err := os.Stat(c.dir); err != nil {
		if err := c.copyModule(crowd); err != nil {
			return nil, err
		}
	}
	marks, err := c.marked("goroutines_grouped", nil, "--", "crowd", inCrowd)
	if err != nil {
		return nil, err
	}
	binary, err := c.forDebugging()
	if err != nil {
		return nil, err
	}
	without, err := c.dlv("continue\nexit\n", "exec", binary, "--", "crowd", inCrowd)
	if err != nil {
		return nil, err
	}
	with, err := c.dlv("continue\ngoroutines -group userloc\nexit\n", "exec", binary, "--", "crowd", inCrowd)
	page := marks["goroutines"] - marks["stop_painted"]
	return append(seconds(marks["goroutines_grouped"]-marks["stopped"], max(with-without, time.Millisecond)), two{page.Seconds(), 0}), err
}
