package inspect

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// goroutinePage is how many goroutines are read at once.
const goroutinePage = 500

// Group is goroutines that wait in the same way at the same place.
type Group struct {
	State    string // "running", "chan receive"
	Function string
	File     string
	Line     int
	System   bool
	Members  []debugger.GoroutineID
}

// Goroutines is what is known of the goroutines of a stop.
type Goroutines struct {
	Groups  []*Group // in the order they were first seen
	Known   int
	More    bool // there are more than Known
	Err     string
	Version int // changes with every page
	byKey   map[groupKey]*Group
}

type groupKey struct {
	state, function string
	line            int
}

type goroutinesResult struct {
	start int
	list  []debugger.Goroutine
	more  bool
	err   string
}

func newGoroutines() Goroutines {
	return Goroutines{More: true, byKey: map[groupKey]*Group{}}
}

// Goroutines returns what is known so far.
func (s *Store) Goroutines() *Goroutines { return &s.goroutine }

// NeedGoroutines asks for the next page of goroutines.
func (s *Store) NeedGoroutines() []Need {
	g := &s.goroutine
	if !g.More || g.Err != "" || s.tag.Stop == 0 {
		return nil
	}
	start := g.Known
	return []Need{{Key: fmt.Sprintf("goroutines %d", start), Read: func(ctx context.Context, in debugger.Inspector) any {
		list, more, err := in.Goroutines(ctx, debugger.Page{Start: start, Count: goroutinePage})
		return goroutinesResult{start, list, more, readError(err)}
	}}}
}

func (g *Goroutines) keep(r goroutinesResult) {
	if r.start != g.Known {
		return
	}
	g.Version++
	g.Err = r.err
	g.More = r.more && len(r.list) > 0
	g.Known += len(r.list)
	for _, one := range r.list {
		state := one.WaitReason
		if state == "" {
			state = one.State
		}
		key := groupKey{state, one.User.Function, one.User.Line}
		group := g.byKey[key]
		if group == nil {
			group = &Group{State: state, Function: one.User.Function, File: one.User.File, Line: one.User.Line, System: one.System}
			g.byKey[key] = group
			g.Groups = append(g.Groups, group)
		}
		group.Members = append(group.Members, one.ID)
	}
}
