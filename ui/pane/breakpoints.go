package pane

import "github.com/pausetui/pausetui/debugger"

// The signs of breakpoints, those next to the source among them: what they are is
// shown by shape, not by color alone.
const (
	signOn          = "●"
	signConditional = "◆"
	signTrace       = "▷"
	signWatch       = "◎"
	signOff         = "○"
	signMoved       = "◐"
	signLost        = "✗"
	signPending     = "◌"
)

// BreakpointSign is the sign of a breakpoint's state in a list.
func BreakpointSign(b debugger.Breakpoint) string {
	switch {
	case b.Place == debugger.PlaceLost:
		return signLost
	case b.Place == debugger.PlacePending:
		return signPending
	case b.Disabled:
		return signOff
	case b.Place == debugger.PlaceMoved:
		return signMoved
	}
	return standing(b)
}

// standing is the sign of a breakpoint that is set.
func standing(b debugger.Breakpoint) string {
	switch {
	case b.Watch != "":
		return signWatch
	case b.Trace:
		return signTrace
	case b.Conditional():
		return signConditional
	}
	return signOn
}
