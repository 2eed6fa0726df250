package ui

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// seekHolder begins to look for who has what the goroutine that is looked at
// waits for.
func (m *model) seekHolder() {
	m.wantHolder = m.lookedAt()
	if m.wantHolder != 0 && m.ctx.Store.Goroutines().Waits == nil {
		m.say("info", fmt.Sprintf("looking for what goroutine %d waits for…", m.wantHolder))
	}
}

// lookedAt is the goroutine under the cursor of the goroutines, else the
// selected one.
func (m *model) lookedAt() debugger.GoroutineID {
	if m.focus == layout.Goroutines {
		if id := m.panes.goroutines.Under(); id != 0 {
			return id
		}
	}
	return m.ctx.At.Goroutine
}

// waits tells whether the goroutine that is looked at waits; one that was not
// listed yet may.
func (m *model) waits() bool {
	id := m.lookedAt()
	if id == 0 {
		return false
	}
	g := m.ctx.Store.Goroutines()
	i := g.Index(id)
	return i < 0 || g.Kinds[g.All[i].Kind].WaitReason != ""
}

// landAtHolder goes there once it is known.
func (m *model) landAtHolder() {
	g := m.ctx.Store.Goroutines()
	if m.wantHolder == 0 || g.Waits == nil && g.Err == "" {
		return
	}
	id := m.wantHolder
	m.wantHolder = 0
	i := g.Index(id)
	if i < 0 || g.Waits == nil {
		m.say("warn", "the goroutines could not be read: "+g.Err)
		return
	}
	party := g.Waits.Of[i]
	if party < 0 || len(g.Waits.Graph.Edges[party]) == 0 {
		m.say("info", nobodyHas(g, i, id))
		return
	}
	edge := g.Waits.Graph.Edges[party][0]
	if edge.Via.Goroutine == id {
		m.say("info", fmt.Sprintf("goroutine %d waits for itself: it has locked %s in line %d", id, edge.Via.Expr, edge.Via.Line))
		return
	}
	m.ctx.At = debugger.FrameRef{Goroutine: edge.Via.Goroutine, Frame: edge.Via.Frame}
	m.panes.goroutines.Reveal(edge.Via.Goroutine)
	m.say("info", holderWords(id, edge, len(g.Waits.Graph.Edges[party])-1))
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
		words = fmt.Sprintf("goroutine %d probably holds %s, which %d waits for: locked in line %d, not unlocked since", h.Goroutine, text.Line(h.Expr), id, h.Line)
	}
	if others > 0 {
		words += fmt.Sprintf(" (and %s)", text.Plural(int64(others), "other"))
	}
	return words
}

// awaitGoroutines marks when the first goroutines of a stop, and all of them,
// are on the screen.
func (m *model) awaitGoroutines() {
	g := m.ctx.Store.Goroutines()
	if len(g.All) == 0 || m.lay.Panes[layout.Goroutines].Empty() {
		return
	}
	m.paint.await("goroutines")
	if !g.More {
		m.paint.await("goroutines_grouped")
	}
}
