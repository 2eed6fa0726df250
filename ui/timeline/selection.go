package timeline

import (
	"cmp"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// Selection is the goroutine and the frame that are looked at, as far as what
// decides them has still to be read.
type Selection struct {
	*common.Common
	WantHolder debugger.GoroutineID // the goroutine it waits for is to be selected
	wantFrame  debugger.GoroutineID // whose frame to land in is to be selected
}

// SeekHolder begins to look for who has what the goroutine that is looked at
// waits for.
func (s *Selection) SeekHolder() {
	s.WantHolder = s.LookedAt()
	if s.WantHolder != 0 && s.Ctx.Store.Goroutines().Waits == nil {
		s.Say("info", fmt.Sprintf("looking for what goroutine %d waits for…", s.WantHolder))
	}
}

// LookedAt is the goroutine under the cursor of the goroutines, else the
// selected one.
func (s *Selection) LookedAt() debugger.GoroutineID {
	if s.Focus == layout.Goroutines {
		if id := s.Panes.Goroutines.Under(); id != 0 {
			return id
		}
	}
	return s.Ctx.At.Goroutine
}

// Waits reports whether the goroutine that is looked at waits; one that was not
// listed yet may.
func (s *Selection) Waits() bool {
	id := s.LookedAt()
	if id == 0 {
		return false
	}
	g := s.Ctx.Store.Goroutines()
	i := g.Index(id)
	return i < 0 || g.Kinds[g.All[i].Kind].WaitReason != ""
}

// LandAtHolder goes there once it is known.
func (s *Selection) LandAtHolder() {
	g := s.Ctx.Store.Goroutines()
	if s.WantHolder == 0 || g.Waits == nil && g.Err == "" {
		return
	}
	id := s.WantHolder
	s.WantHolder = 0
	i := g.Index(id)
	if i < 0 || g.Waits == nil {
		s.Say("warn", "the goroutines could not be read: "+g.Err)
		return
	}
	party := int(g.Waits.Of[i])
	if party < 0 || len(g.Waits.Graph.Edges[party]) == 0 {
		s.Say("info", nobodyHas(g, i, id))
		return
	}
	edge, _ := g.Waits.Graph.Next(party)
	if edge.Via.Goroutine == id {
		s.Say("info", fmt.Sprintf("goroutine %d waits for itself: it has locked %s in line %d", id, edge.Via.Expr, edge.Via.Line))
		return
	}
	s.lookAt(debugger.FrameRef{Goroutine: edge.Via.Goroutine, Frame: edge.Via.Frame})
	s.Panes.Goroutines.Reveal(edge.Via.Goroutine)
	s.Say("info", holderWords(id, edge, len(g.Waits.Graph.Edges[party])-1))
}

func nobodyHas(g *inspect.Goroutines, i int, id debugger.GoroutineID) string {
	k := g.Kinds[g.All[i].Kind]
	if k.WaitReason == "" {
		return fmt.Sprintf("goroutine %d does not wait: it is %s", id, k.State)
	}
	words := fmt.Sprintf("goroutine %d waits (%s): no other goroutine is known to have what it waits for", id, text.Line(k.WaitReason))
	if g.Waits.Err != "" {
		words += "; " + text.Line(g.Waits.Err)
	} else if g.Waits.Cut {
		words += ", of those that were looked at"
	}
	return words
}

func holderWords(id debugger.GoroutineID, e waits.Edge, others int) string {
	h := e.Via
	words := fmt.Sprintf("goroutine %d has %s, the %s that %d waits on", h.Goroutine, text.Line(h.Expr), e.On.Kind, id)
	switch e.On.Kind {
	case waits.Mutex, waits.RWMutex:
		if h.Pending {
			words = fmt.Sprintf("goroutine %d waits to lock %s, and is let in before %d", h.Goroutine, text.Line(cmp.Or(h.Expr, "it")), id)
			break
		}
		if h.Line == 0 {
			words = fmt.Sprintf("goroutine %d comes to unlock %s, which %d waits for, in %s", h.Goroutine, text.Line(h.Expr), id, text.Function(h.Function))
			break
		}
		words = fmt.Sprintf("goroutine %d probably holds %s, which %d waits for: locked in line %d, not unlocked since", h.Goroutine, text.Line(h.Expr), id, h.Line)
	}
	if others > 0 {
		words += fmt.Sprintf(" (and %s)", text.Plural(int64(others), "other"))
	}
	return words
}

// AwaitGoroutines marks when the first goroutines of a stop, and all of them,
// are on the screen.
func (s *Selection) AwaitGoroutines() {
	g := s.Ctx.Store.Goroutines()
	if len(g.All) == 0 || s.Lay.Panes[layout.Goroutines].Empty() {
		return
	}
	s.Paint.Await("goroutines")
	if !g.More {
		s.Paint.Await("goroutines_grouped")
	}
}

// SelectFrame selects a frame, and the pane of stacks where the goroutine was chosen.
func (s *Selection) SelectFrame(e pane.SelectFrame) {
	if e.At.Frame < 0 {
		s.SetFocus(layout.Stack)
	}
	s.lookAt(e.At)
}

// lookAt selects a frame; Frame -1 stands for the one to look at first, see
// [debugger.Landing].
func (s *Selection) lookAt(at debugger.FrameRef) {
	if at.Frame < 0 {
		at.Frame = 0
		if st := s.Ctx.Store.Stack(at.Goroutine); st != nil {
			at.Frame = debugger.Landing(st.Frames).Index
		} else {
			s.wantFrame = at.Goroutine
		}
	}
	s.Ctx.At = at
}

// StopFrame is the frame that a stop is about.
func StopFrame(stop debugger.Stop) debugger.FrameRef {
	at := debugger.FrameRef{Goroutine: stop.Goroutine}
	if f, ok := stop.SelectedFrame(); ok {
		at.Frame = f.Index
	}
	return at
}

// Elsewhere reports whether another frame, or a place that the person went
// to, is shown than what has stopped.
func (s *Selection) Elsewhere() bool {
	return s.Ctx.Held && (s.Ctx.At != StopFrame(s.Ctx.Stop.Stop) || s.Panes.Source.Away())
}

// ToStop selects the frame that the stop is about.
func (s *Selection) ToStop() {
	s.Ctx.At = StopFrame(s.Ctx.Stop.Stop)
	s.Panes.Goroutines.Reveal(s.Ctx.At.Goroutine)
	s.Panes.Source.Home()
}

// Land moves to the frame of a goroutine to look at first once its stack has been
// read.
func (s *Selection) Land() {
	st := s.Ctx.Store.Stack(s.wantFrame)
	if s.wantFrame == 0 || st == nil {
		return
	}
	if s.Ctx.At == (debugger.FrameRef{Goroutine: s.wantFrame}) {
		s.Ctx.At.Frame = debugger.Landing(st.Frames).Index
	}
	s.wantFrame = 0
}
