package target

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/past"
)

// Checkpoints are the moments of a run that a person wants to come back to. They outlive a visit
// to the past, and end with the crash.
type Checkpoints struct {
	mu   sync.Mutex
	last int
	list []checkpoint
}

type checkpoint struct {
	debugger.Checkpoint

	begun uint64 // steps
}

// add remembers a moment.
func (c *Checkpoints) add(begun uint64, when, where string) debugger.Checkpoint {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	added := checkpoint{debugger.Checkpoint{ID: c.last, When: when, Where: where}, begun}
	c.list = append(c.list, added)
	return added.Checkpoint
}

// Find looks a moment up by its name, such as c1.
func (c *Checkpoints) Find(name string) (begun uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.list {
		if "c"+strconv.Itoa(p.ID) == name {
			return p.begun, nil
		}
	}
	return 0, fmt.Errorf("there is no checkpoint %s", name)
}

// PastTarget is a run in the past, which has checkpoints like a recording.
type PastTarget struct {
	look.Target
	run  *PastRun
	here past.Place
}

// Checkpoint implements console.Recording.
func (t PastTarget) Checkpoint(_ context.Context, where string) (debugger.Checkpoint, error) {
	begun, ok := t.run.Past.Trail.Here(t.here)
	if !ok {
		return debugger.Checkpoint{}, ErrNotBefore
	}
	return t.run.Checkpoints.add(begun, t.run.before(begun), where), nil
}

// Checkpoints implements console.Recording.
func (t PastTarget) Checkpoints(context.Context) ([]debugger.Checkpoint, error) {
	c := t.run.Checkpoints
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []debugger.Checkpoint
	for _, p := range c.list {
		list = append(list, p.Checkpoint)
	}
	return list, nil
}

// ClearCheckpoint implements console.Recording.
func (t PastTarget) ClearCheckpoint(_ context.Context, id int) error {
	c := t.run.Checkpoints
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.list)
	if c.list = slices.DeleteFunc(c.list, func(p checkpoint) bool { return p.ID == id }); len(c.list) == n {
		return fmt.Errorf("there is no checkpoint c%d", id)
	}
	return nil
}

// Holding is what a stop shows of a target, with its checkpoints.
func (p *PastRun) Holding(t look.Target, s session.State) look.Target {
	if p == nil {
		return t
	}
	m := p.held.Load()
	if m == nil {
		return t
	}
	return PastTarget{t, p, PlaceOf(s, m.Begun())}
}

// PlaceOf is where a run is held, after so many steps.
func PlaceOf(s session.State, begun uint64) past.Place {
	at := past.Place{Begun: begun}
	stop, _ := s.CurrentStop()
	if f, ok := stop.Stop.SelectedFrame(); ok {
		at.File, at.Line = f.File, f.Line
	}
	return at
}

// ErrNotBefore is returned for a moment before which none is known.
var ErrNotBefore = errors.New("no earlier statement of your code is known")
