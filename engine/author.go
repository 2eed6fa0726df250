package engine

import (
	"github.com/pausetui/pausetui/engine/intent"
)

// DoAs hands over an intent in a participant's name and returns at once. It does not
// know roles: package pair decides who may hand over what.
func (e *Engine) DoAs(by intent.Author, i intent.Intent) {
	e.loop.Post(func() {
		if !e.quitting { // what comes after Quit in the same batch is too late
			e.loop.As(by, func() {
				if err := e.loop.RoomFor(i); err != nil {
					e.loop.Refuse(err)
					return
				}
				e.handle(i)
			})
		}
	})
}
