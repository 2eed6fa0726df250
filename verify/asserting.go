package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/regress"
	"github.com/pausetui/pausetui/verify/verdict"
)

// keptRows is how many calls of the run that are answered as before a test asserts.
const keptRows = 6

// Asserting makes a test for a candidate whose behavior was compared. It asserts what a
// function answers: to the call that panicked, to calls of the run that are answered as
// before, and on the picked rows of the candidate's Behavior; and it passes with the
// candidate. old is the candidate's regression test, nil without one: where the new one
// does not make the call that panicked, it stays. why says why there is no such test.
func (v *Verifier) Asserting(ctx context.Context, c patch.Candidate, old *patch.RegressionTest, picked []int) (made *patch.RegressionTest, why string, err error) {
	done, ok := v.compared.of(c.ID)
	if !ok || v.Subject.Code == nil {
		return nil, "its functions were not called again", nil
	}
	_, failing := v.stillFail.Load(c.ID)
	answers, why := done.answers(picked, !failing)
	if why == otherFunction && v.isCompared(ctx, done) {
		why = "what the call that stopped the program returns is unknown"
	}
	for _, e := range c.Edits {
		if why == "" && strings.HasSuffix(e.File, ".go") {
			why = regress.Supplies(e.Before, e.After)
		}
	}
	if why != "" {
		return nil, why, nil
	}
	if !answers.Stops() {
		answers.Beside = old
	}
	code, err := v.Subject.Code(ctx)
	if err != nil {
		return nil, "its source could not be loaded", ctx.Err()
	}
	t, err := regress.Table(ctx, evidence.Case{Stop: v.Subject.Stop, Workspace: v.Subject.Workspace, Code: code}, answers)
	if err != nil {
		return nil, reason(err.Error()), ctx.Err()
	}
	why, err = v.passesWith(ctx, c, t)
	if why != "" || err != nil {
		return nil, reason("the test that asserts them " + why), err
	}
	return &t, "", nil
}

// reason is why a test asserts no more, in a line that a comment can have: it may quote
// what a candidate has written.
func reason(words string) string {
	const most = 160 // bytes
	return finding.Shortened(printable.Line(words), most)
}

// passesWith runs a test with a candidate, and tells why it does not pass.
func (v *Verifier) passesWith(ctx context.Context, c patch.Candidate, t patch.RegressionTest) (why string, err error) {
	a, err := v.patched(c, "asserting")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(a.dir) }()
	r := reproduction{file: filepath.Clean(v.Subject.Workspace.Abs(t.Edit.File))}
	if r.why = unfit(v, t, r.file); r.why != "" {
		return r.why, nil
	}
	if r.pkg, r.why, err = v.packageOf(ctx, r.file); r.why != "" || err != nil {
		return r.why, err
	}
	return a.passes(ctx, 0, t, r)
}

// otherFunction is why there is no answer to the call that panicked.
const otherFunction = "the fix changes a function other than the one that panicked"

// isCompared reports whether the function that the program stopped in is one of those that
// were compared.
func (v *Verifier) isCompared(ctx context.Context, c compared) bool {
	s, _ := v.Site()
	code, err := v.Subject.Code(ctx)
	if err != nil {
		return false
	}
	fn, ok := code.FuncAt(s.File, s.Line)
	if !ok {
		return false
	}
	receiver, _ := patch.Receiver(fn.Decl)
	for _, p := range c.parts {
		for _, f := range p.functions {
			if f.File == s.File && f.Name == fn.Decl.Name.Name && strings.TrimPrefix(f.Receiver, "*") == receiver {
				return true
			}
		}
	}
	return false
}

// picked is a row of a candidate's Behavior.
type picked struct {
	part int
	behavior.Difference
}

// row is the i-th row of the Behavior.
func (c compared) row(i int) (picked, bool) {
	for n, p := range c.parts {
		if i < len(p.rows) && i >= 0 {
			return picked{n, p.rows[i]}, true
		}
		i -= len(p.rows)
	}
	return picked{}, false
}

// stopped is the row of the call that panicked and is answered now.
func (c compared) stopped() (picked, bool) {
	for n, p := range c.parts {
		if i := slices.IndexFunc(p.rows, func(d behavior.Difference) bool { return d.AtStop() && d.Kind == verdict.RowAnswers }); i >= 0 {
			return picked{n, p.rows[i]}, true
		}
	}
	return picked{}, false
}

// answers are the rows of a test, all of one function: of the row that was picked last, or
// the one that panicked. kept tells whether calls of the run that are answered as before
// are rows, too: where a test fails as it did, it may be about one of them.
func (c compared) answers(rows []int, kept bool) (a regress.Answers, why string) {
	var list []picked
	stop, stops := c.stopped()
	if stops {
		list = append(list, stop)
	}
	for _, i := range rows {
		row, ok := c.row(i)
		switch {
		case !ok:
			return a, "there is no such row"
		case row.Kind == verdict.RowPanics:
			return a, "this input has no answer any more"
		case !row.AtStop():
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return a, otherFunction
	}
	last := list[len(list)-1]
	part, number := c.parts[last.part], last.Call.Func
	f, ok := part.function(number)
	if !ok {
		return a, "its function is not known"
	}
	a.File, a.Receiver, a.Name = f.File, f.Receiver, f.Name
	inputs := 0
	for _, row := range list {
		if row.part == last.part && row.Call.Func == number {
			if !row.AtStop() {
				inputs++
			}
			a.Rows = append(a.Rows, regress.Row{Name: rowName(row.Difference, inputs), Args: row.Call.Args, Answer: row.After, New: true, Needed: true, Stops: row.AtStop()})
		}
	}
	if !kept {
		return a, ""
	}
	more := 0
	for _, i := range behavior.Kept(part.before.calls, part.before.first, part.before.again, part.now) {
		if call := part.before.calls[i]; call.Func == number && more < keptRows {
			more++
			a.Rows = append(a.Rows, regress.Row{Name: fmt.Sprintf("call %d of the run", call.Num), Args: call.Args, Answer: part.now[i]})
		}
	}
	return a, ""
}

// rowName says what a row of a test is.
func rowName(d behavior.Difference, n int) string {
	switch {
	case d.AtStop() && d.Before.Panic != "":
		return "the call that panicked"
	case d.AtStop():
		return "the call that failed"
	case d.Call.Away == 0:
		return fmt.Sprintf("call %d of the run", d.Call.Num)
	}
	return fmt.Sprintf("input %d", n)
}
