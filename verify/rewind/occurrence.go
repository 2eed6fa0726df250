package rewind

import (
	"context"
	"fmt"
	"go/ast"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/past"
	"github.com/pausetui/pausetui/verify/subject"
)

// A program that recovers from panics may fail at one statement several times. The run in the
// sandbox goes on after each, so the one at which the program is paused has to be found in it.

// occurrence is how many steps had begun when the statement began at which the target is
// paused, in a run that went on after it. several tells that it failed there more often, and
// that panics at which the target did not stop would count, too.
func (v *Program) occurrence(code *workspace.Code, trail *past.Trail) (begun uint64, several bool, err error) {
	s, _ := v.Site()
	where := fmt.Sprintf("%s:%d", v.Subject.Workspace.Rel(s.File), s.Line)
	all := trail.All(s.File, s.Line)
	if len(all) == 0 {
		all = trail.All(s.File, v.begins(code, s))
	}
	if len(all) == 0 {
		return 0, false, fmt.Errorf("the run in the sandbox did not come to %s", where)
	}
	failed, sure := v.failures(code, trail, all)
	n := v.Subject.Earlier
	switch {
	case len(failed) == 0:
		return 0, false, fmt.Errorf("the run in the sandbox did not fail at %s", where)
	case v.Subject.Run.Repro.Command != "": // only what led to this stop is repeated
		return failed[len(failed)-1], false, nil
	case !trail.Whole():
		return 0, false, fmt.Errorf("which of the runs of %s the program is paused at is not known: only the last %d statements are recorded", where, trail.End()-trail.First())
	case len(failed) == 1 && n == 0:
		return failed[0], false, nil
	case !sure:
		return 0, false, fmt.Errorf("the run in the sandbox may have failed at %s %s: which of these the program is paused at is not known", where, finding.Count(len(failed), "time"))
	case n >= len(failed):
		return 0, false, fmt.Errorf("this is failure %d at %s, but the run in the sandbox failed there only %s", n+1, where, finding.Count(len(failed), "time"))
	}
	return failed[n], !v.Subject.Counted, nil
}

// failures are the runs of the statement that failed; sure tells that these are no others.
func (v *Program) failures(code *workspace.Code, trail *past.Trail, all []uint64) (failed []uint64, sure bool) {
	s, _ := v.Site()
	if isLoopHead(code, s) { // only the first turn is a step
		return all, false
	}
	recovers := mayRecover(code, s)
	sure = true
	for _, at := range all {
		if trail.Passed(at) || !recovers && trail.Returned(at) {
			continue
		}
		failed = append(failed, at)
		sure = sure && !(recovers && trail.Returns(at))
	}
	return failed, sure
}

// mayRecover reports whether the function around a site defers something, which may recover.
func mayRecover(code *workspace.Code, s subject.Site) bool {
	fn, ok := code.FuncAt(s.File, s.Line)
	if !ok {
		return true
	}
	for n := range ast.Preorder(fn.Decl) {
		if _, ok := n.(*ast.DeferStmt); ok {
			return true
		}
	}
	return false
}

// isLoopHead reports whether a site is the head of a loop.
func isLoopHead(code *workspace.Code, s subject.Site) bool {
	switch code.StatementAt(s.File, s.Line).(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// begins is the line on which the statement begins that a site is in.
func (v *Program) begins(code *workspace.Code, s subject.Site) int {
	if stmt := code.StatementAt(s.File, s.Line); stmt != nil {
		return min(s.Line, code.Fset.Position(stmt.Pos()).Line)
	}
	return s.Line
}

// goesOn reports whether the program went on after the stop, so that what a run of it has
// recorded last may be about another one.
func (v *Program) goesOn() bool {
	return v.Subject.Stop.LivesOn() && v.Subject.Stop.Test == nil && v.Subject.Run.Repro.Command == ""
}

// upToThePause is what a recorder has recorded up to the stop: where its run came to that
// statement once more, it runs again, and records no longer. gaps say what is not sure of it.
func (v *Program) upToThePause(ctx context.Context, code *workspace.Code, r recorder, dir string, data []byte) (now []byte, gaps []string, err error) {
	trail, err := r.steps.Read(data)
	if err != nil {
		return nil, nil, err
	}
	at, several, err := v.occurrence(code, trail)
	if err != nil {
		return nil, nil, err
	}
	if several {
		gaps = append(gaps, severalTimes)
	}
	now, _, _, err = v.recorded(ctx, r.binary, dir, trail.Left(at))
	if err != nil {
		return nil, nil, err
	}
	again, err := r.steps.Read(now)
	if err != nil || !trail.Same(again, at+1) {
		return nil, nil, ErrDiffers
	}
	return now, gaps, nil
}

const severalTimes = "the program fails there several times: panics at which it did not stop are not counted"
