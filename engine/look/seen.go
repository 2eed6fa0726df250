package look

import (
	"slices"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// seen collects what a person looks at of a stop, for its record. What a model
// or the fixer reads is not part of it.
type seen struct {
	mu       sync.Mutex
	stop     int    // number of the stop; 0 while there is none
	run      uint64 // counts stops and resumes: what was begun before is dropped
	frames   map[debugger.FrameRef]debugger.Frame
	stacks   map[debugger.GoroutineID]session.SeenStack
	order    []debugger.GoroutineID
	children []session.SeenChildren
	groups   map[uint64]*session.GoroutineGroup
	inOrder  []uint64
	known    int
	more     bool
	files    map[string]bool // whose text was kept, or could not be
}

// Bounds of what is collected, before session.Seen.Bound cuts it down.
const (
	maxSeenFrames   = 200
	maxSeenChildren = 500
	maxSeenStacks   = 500
	maxSeenGroups   = 5000
	maxSeenFiles    = 64
)

// begin starts with a stop; 0 for none.
func (s *seen) begin(stop int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = stop
	s.run++
	s.frames, s.stacks = map[debugger.FrameRef]debugger.Frame{}, map[debugger.GoroutineID]session.SeenStack{}
	s.groups, s.files = map[uint64]*session.GoroutineGroup{}, map[string]bool{}
	s.order, s.children, s.inOrder, s.known, s.more = nil, nil, nil, 0, false
}

// now is what a read that begins now belongs to.
func (s *seen) now() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.run
}

// note takes something in, unless the target has gone on since.
func (s *seen) note(run uint64, take func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop > 0 && s.run == run {
		take()
	}
}

func (s *seen) addStack(g debugger.GoroutineID, start int, frames []debugger.Frame, more bool) {
	had, known := s.stacks[g]
	switch {
	case !known && len(s.stacks) >= maxSeenStacks, start != len(had.Frames):
		return
	case !known:
		s.order = append(s.order, g)
	}
	s.stacks[g] = session.SeenStack{Goroutine: g, Frames: append(slices.Clip(had.Frames), frames...), More: more}
}

func (s *seen) addGoroutines(start int, list []debugger.Goroutine, more bool) {
	if start != s.known {
		return
	}
	s.known += len(list)
	s.more = more
	for _, g := range list {
		group := s.groups[g.Signature]
		if group == nil {
			if len(s.groups) >= maxSeenGroups || g.Signature == 0 {
				continue
			}
			group = &session.GoroutineGroup{First: g}
			s.groups[g.Signature] = group
			s.inOrder = append(s.inOrder, g.Signature)
		} else if len(group.Others) < session.MaxSeenMembers {
			group.Others = append(group.Others, g.ID)
		}
		group.Count++
		group.Waited = max(group.Waited, g.Waited)
	}
}

// take returns what was looked at, and ends the stop.
func (s *seen) take(had debugger.Stop) *session.Seen {
	s.mu.Lock()
	out := &session.Seen{Stop: s.stop, Known: s.known, Partial: s.more}
	for _, at := range sortedRefs(s.frames) {
		out.Frames = append(out.Frames, session.SeenFrame{Goroutine: at.Goroutine, Frame: s.frames[at]})
	}
	out.Children = s.children
	for _, signature := range s.inOrder {
		out.Groups = append(out.Groups, *s.groups[signature])
	}
	for _, g := range s.order {
		out.Stacks = append(out.Stacks, s.stacks[g])
	}
	s.mu.Unlock()
	s.begin(0)
	out.Frames = slices.DeleteFunc(out.Frames, func(f session.SeenFrame) bool { // which Stopped holds already
		return f.Goroutine == had.Goroutine && f.Frame.Index < len(had.Frames) && had.Frames[f.Frame.Index].Loaded
	})
	out.Bound()
	return out
}

func sortedRefs(frames map[debugger.FrameRef]debugger.Frame) []debugger.FrameRef {
	list := make([]debugger.FrameRef, 0, len(frames))
	for at := range frames {
		list = append(list, at)
	}
	slices.SortFunc(list, func(a, b debugger.FrameRef) int {
		if a.Goroutine != b.Goroutine {
			return int(a.Goroutine - b.Goroutine)
		}
		return a.Frame - b.Frame
	})
	return list
}
