package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// crowd is the program with many goroutines, and how many.
const (
	crowd   = "debugger/delve/testdata/crowd"
	inCrowd = "100000"
)

// goroutines: from the stop to all goroutines grouped on the screen, by whole
// stacks, against the time that listing them by one location adds to a session
// of dlv. The first page is reported separately.
func (b bench) goroutines() (ours, theirs time.Duration, err error) {
	c := bench{tool: b.tool, dir: filepath.Join(b.dir, "..", "crowd")}
	if _, err := os.Stat(c.dir); err != nil {
		if err := c.copyModule(crowd); err != nil {
			return 0, 0, err
		}
	}
	marks, err := c.marked("goroutines_grouped", nil, "--", "crowd", inCrowd)
	if err != nil {
		return 0, 0, err
	}
	firstPages = append(firstPages, marks["goroutines"]-marks["stop_painted"])
	binary := filepath.Join(c.dir, "..", "crowd-target")
	if err := command(c.dir, "go", "build", "-gcflags=example.org/perf/...=-N -l", "-ldflags=-compressdwarf=false", "-o", binary, "."); err != nil {
		return 0, 0, err
	}
	without, err := c.dlv("continue\nexit\n", "exec", binary, "--", "crowd", inCrowd)
	if err != nil {
		return 0, 0, err
	}
	with, err := c.dlv("continue\ngoroutines -group userloc\nexit\n", "exec", binary, "--", "crowd", inCrowd)
	return marks["goroutines_grouped"] - marks["stopped"], max(with-without, time.Millisecond), err
}

// firstPages are the times from the painted stop to the first goroutines.
var firstPages []time.Duration

func writtenPages() string {
	words := make([]string, len(firstPages))
	for i, d := range firstPages {
		words[i] = d.Round(time.Millisecond).String()
	}
	return strings.Join(words, " ")
}
