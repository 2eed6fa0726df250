package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// ErrNotRecorded is returned by reads of an earlier stop for what its record
// does not hold.
var ErrNotRecorded = errors.New("not recorded")

// Past reads a stop as it was recorded.
type Past struct{ record StopRecord }

var _ debugger.Inspector = Past{}

// Past returns what the record of a stop still tells.
func (r StopRecord) Past() Past { return Past{r} }

// Frames implements debugger.Inspector.
func (p Past) Frames(_ context.Context, g debugger.GoroutineID, page debugger.Page) ([]debugger.Frame, bool, error) {
	frames, more, ok := p.stack(g)
	if !ok {
		return nil, false, fmt.Errorf("the stack of goroutine %d was %w", g, ErrNotRecorded)
	}
	if page.Start >= len(frames) && more {
		return nil, false, fmt.Errorf("further frames were %w", ErrNotRecorded)
	}
	frames = frames[min(max(page.Start, 0), len(frames)):]
	if page.Count > 0 && len(frames) > page.Count {
		return frames[:page.Count], true, nil
	}
	return frames, more, nil
}

func (p Past) stack(g debugger.GoroutineID) (frames []debugger.Frame, more, ok bool) {
	if stop := p.record.Stop; g == stop.Goroutine {
		return stop.Frames, stop.MoreFrames, true
	}
	if p.record.Seen != nil {
		for _, s := range p.record.Seen.Stacks {
			if s.Goroutine == g {
				return s.Frames, s.More, true
			}
		}
	}
	return nil, false, false
}

// Load implements debugger.Inspector.
func (p Past) Load(_ context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	if p.record.Seen != nil {
		for _, f := range p.record.Seen.Frames {
			if f.Goroutine == at.Goroutine && f.Frame.Index == at.Frame {
				return f.Frame, nil
			}
		}
	}
	if at.Goroutine == p.record.Stop.Goroutine {
		for _, f := range p.record.Stop.Frames {
			if f.Index == at.Frame && f.Loaded {
				return f, nil
			}
		}
	}
	return debugger.Frame{}, fmt.Errorf("the variables of this frame were %w: nobody looked at them then", ErrNotRecorded)
}

// Evaluate implements debugger.Inspector: it finds what has the expression for
// its name.
func (p Past) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	frame, err := p.Load(ctx, at)
	if err != nil {
		return debugger.Variable{}, err
	}
	if v, ok := named(frame.Variables(), expr); ok {
		return v, nil
	}
	return debugger.Variable{}, fmt.Errorf("the value of %s was %w", expr, ErrNotRecorded)
}

func named(list []debugger.Variable, expr string) (debugger.Variable, bool) {
	for _, v := range list {
		if v.Expr == expr || v.Expr == "" && v.Name == expr {
			return v, true
		}
		if inner, ok := named(v.Children, expr); ok {
			return inner, true
		}
	}
	return debugger.Variable{}, false
}

// Children implements debugger.Inspector.
func (p Past) Children(_ context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	if p.record.Seen != nil {
		for _, c := range p.record.Seen.Children {
			if c.At == at && c.Expr == v.Expr && c.Start <= page.Start && page.Start < c.Start+len(c.List) {
				list := c.List[page.Start-c.Start:]
				if page.Count > 0 {
					list = list[:min(len(list), page.Count)]
				}
				return list, nil
			}
		}
	}
	return nil, fmt.Errorf("this part was %w: nobody looked at it then", ErrNotRecorded)
}

// Goroutines implements debugger.Inspector: those that the groups name, with
// the stacks' places as signatures.
func (p Past) Goroutines(_ context.Context, page debugger.Page) ([]debugger.Goroutine, bool, error) {
	if p.record.Seen == nil || len(p.record.Seen.Groups) == 0 {
		return nil, false, fmt.Errorf("the goroutines were %w", ErrNotRecorded)
	}
	var list []debugger.Goroutine
	for i, group := range p.record.Seen.Groups {
		one := group.First
		one.Signature = uint64(i) + 1
		list = append(list, one)
		for _, id := range group.Others {
			one.ID = id
			list = append(list, one)
		}
	}
	list = list[min(max(page.Start, 0), len(list)):]
	if page.Count > 0 && len(list) > page.Count {
		return list[:page.Count], true, nil
	}
	return list, false, nil
}
