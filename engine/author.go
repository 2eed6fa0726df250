package engine

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// DoAs hands over an intent in a participant's name and returns at once. It does not
// know roles: package pair decides who may hand over what.
func (e *Engine) DoAs(by intent.Author, i intent.Intent) {
	e.post(func() {
		if !e.quitting { // what comes after Quit in the same batch is too late
			e.as(by, func() {
				if err := e.room(i); err != nil {
					e.refuse(err)
					return
				}
				e.handle(i)
			})
		}
	})
}

// maxLog is the size of a log from which on guests do nothing more that would be in it, and
// no fixes are taken: what is larger than session.MaxJournal is read by no command, and
// what was applied could not be taken back.
const maxLog = session.MaxJournal / 2

// room refuses a guest's intent for which there is no room in the log.
func (c *core) room(i intent.Intent) error {
	switch i.(type) {
	case intent.Halt, intent.CancelCommand, intent.Dismiss:
		return nil
	}
	if !c.author.Guest {
		return nil
	}
	return fullLog(c.log.Size())
}

// fullLog is why nothing more goes into a log of that size; nil where it does.
func fullLog(size int64) error {
	if size <= maxLog {
		return nil
	}
	return advice.Add(fmt.Errorf("the log has %d MB, and no room for more", size>>20), "start a new session")
}

// as has what do appends carry the author's name. Only Run's goroutine calls it.
func (c *core) as(by intent.Author, do func()) {
	before := c.author
	c.author = by
	do()
	c.author = before
}

// by is the name of the author of what is being carried out. Only Run's
// goroutine calls it; what goes on in a job keeps what it has returned.
func (c *core) by() string {
	if c.author.Name != "" {
		return c.author.Name
	}
	return c.opts.Actor
}

// postAs is post in the name of the author of what is being carried out. Only
// Run's goroutine may call it.
func (c *core) postAs() func(fn func()) {
	by := c.author
	return func(fn func()) { c.post(func() { c.as(by, fn) }) }
}

// allowed reports whether the author may set this breakpoint, or refuses: the
// commands of a breakpoint are carried out in the host's name, in later sessions too.
func (bs *breakpoints) allowed(b debugger.Breakpoint) bool {
	if !bs.author.Guest || len(b.Commands) == 0 {
		return true
	}
	same := func(old debugger.Breakpoint) bool { return old.ID == b.ID && slices.Equal(old.Commands, b.Commands) }
	if b.ID != 0 && slices.ContainsFunc(bs.State().Breakpoints, same) {
		return true
	}
	bs.refuse(fmt.Errorf("give a breakpoint commands: %w", console.ErrHostOnly))
	return false
}
