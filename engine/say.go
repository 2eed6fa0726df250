package engine

import "github.com/pausetui/pausetui/session"

// Say tells the person something, with what to do about it, from any goroutine.
func (e *Engine) Say(text, hint string) {
	e.loop.Post(func() {
		if !e.quitting {
			e.loop.Notice("info", session.Clean(text), session.Clean(hint))
		}
	})
}
