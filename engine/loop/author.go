package loop

import (
	"fmt"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// MaxLog is the size of a log from which on guests do nothing more that would be in it, and
// no fixes are taken: what is larger than session.MaxJournal is read by no command, and
// what was applied could not be taken back.
const MaxLog = session.MaxJournal / 2

// RoomFor refuses a guest's intent for which there is no room in the log.
func (l *Loop) RoomFor(i intent.Intent) error {
	switch i.(type) {
	case intent.Halt, intent.CancelCommand, intent.Dismiss:
		return nil
	}
	if !l.Author.Guest {
		return nil
	}
	return FullLog(l.Log.Size())
}

// FullLog is why nothing more goes into a log of that size; nil where it does.
func FullLog(size int64) error {
	if size <= MaxLog {
		return nil
	}
	return advice.Add(fmt.Errorf("the log has %d MB, and no room for more", size>>20), "start a new session")
}

// As has what do appends carry the author's name. Only Run's goroutine calls it.
func (l *Loop) As(by intent.Author, do func()) {
	before := l.Author
	l.Author = by
	do()
	l.Author = before
}

// By is the name of the author of what is being carried out. Only Run's
// goroutine calls it; what goes on in a job keeps what it has returned.
func (l *Loop) By() string {
	if l.Author.Name != "" {
		return l.Author.Name
	}
	return l.Opts.Actor
}

// PostAs is post in the name of the author of what is being carried out. Only
// Run's goroutine may call it.
func (l *Loop) PostAs() func(fn func()) {
	by := l.Author
	return func(fn func()) { l.Post(func() { l.As(by, fn) }) }
}
