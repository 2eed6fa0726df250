package pane

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/text"
)

// changedSign marks values that are not what they were when the frame was last
// seen, and, faintly, those that hold such.
const changedSign = "Δ"

// line draws a row of the tree.
func (p *Locals) line(n *node, bad string) string {
	t := p.c.Theme
	indent := strings.Repeat("  ", n.depth)
	switch {
	case n.err != "":
		return indent + "  " + t.Stop.Render(text.Line(n.err)) + t.Dim.Render(" (enter tries again)")
	case n.kind == isBytes && n.need == nil:
		label, rest, _ := strings.Cut(n.words, "  ")
		return indent + "  " + t.Faint.Render(label) + "  " + t.Value.Render(rest)
	case n.kind != isValue:
		return indent + "  " + t.Dim.Render(n.words)
	}
	sign := "  "
	if n.open {
		sign = t.Dim.Render("▾ ")
	} else if !n.leaf {
		sign = t.Dim.Render("▸ ")
	}
	longest := max(maxName, p.width/2-2*n.depth) // of a name that is out of line, as keys may be
	name := text.Fit(text.Line(n.v.Name), max(n.align, min(text.Width(text.Line(n.v.Name)), longest)))
	room := max(p.width-2*n.depth-text.Width(name)-4, 4)
	changes := p.changes(n)
	if p.watched(n) {
		changes += t.Stop.Render("◉") + t.Dim.Render(" stops when written") + "  "
	}
	room = max(room-text.Width(changes), 4)
	shown := n.display(max(room-text.Width(shortType(n.v.Type))-4, room*2/3))
	if n.bare || n.open && n.v.Len == 0 && n.shown == "" && n.many == nil {
		shown = "" // its fields follow
	}
	typ := shortType(n.v.Type)
	line := indent + sign + name + "  "
	if p.isBad(n, bad) {
		return text.Sides(line+t.Bad.Render(cut(shown, room))+"  "+t.Faint.Render(typ), t.Bad.Render("◂ cause"), p.width)
	}
	if n.note != "" && shown != "" && n.many == nil && !n.open { // not set yet
		return line + t.Faint.Render(n.note) + "  " + t.Faint.Render(typ)
	}
	style := t.Value
	if n.v.Unreadable != "" || corrupt(n.v.Deref()) {
		style = t.Warn
	}
	if shown != "" {
		line += style.Render(cut(shown, room)) + "  "
	}
	line += changes
	if n.note != "" {
		line += t.Focus.Render(n.note) + "  "
	}
	return line + t.Faint.Render(typ)
}

// watched reports whether a watchpoint stops the target when the value is written.
func (p *Locals) watched(n *node) bool {
	return n.v.Expr != "" && slices.ContainsFunc(p.c.State.Breakpoints, func(b debugger.Breakpoint) bool {
		return b.Watch == n.v.Expr && b.Enabled() && b.At.Goroutine == n.frame.Goroutine
	})
}

// changes says what the value was when the frame was last seen; a folded value
// that has changed inside has the sign alone.
func (p *Locals) changes(n *node) string {
	if n.note != "" && n.many == nil {
		return "" // not set: what is there means nothing
	}
	t := p.c.Theme
	if was, changed := p.c.Store.Was(n.frame, n.v); changed {
		return t.Warn.Render(changedSign) + t.Dim.Render(" was "+text.Cut(text.Line(was), 24)) + "  "
	}
	if !n.open && !n.leaf && p.c.Store.Within(n.frame, n.v) {
		return t.Faint.Render(changedSign) + "  "
	}
	return ""
}
