package fixer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
)

// outsideFrame is the frame of the function that panicked, if it is of a module
// that is not the user's, which the culprit only called; -1 otherwise. What the
// standard library refuses is mostly the caller's mistake: rules explain that.
func (f fixer) outsideFrame() int {
	at := -1
	if f.Panic.Class == debugger.TestFailure { // what reports a failure has not failed
		return at
	}
	for i := f.At - 1; i >= 0; i-- {
		fr := f.Case.Stop.Frames[i]
		if fr.Runtime || fr.Function == "panic" {
			break
		}
		if !f.standard(fr) {
			at = i
		}
	}
	if at >= 0 && f.Case.Workspace.Owns(f.Case.Stop.Frames[at].File) {
		return -1
	}
	return at
}

// standard reports whether a frame is of the standard library. Without the
// toolchain's directory every one may be.
func (f fixer) standard(fr debugger.Frame) bool {
	root := f.Case.Workspace.GoRoot
	return root == "" || strings.HasPrefix(fr.File, root+string(filepath.Separator))
}

// explainOutside explains a panic in a module that is not the user's by that
// module's source; false where the stop is no such panic.
func (f fixer) explainOutside() bool {
	at := f.outsideFrame()
	if at < 0 {
		return false
	}
	fr := f.Case.Stop.Frames[at]
	place := fmt.Sprintf("%s (%s:%d), outside this module", debugger.ShortArguments(fr.Function), filepath.Base(fr.File), fr.Line)
	found := f.within(at)
	switch what, why, because := strings.Cut(found.Sentence, " because "); {
	case because:
		found.Sentence = fmt.Sprintf("%s in %s, because %s", what, place, why)
	case what != "":
		found.Sentence = fmt.Sprintf("%s in %s", what, place)
	case f.Panic.Class == debugger.Custom || f.Panic.Class == debugger.CustomError:
		found.Sentence = fmt.Sprintf("%s, panics: %s", place, syntax.FirstLine(f.Panic.Message))
	default:
		found.Sentence = fmt.Sprintf("%s in %s", syntax.FirstLine(f.Panic.Message), place)
	}
	// The expression and its origin are not of the culprit's frame.
	f.Diagnosis = evidence.Diagnosis{Sentence: found.Sentence, Value: found.Value}
	return true
}

// within runs the rules on a frame of a foreign module, only to explain it. Its
// values are often unknown, because it is optimized: the rules then say nothing.
func (f fixer) within(at int) evidence.Diagnosis {
	c := f.Case
	code, pkg, err := c.Code.With(f.Ctx, c.Stop.Frames[at].File)
	if err != nil {
		return evidence.Diagnosis{}
	}
	c.Code = code
	c.Workspace.Modules = append(slices.Clip(c.Workspace.Modules), workspace.Module{Path: pkg.PkgPath, Dir: pkg.Dir, ReadOnly: true})
	c.Stop.Frames = slices.Clone(c.Stop.Frames)
	c.Stop.Frames[at].User = true
	p := *c.Stop.Panic
	p.Culprit = at
	c.Stop.Panic = &p
	foreign, ok := newFixer(f.Ctx, c)
	if !ok {
		return evidence.Diagnosis{}
	}
	foreign.Dry, foreign.Doubtful = true, true
	foreign.applyRules()
	return foreign.Diagnosis
}

// unfixable says why the code that failed is not fixed; empty where it may be.
func (f fixer) unfixable() string {
	fr := f.Frame
	if at := f.outsideFrame(); at >= 0 {
		fr = f.Case.Stop.Frames[at]
	} else if m, ok := f.Case.Workspace.ModuleOf(fr.File); !ok || !m.ReadOnly {
		return f.Silence
	}
	if m, ok := f.Case.Workspace.ModuleOf(fr.File); ok && m.ReadOnly {
		return fmt.Sprintf("%s is in %s", debugger.ShortArguments(fr.Function), m.Outside())
	}
	return fmt.Sprintf("%s is outside this module, where nothing is changed", debugger.ShortArguments(fr.Function))
}
