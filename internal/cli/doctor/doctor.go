// Package doctor implements the command doctor: it checks what works on this machine, and
// says what to do about the rest.
package doctor

import (
	"context"
	"time"
)

// Level says how a finding is to be taken.
type Level string

// The levels.
const (
	OK   Level = "ok"
	Warn Level = "warn" // something works less well, or not at all, but the main job is done
	Bad  Level = "bad"  // the main job cannot be done
)

// Finding is one thing that was looked at.
type Finding struct {
	Name  string   `json:"name"`
	Level Level    `json:"level"`
	Found string   `json:"found"`          // what there is, in one line
	Why   []string `json:"why,omitempty"`  // why it is not better
	Hint  string   `json:"hint,omitempty"` // what to do about it
}

// Check looks at one thing.
type Check struct {
	Name string
	Look func(context.Context) Finding
}

// patience bounds one check.
const patience = 15 * time.Second

// Examine makes every check, one after the other: they measure the machine.
func Examine(ctx context.Context, checks []Check) []Finding {
	var found []Finding
	for _, c := range checks {
		ctx, cancel := context.WithTimeout(ctx, patience)
		f := c.Look(ctx)
		cancel()
		f.Name = c.Name
		found = append(found, f)
	}
	return found
}

// Worst is the worst level found.
func Worst(found []Finding) Level {
	worst := OK
	for _, f := range found {
		if f.Level == Bad || f.Level == Warn && worst == OK {
			worst = f.Level
		}
	}
	return worst
}
