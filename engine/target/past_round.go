package target

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/past"
	"github.com/pausetui/pausetui/verify/rewind"
)

// PastRun is what the rounds of a session in the past share.
type PastRun struct {
	Past        *rewind.Past
	First       *rewind.Moment                // of the first round
	held        atomic.Pointer[rewind.Moment] // now
	Checkpoints *Checkpoints
	Paused      debugger.Frame // of the program that is held at the crash, with its variables
	compared    bool
	other       bool // the runs have other values than the paused program
}

// maxValue bounds a value that is named in a notice, in bytes.
const maxValue = 40

// unlike says which value a run has, held before the statement that failed, where the paused
// program has another; empty where none is known.
func (p *PastRun) unlike(f debugger.Frame) string {
	if f.Function != p.Paused.Function {
		return ""
	}
	for _, v := range f.Variables() {
		if _, words := differing(p.Paused.Variables(), v); words != "" {
			return words
		}
	}
	return ""
}

// differing finds a variable among others by its name and the place where it is declared, and
// says how their values differ.
func differing(others []debugger.Variable, v debugger.Variable) (found bool, words string) {
	for _, o := range others {
		if o.Name != v.Name || o.Type != v.Type || o.DeclLine != v.DeclLine {
			continue
		}
		here, there := look.PlainText(v), look.PlainText(o)
		if here != "" && there != "" && here != there && !v.Unset && !o.Unset {
			return true, fmt.Sprintf("%s is %s here, and was %s in the paused program", v.Name, printable.Cut(here, maxValue), printable.Cut(there, maxValue))
		}
		return true, ""
	}
	return false, ""
}

// before says how far before the crash a run is after so many steps; empty where it is not
// before it.
func (p *PastRun) before(begun uint64) string {
	switch {
	case begun == p.Past.Failed:
		return "before the statement that fails"
	case begun+1 == p.Past.Failed:
		return "1 statement before the one that fails"
	case begun < p.Past.Failed:
		return fmt.Sprintf("%d statements before the one that fails", p.Past.Failed-begun)
	}
	return ""
}

// ClosePast ends a target, and its run in the past if it is one.
func ClosePast(m *rewind.Moment, t look.Target) {
	if m != nil {
		m.Kill()
		defer m.Close() // not before the debugger has let go of it
	}
	if t != nil {
		_ = t.Close()
	}
}

// StopsAt tells the places at which breakpoints stop.
func StopsAt(s session.State) func(past.Site) bool {
	return func(at past.Site) bool {
		return slices.ContainsFunc(s.Breakpoints, func(b debugger.Breakpoint) bool {
			return !b.Disabled && !b.Trace && b.IsAt(at.File, at.Line)
		})
	}
}
