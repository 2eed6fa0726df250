package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// The size of the terminal.
const columns, rows = 100, 30

// step is a part of the script: keys that are typed, and what they lead to.
type step struct {
	name, caption string
	keys          []string      // typed one after the other; an empty one waits until a dialog takes keys
	shown         []string      // texts that the screen shows in the end
	work          time.Duration // the way there takes at most this long in the recording
	hold          time.Duration // the end of it stays as long
}

// recording is a script and the files that it is played into.
type recording struct {
	name    string // of its files
	title   string // for people who do not see it
	example string // what it is played on; empty for nothing
	script  []step
	still   string   // the scene that is shown to people who want no motion
	stills  []string // scenes that are also pictures of their own, named after them
	varies  bool     // goroutines, addresses and times of a server differ from run to run
}

var recordings = []recording{
	{
		name: "tour", title: "pausetui stops at a panic, says why, proves fixes, applies the approved one, takes it back and shows the session",
		still: "proved", stills: []string{"review"},
		script: []step{
			{name: "command", caption: "One command: no model, no configuration, a program of its own", keys: typed("pausetui tour"),
				shown: []string{"pausetui tour"}, work: 800 * time.Millisecond, hold: 500 * time.Millisecond},
			{name: "stopped", caption: "It stops at a panic: the card says what happened, and why", keys: []string{"\r"},
				shown: []string{"nil-map-write", "x.lines is nil", "6 Fixes · 2"}, work: 1500 * time.Millisecond, hold: 3 * time.Second},
			{name: "proved", caption: "Fixes are built, rerun and tested while the program is paused",
				shown: []string{"1 ✓ repairs", "2 ✓ repairs", "Tour 2/5"}, work: 1500 * time.Millisecond, hold: 2 * time.Second},
			{name: "review", caption: "6, enter: read the first fix", keys: []string{"6", "\r"},
				shown: []string{"Fix 1 ·", "make(map[string][]int)"}, work: time.Second, hold: 3 * time.Second},
			{name: "approve", caption: "a: approve it. Only y confirms", keys: []string{"a"},
				shown: []string{"Approve fix"}, work: 300 * time.Millisecond, hold: 1200 * time.Millisecond},
			{name: "fixed", caption: "y: applied, run again, fixed", keys: []string{"y"},
				shown: []string{"✓ fixed", "Tour 3/5"}, work: 1500 * time.Millisecond, hold: 3 * time.Second},
			{name: "undone", caption: "u, y: the files are as they were", keys: []string{"u", "", "y"},
				shown: []string{"Tour 4/5"}, work: time.Second, hold: 2 * time.Second},
			{name: "browsed", caption: "q: the session is kept, and past ones are searched", keys: []string{"q"},
				shown: []string{"1 session", "judged fixed · undone", "Tour 5/5"}, work: time.Second, hold: 3 * time.Second},
		},
	},
	{
		name: "why", title: "pausetui stops at a panic, shows how the nil got there, goes back to that moment and returns, and fixes it",
		example: "lrucache", still: "why", varies: true,
		script: []step{
			{name: "command", caption: "A cache that panics in the middle of its list", keys: typed("pausetui debug ./examples/lrucache"),
				shown: []string{"lrucache"}, work: 800 * time.Millisecond, hold: 500 * time.Millisecond},
			{name: "stopped", caption: "The list is nil. Where does that come from?", keys: []string{"\r"},
				shown: []string{"nil-dereference", "which NewCache left out", "1 ✓ repairs"}, work: 2 * time.Second, hold: 3 * time.Second},
			{name: "why", caption: "Q: what happened to the value, as a second run has recorded it", keys: []string{"Q"},
				shown: []string{"8 Why", "&Cache{"}, work: time.Second, hold: 4 * time.Second},
			{name: "there", caption: "N: the program as it was before that line", keys: []string{"N"},
				shown: []string{"the past", "NewCache"}, work: 2 * time.Second, hold: 3 * time.Second},
			{name: "on", caption: "n: one line on, in the past", keys: []string{"n"},
				shown: []string{"stepped", "the past"}, work: time.Second, hold: 2 * time.Second},
			{name: "present", caption: "0: back in the present, where it is still paused", keys: []string{"0"},
				shown: []string{"back in the present"}, work: time.Second, hold: 2 * time.Second},
			{name: "fixed", caption: "a, y: the fix sets the field where the cache is made", keys: []string{"a", "", "y"},
				shown: []string{"✓ fixed"}, work: 2 * time.Second, hold: 4 * time.Second},
		},
	},
	{
		name: "service", title: "pausetui stops at three faults of a server under load, one after another, and fixes them until no request fails",
		example: "shopservice", still: "zero", varies: true,
		script: []step{
			{name: "command", caption: "A server with three faults, and a load that brings them out", keys: typed("pausetui debug ./examples/shopservice -- -load 20 -requests 80"),
				shown: []string{"-requests 80"}, work: 1500 * time.Millisecond, hold: 500 * time.Millisecond},
			{name: "first", caption: "A handler panics. Its request is made again in each proof", keys: []string{"\r"},
				shown: []string{"slice-bounds", "Fixes · 3", "1 ✓ skips?"}, work: 2 * time.Second, hold: 3 * time.Second},
			{name: "second", caption: "a, y: fixed, and on under the same load to the next fault", keys: []string{"a", "", "y"},
				shown: []string{"nil-dereference", "✓ declines"}, work: 3 * time.Second, hold: 3 * time.Second},
			{name: "third", caption: "a, y: and to the third", keys: []string{"a", "", "y"},
				shown: []string{"nil-map-write", "✓ repairs"}, work: 3 * time.Second, hold: 3 * time.Second},
			{name: "zero", caption: "a, y: no request fails", keys: []string{"a", "", "y"},
				shown: []string{"80 requests, 0 failed", "✓ fixed"}, work: 2 * time.Second, hold: 5 * time.Second},
		},
	},
}

