package verify

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/subject"
)

// callsOf are the calls that led to the function of a point when the program stopped.
func callsOf(v *Verifier, p effect.Point) []review.Call {
	var calls []review.Call
	called := ""
	for _, f := range v.Subject.Stop.Frames {
		_, name := debugger.CutFunction(subject.Named(f.Function))
		if called == "" && (name != p.Function || f.File != v.Subject.Workspace.Abs(p.File)) {
			continue
		}
		if called != "" {
			text, err := v.Source(f.File, nil)
			if err != nil {
				break
			}
			calls = append(calls, review.Call{File: v.Subject.Workspace.Rel(f.File), Text: text, Line: f.Line, Called: called})
		}
		called = name[strings.LastIndex(name, ".")+1:]
	}
	return calls
}

// ignored names a caller that does not look at the error of a point. Callers on the stack that
// the candidate changes do something else now.
func (a *patched) ignored(p effect.Point) string {
	_, after := a.packageFiles(path.Dir(p.File))
	calls := callsOf(a.v, p)
	if i := slices.IndexFunc(calls, a.changesCaller); i >= 0 {
		calls = calls[:i]
	}
	name, file, line := review.Ignored(after, p, calls)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("which %s ignores (%s:%d)", name, file, line)
}

// changesCaller reports whether the candidate changes the function that a call stands in.
func (a *patched) changesCaller(c review.Call) bool {
	_, after := a.packageFiles(path.Dir(c.File))
	text, ok := after[c.File]
	return ok && c.Changed(text)
}
