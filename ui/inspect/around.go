package inspect

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
)

// Bounds on the ancestors that are read at once.
const (
	maxAncestors   = 20
	ancestorFrames = 50
)

// Around is what belongs to a goroutine's stack next to its frames.
type Around struct {
	Defers map[int][]debugger.Deferred // by frame: what it has still to call, the one that runs first, first
	Origin debugger.Origin
	frames int // how many have been looked at
}

// Ancestors are the goroutines that led to one.
type Ancestors struct {
	List []debugger.Ancestor
	Err  string // why there are none, and what helps
}

type aroundResult struct {
	goroutine debugger.GoroutineID
	around    *Around
}

type ancestorsResult struct {
	goroutine debugger.GoroutineID
	ancestors *Ancestors
}

// Around returns what is known next to a goroutine's frames; nil when nothing is.
func (s *Store) Around(g debugger.GoroutineID) *Around { return s.around[g] }

// NeedAround asks for what belongs to the frames that are known.
func (s *Store) NeedAround(g debugger.GoroutineID) []Need {
	st, known := s.stacks[g], s.around[g]
	if g == 0 || s.tag.Stop == 0 || st == nil || len(st.Frames) == 0 || known != nil && known.frames >= len(st.Frames) {
		return nil
	}
	n := len(st.Frames)
	return []Need{{Key: fmt.Sprintf("around %d %d", g, n), Read: func(ctx context.Context, in debugger.Inspector) any {
		return aroundResult{g, readAround(ctx, in, g, n)}
	}}}
}

// readAround reads as much as can be read: no part needs the others.
func readAround(ctx context.Context, in debugger.Inspector, g debugger.GoroutineID, n int) *Around {
	out := &Around{Defers: map[int][]debugger.Deferred{}, frames: n}
	reader, ok := in.(debugger.StackReader)
	if !ok {
		return out
	}
	out.Origin, _ = reader.Origin(ctx, g)
	frames, _, _ := reader.Stack(ctx, g, debugger.StackQuery{Depth: n - 1, Defers: true})
	for _, f := range frames {
		if len(f.Defers) > 0 {
			out.Defers[f.Index] = f.Defers
		}
	}
	return out
}

// Ancestors returns what is known of those of a goroutine; nil before that.
func (s *Store) Ancestors(g debugger.GoroutineID) *Ancestors { return s.ancestors[g] }

// NeedAncestors asks for the ancestors of a goroutine.
func (s *Store) NeedAncestors(g debugger.GoroutineID) []Need {
	if g == 0 || s.tag.Stop == 0 || s.ancestors[g] != nil {
		return nil
	}
	return []Need{{Key: fmt.Sprintf("ancestors %d", g), Read: func(ctx context.Context, in debugger.Inspector) any {
		reader, ok := in.(debugger.StackReader)
		if !ok {
			return ancestorsResult{g, &Ancestors{Err: "not recorded"}}
		}
		list, err := reader.Ancestors(ctx, g, maxAncestors, ancestorFrames)
		out := &Ancestors{List: list, Err: readError(err)}
		if hint := advice.Of(err); err != nil && hint != "" {
			out.Err = hint
		}
		return ancestorsResult{g, out}
	}}}
}
