package engine

import (
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// sayRecovers tells, when a target has failed without a stop, that it may have
// recovered the panic itself.
func (e *Engine) sayRecovers(stop debugger.Stop) {
	if stop.Exit == nil || stop.Exit.Code <= 0 || e.opts.Panics != debugger.PanicsAuto || e.State().CaseIndex() >= 0 {
		return
	}
	if places := e.State().Started.Workspace.Recovers(4); len(places) > 0 {
		e.notice("info", "a panic may have been recovered on the way: the program calls recover at "+strings.Join(places, ", "),
			"--panics all stops at panics that are recovered too")
	}
}
