package engine

import (
	"github.com/pausetui/pausetui/engine/program"
	"github.com/pausetui/pausetui/session"
)

// keepTrace keeps the text of a trace next to the log, so that the session can be
// resumed without its file.
func (e *Engine) keepTrace() {
	if e.loop.Opts.Target.Mode.Kind != session.ModeTrace {
		return
	}
	var kept session.Trace
	if e.loop.Opts.Target.Mode.Trace != nil {
		kept = *e.loop.Opts.Target.Mode.Trace
	}
	name, err := e.inspection.Texts.Keep([]byte(program.Shortened(e.loop.Opts.Target.Trace.Text)))
	if err == nil {
		kept.Kept = name
	}
	e.loop.Opts.Target.Mode.Trace = &kept
}
