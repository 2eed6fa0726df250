package engine

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
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

// allowed reports whether the author may set this breakpoint, or refuses: the
// commands of a breakpoint are carried out in the host's name, in later sessions too.
func (bs *breakpoints) allowed(b debugger.Breakpoint) bool {
	if !bs.Author.Guest || len(b.Commands) == 0 {
		return true
	}
	same := func(old debugger.Breakpoint) bool { return old.ID == b.ID && slices.Equal(old.Commands, b.Commands) }
	if b.ID != 0 && slices.ContainsFunc(bs.State().Breakpoints, same) {
		return true
	}
	bs.Refuse(fmt.Errorf("give a breakpoint commands: %w", console.ErrHostOnly))
	return false
}
