package engine

import "github.com/pausetui/pausetui/session"

// Say tells the person something, with what to do about it, from any goroutine.
func (e *Engine) Say(text, hint string) {
	e.post(func() {
		if !e.quitting {
			e.notice("info", session.Clean(text), session.Clean(hint))
		}
	})
}