// typed are the keys of a text.
func typed(text string) (keys []string) {
	for _, r := range text {
		keys = append(keys, string(r))
	}
	return keys
}

const (
	pace  = 50 * time.Millisecond  // between keys: they are not a paste
	quiet = 500 * time.Millisecond // what a step led to is on the screen; dialogs take keys again
	most  = 3 * time.Second        // a screen with a clock is never quiet
)

// play runs a program and plays the steps.
func play(ctx context.Context, cmd *exec.Cmd, steps []step) ([]scene, error) {
	var taken []snapshot // the terminal's, until it has ended
	t, err := terminal.Open(cmd, columns, rows, func(at time.Duration, screen terminal.Cells) { taken = append(taken, snap(at, screen)) })
	if err != nil {
		return nil, err
	}
	ends, err := playSteps(ctx, t, steps)
	t.End()
	if err != nil {
		return nil, err
	}
	return cut(steps, taken, ends), nil
}

// playSteps returns when each of the steps ended, since the program began.
func playSteps(ctx context.Context, t *terminal.Terminal, steps []step) (ends []time.Duration, err error) {
	if err := t.Settle(ctx, quiet, most); err != nil {
		return nil, err
	}
	for _, s := range steps {
		for _, key := range s.keys {
			if key == "" {
				if err := t.Settle(ctx, quiet, most); err != nil {
					return nil, err
				}
			}
			if _, err := t.Type(ctx, key); err != nil {
				return nil, err
			}
			if err := t.Settle(ctx, pace, pace); err != nil {
				return nil, err
			}
		}
		if _, err := t.Wait(ctx, s.shown...); err != nil {
			return nil, fmt.Errorf("scene %q: %w", s.name, err)
		}
		if err := t.Settle(ctx, quiet, most); err != nil {
			return nil, err
		}
		ends = append(ends, time.Since(t.Began()))
	}
	return ends, nil
}
