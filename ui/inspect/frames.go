package inspect

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// pages of what is read at once.
const (
	framePage = 50
	childPage = 100
)

type framesResult struct {
	goroutine debugger.GoroutineID
	start     int
	frames    []debugger.Frame
	more      bool
	err       string
}

type frameResult struct {
	at    debugger.FrameRef
	frame debugger.Frame
	err   string
}

type childrenResult struct {
	key  string
	list []debugger.Variable
	err  string
}

// Stack returns what is known of a goroutine's stack; nil when nothing is.
func (s *Store) Stack(g debugger.GoroutineID) *Stack { return s.stacks[g] }

// NeedStack asks for the first frames of a goroutine.
func (s *Store) NeedStack(g debugger.GoroutineID) []Need {
	if g == 0 || s.stacks[g] != nil || s.tag.Stop == 0 {
		return nil
	}
	return []Need{s.framesFrom(g, 0)}
}

// NeedMoreFrames asks for the frames that come after those known.
func (s *Store) NeedMoreFrames(g debugger.GoroutineID) []Need {
	st := s.stacks[g]
	if st == nil || !st.More || st.Err != "" {
		return nil
	}
	return []Need{s.framesFrom(g, len(st.Frames))}
}

func (s *Store) framesFrom(g debugger.GoroutineID, start int) Need {
	return Need{Key: fmt.Sprintf("frames %d %d", g, start), Read: func(ctx context.Context, in debugger.Inspector) any {
		frames, more, err := in.Frames(ctx, g, debugger.Page{Start: start, Count: framePage})
		return framesResult{g, start, frames, more, readError(err)}
	}}
}

func (s *Store) keepFrames(r framesResult) {
	st := s.stacks[r.goroutine]
	if st == nil {
		st = &Stack{}
	}
	next := &Stack{Frames: st.Frames, More: r.more && len(r.frames) > 0, Err: r.err}
	if r.start == len(st.Frames) {
		next.Frames = append(append([]debugger.Frame(nil), st.Frames...), r.frames...)
	}
	s.stacks[r.goroutine] = next
}

// Frame returns a frame, with its variables if they are known; false when the
// frame itself is not.
func (s *Store) Frame(at debugger.FrameRef) (debugger.Frame, bool) {
	if l, ok := s.loaded[at]; ok {
		return l.frame, true
	}
	st := s.stacks[at.Goroutine]
	if st == nil {
		return debugger.Frame{}, false
	}
	for _, f := range st.Frames {
		if f.Index == at.Frame {
			return f, true
		}
	}
	return debugger.Frame{}, false
}

// NeedFrame asks for the variables of a frame.
func (s *Store) NeedFrame(at debugger.FrameRef) []Need {
	if l, ok := s.loaded[at]; ok && l.generation == s.tag.Generation {
		return nil
	}
	if _, ok := s.Frame(at); !ok || s.tag.Stop == 0 {
		return nil
	}
	return []Need{{Key: fmt.Sprintf("frame %d %d", at.Goroutine, at.Frame), Read: func(ctx context.Context, in debugger.Inspector) any {
		frame, err := in.Load(ctx, at)
		return frameResult{at, frame, readError(err)}
	}}}
}

func (s *Store) keepFrame(r frameResult) {
	frame := r.frame
	if r.err != "" {
		frame, _ = s.Frame(r.at)
		frame.Err = r.err
	}
	frame.Loaded = true
	s.loaded[r.at] = loadedFrame{frame, s.tag.Generation}
}

// childKey names the children of a value of a frame.
func childKey(at debugger.FrameRef, v debugger.Variable) string {
	return fmt.Sprintf("children %d %d %s", at.Goroutine, at.Frame, v.Expr)
}

// Children returns the children of a value that are known, and how many are not.
func (s *Store) Children(at debugger.FrameRef, v debugger.Variable) (list []debugger.Variable, unloaded int64, err string) {
	more := s.children[childKey(at, v)]
	if more == nil {
		return v.Children, v.Unloaded, ""
	}
	list = append(append(list, v.Children...), more.List...)
	return list, max(v.Unloaded-int64(len(more.List)), 0), more.Err
}

// NeedChildren asks for the next page of a value's children.
func (s *Store) NeedChildren(at debugger.FrameRef, v debugger.Variable) []Need {
	list, unloaded, _ := s.Children(at, v)
	if unloaded <= 0 || v.Expr == "" {
		return nil
	}
	key, start := childKey(at, v), len(list)
	v.Children = nil
	return []Need{{Key: key, Read: func(ctx context.Context, in debugger.Inspector) any {
		list, err := in.Children(ctx, at, v, debugger.Page{Start: start, Count: childPage})
		return childrenResult{key, list, readError(err)}
	}}}
}

func (s *Store) keepChildren(r childrenResult) {
	old := s.children[r.key]
	next := &Children{Err: r.err}
	if old != nil {
		next.List = old.List
	}
	if len(r.list) == 0 && r.err == "" {
		next.Err = "the program gave no further elements"
	}
	next.List = append(next.List[:len(next.List):len(next.List)], r.list...)
	s.children[r.key] = next
}
