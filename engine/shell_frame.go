package engine

import (
	"math"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/target"
)

// selection is a frame that was selected with an event: lines that were given before
// anybody saw it are carried out there, as if they had been given one by one.
type selection struct {
	seq uint64
	at  *debugger.FrameRef // nil before the first
}

// atStop notes the frame of a stop that is about to be recorded.
func (s *shell) atStop(stop debugger.Stop) {
	at := &debugger.FrameRef{Goroutine: stop.Goroutine}
	if f, ok := stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = selection{s.State().Seq + 1, at}
	clear(s.selected)
}

// selects notes the frame that a line has selected; its answer is recorded later.
func (s *shell) selects(name string, at *debugger.FrameRef) {
	if at == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.selected[name] = selection{math.MaxUint64, at}
}

// recorded notes that the answer of a line that has selected a frame is recorded.
func (s *shell) recorded(name string, at *debugger.FrameRef) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sel := s.selected[name]; at != nil && sel.at == at {
		s.selected[name] = selection{s.State().Seq, at}
	}
}

// frame is where a line is carried out. The lock is held.
func (s *shell) frame(i target.Line) debugger.FrameRef {
	for _, sel := range []selection{s.selected[i.By.Name], s.stopped} {
		if sel.at != nil && sel.seq > i.Seen {
			return *sel.at
		}
	}
	return i.At
}
