package verify

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// A program that a person types into stops at something that was typed. When it has
// read all of that again, and waits for more where it waited before, it is past the
// stop: nothing that it was given is left to do.

const hasReadAll = "it has read all that was typed, and waits for more"

// wantsMore reports whether a run that has read all recorded input waits for more in
// a function that called the one that stopped, or in that one at another place. One
// that the candidate has read more often may have lost some.
func (a *patched) wantsMore(r sandbox.Result) bool {
	if !r.ReadAll || len(a.v.Subject.Run.Input) == 0 || a.adds(reads) {
		return false
	}
	all := crash.Goroutines(r.Stacks)
	a.waits = slices.ContainsFunc(all, readsTerminal) && slices.ContainsFunc(all, a.isBack)
	return a.waits
}

// reading are the functions in which a program waits for its terminal, by itself or
// with other files.
var reading = []string{"os.(*File).Read", "syscall.Read", "syscall.Select", "syscall.EpollWait", "golang.org/x/sys/unix.Read", "golang.org/x/sys/unix.Select",
	"golang.org/x/sys/unix.Pselect", "golang.org/x/sys/unix.Poll", "golang.org/x/sys/unix.Ppoll", "golang.org/x/sys/unix.EpollWait"}

// readsTerminal reports whether a goroutine may be waiting for the terminal: not for
// what a child prints.
func readsTerminal(g crash.Goroutine) bool {
	child := false
	for _, f := range g.Frames {
		child = child || strings.HasPrefix(f.Function, "os/exec.")
	}
	return !child && slices.ContainsFunc(reading, g.Calls)
}

// isBack reports whether a goroutine waits in a function of the user's that was on the
// stack of the stop, and neither at the very line that stopped nor at one that the
// candidate has written: that may wait for something which never comes.
func (a *patched) isBack(g crash.Goroutine) bool {
	v := a.v
	switch waitState(g) {
	case "select", "chan receive", "IO wait", "syscall", "sync.Cond.Wait":
	default:
		return false
	}
	s, ok := v.Site()
	for _, f := range g.Frames {
		if !v.Own(f) {
			continue
		}
		if slices.Contains(a.written(f.File), f.Line) {
			return false
		}
		if ok && subject.Named(f.Function) == s.Function && f.Line == s.Line {
			return false
		}
		for _, stopped := range v.Subject.Stop.Frames {
			if v.Own(stopped) && subject.Named(stopped.Function) == subject.Named(f.Function) {
				return true
			}
		}
	}
	return false
}
