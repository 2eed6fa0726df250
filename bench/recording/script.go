package main

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/pausetui/pausetui/bench/terminal"
)

// The size of the terminal.
const columns, rows = 100, 30

// step is a part of the script: keys that are typed, and what they lead to.
type step struct {
	name, caption string
	keys          []string      // typed one after the other
	shown         []string      // texts that the screen shows in the end
	work          time.Duration // the way there takes at most this long in the recording
	hold          time.Duration // the end of it stays as long
}

// script is a panic, its cause, a fix, and the proof that it helped.
var script = []step{
	{name: "command", caption: "One command: no model, no configuration", keys: typed("pausetui debug ./examples/inventory"),
		shown: []string{"./examples/inventory"}, work: 1200 * time.Millisecond, hold: 500 * time.Millisecond},
	{name: "stopped", caption: "It panics: the card says what happened, and why", keys: []string{"\r"},
		shown: []string{"nil-map-write", "bySupplier is nil", "2 candidates"}, work: 1500 * time.Millisecond, hold: 3500 * time.Millisecond},
	{name: "proved", caption: "Fixes are built, rerun and tested while the program is paused",
		shown: []string{"1 ✓ repairs", "2 ✓ repairs"}, work: 1500 * time.Millisecond, hold: 2 * time.Second},
	{name: "review", caption: "6, enter: read the first fix", keys: []string{"6", "\r"},
		shown: []string{"Fix 1 of", "make(map[string][]string)"}, work: time.Second, hold: 3 * time.Second},
	{name: "approve", caption: "a: approve it. Only y confirms", keys: []string{"a"},
		shown: []string{"Approve fix"}, work: 300 * time.Millisecond, hold: 1500 * time.Millisecond},
	{name: "fixed", caption: "y: applied, run again, fixed", keys: []string{"y"},
		shown: []string{"✓ fixed"}, work: 1500 * time.Millisecond, hold: 4 * time.Second},
}

// still is the scene that is shown to people who want no motion.
const still = "proved"

// stills are scenes that are also pictures of their own, named after them.
var stills = []string{"review"}

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
