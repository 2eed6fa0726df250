// Package review opens a candidate, leaves out hunks of it, and approves or rejects it
// as the person says.
package review

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/diffview"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Review chooses among candidates, and decides on the one that is open.
type Review struct {
	*common.Common
	Picked  bool   // the person chose the candidate
	Follow  string // the candidate whose successor is to be opened when it comes
	testing string // the candidate whose test is to be shown when it is made
}

// Open opens a candidate.
func (rev *Review) Open(id string) {
	rev.SelectCandidate(id)
	rev.Reviewing = true
	rev.Focus = layout.Fixes
	rev.Panes.Review.Open(rev.Panes.Fixes.Best())
	if r, ok := rev.Ctx.State.Candidate(id); ok && r.Behavior == nil && !r.Proving() {
		rev.Engine.Do(intent.Compare{Candidate: id})
	}
}

// SelectCandidate selects a candidate.
func (rev *Review) SelectCandidate(id string) {
	if id != rev.Ctx.Candidate {
		rev.Ctx.Draft, rev.Ctx.NoTest = nil, false
	}
	rev.Ctx.Candidate, rev.Picked = id, true
}

// OtherCandidate selects a neighbor, and goes there.
func (rev *Review) OtherCandidate(d int) {
	order := rev.Panes.Fixes.Order()
	i := slices.Index(order, rev.Ctx.Candidate) + d
	switch {
	case i < 0 && d < 0:
		rev.Say("info", "this is the first fix of the list")
	case i >= len(order):
		rev.Say("info", "this is the last fix of the list")
	}
	rev.GoToCandidate(order[max(min(i, len(order)-1), 0)])
}

// GoToCandidate selects a candidate, and goes there.
func (rev *Review) GoToCandidate(id string) {
	rev.SelectCandidate(id)
	if rev.Reviewing {
		rev.Panes.Review.Open(rev.Panes.Fixes.Best())
		return
	}
	rev.SetFocus(layout.Fixes)
}

// Action carries out what means something else while a candidate is
// open; done is false for the rest.
func (rev *Review) Action(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Back:
		if !rev.Panes.Review.Back() {
			rev.LeaveReview()
		}
	case keymap.Split:
		if !rev.Panes.Review.Changes().Shown() {
			return nil, false
		}
		rev.assertRow()
	case keymap.Hunk:
		if !rev.Panes.Review.Changes().Shown() {
			rev.toggleHunk()
		}
	case keymap.Open:
		if rev.Panes.Review.Changes().Shown() {
			rev.Panes.Review.Key(a)
		} else {
			rev.proveDraft()
		}
	default:
		_, done = rev.Panes.Review.Key(a)
		return nil, done
	}
	return nil, true
}

// toggleHunk takes or leaves the hunk under the cursor. It is a draft until it
// is proved as a candidate of its own.
func (rev *Review) toggleHunk() {
	h, ok := rev.Panes.Review.Hunk()
	if !ok {
		return
	}
	if rev.Panes.Review.IsTest(h.File) { // taken or left as a whole, and nothing to prove again
		rev.Ctx.NoTest = !rev.Ctx.NoTest
		return
	}
	draft := map[string]map[int]bool{}
	for file, left := range rev.Ctx.Draft {
		draft[file] = map[int]bool{}
		for i := range left {
			draft[file][i] = true
		}
	}
	if draft[h.File] == nil {
		draft[h.File] = map[int]bool{}
	}
	if draft[h.File][h.Hunk] {
		delete(draft[h.File], h.Hunk)
	} else {
		draft[h.File][h.Hunk] = true
	}
	if len(draft[h.File]) == 0 {
		delete(draft, h.File)
	}
	rev.Ctx.Draft = draft
}

// proveDraft makes a candidate of what is left; it is proved like any other.
func (rev *Review) proveDraft() {
	if len(rev.Ctx.Draft) == 0 {
		return
	}
	left := map[string][]int{}
	for file, hunks := range rev.Ctx.Draft {
		for i := range hunks {
			left[file] = append(left[file], i)
		}
		slices.Sort(left[file])
	}
	if rev.Ctx.LeftOut() >= rev.Panes.Review.OwnHunks() {
		rev.Say("warn", "every hunk is left out: nothing remains to be proved")
		return
	}
	rev.Follow = rev.Ctx.Candidate
	rev.Engine.Do(intent.LeaveHunks{Candidate: rev.Ctx.Candidate, Left: left})
	rev.Say("info", "this selection is a fix of its own, in the list")
}

// SplitWidth is the least width at which a diff is drawn side by side, with the border.
const SplitWidth = diffview.SplitWidth + 4

// Split draws the diff side by side, where there is room, or below each other again.
func (rev *Review) Split() {
	if rev.Width < SplitWidth && !rev.Ctx.Split {
		rev.Say("info", fmt.Sprintf("side by side needs %d columns; here are %d", SplitWidth, rev.Width))
		return
	}
	rev.Ctx.Split = !rev.Ctx.Split
}

// Changes shows what the candidate changes in what functions answer, or the diff again.
func (rev *Review) Changes() {
	if !rev.Reviewing {
		rev.Open(rev.Ctx.Candidate)
	}
	rev.Panes.Review.ToggleChanges()
}

// assertRow has the candidate's regression test assert the row of the page, or no longer.
// Its diff is shown when it is made.
func (rev *Review) assertRow() {
	row, ok := rev.Panes.Review.Changes().Row()
	if !ok {
		return
	}
	rev.Engine.Do(intent.AssertRow{Candidate: rev.Ctx.Candidate, Row: row})
	rev.Say("info", "the test is being made; its diff is shown then")
	rev.testing = rev.Ctx.Candidate
}

// Asserted shows the diff of the test that was asked for.
func (rev *Review) Asserted(b *session.Asserted) {
	if rev.testing != b.Candidate || rev.Ctx.Candidate != b.Candidate || !rev.Reviewing {
		return
	}
	rev.testing = ""
	if b.Test != nil {
		rev.Panes.Review.Sync(rev.Ctx)
		rev.Panes.Review.ShowTest()
		rev.Say("info", "this is the test; "+rev.Ctx.Keys.Key(keymap.Approve)+" applies the fix with it")
	}
}

// Decided says why there is nothing to decide about a candidate; empty where there is.
func Decided(s session.State, c session.CandidateRecord) string {
	switch {
	case s.AppliedInstead(c.ID) != "":
		return pane.Fix(s.AppliedInstead(c.ID)) + " is applied in place of this one: u takes it back"
	case c.Decision == session.Approved:
		return "this fix is applied: u takes it back"
	case c.Decision == session.Rejected:
		return "this fix was rejected"
	}
	return ""
}

// Approve asks; only y applies.
func (rev *Review) Approve() {
	if len(rev.Ctx.Draft) > 0 {
		rev.proveDraft()
		return
	}
	if !rev.Reviewing {
		rev.Open(rev.Ctx.Candidate)
	}
	r, _ := rev.Ctx.State.Candidate(rev.Ctx.Candidate)
	var body []string // its diff is in sight
	if files := r.Files(); len(files) > 1 {
		body = append(body, "Changes "+strings.Join(files, ", ")+".")
	}
	switch {
	case r.Verified():
		body = append(body, r.Verdict.Label()+": "+pane.Proved(r)+".")
	case r.Passes():
		words := r.Verdict.Label()
		if check, ok := r.Against(); ok && check.Status != verdict.Warn {
			words += ": " + strings.TrimSuffix(check.Detail, ".")
		}
		body = append(body, words+".")
	case r.Proving():
		body = append(body, "⚠ It is still being proved.")
		if r.LosesTest() {
			body = append(body, "Approved now, it comes without its regression test.")
		}
	case r.Cut:
		body = append(body, "⚠ It is not proved: its proof was stopped.")
	default:
		body = append(body, "⚠ It is not verified: "+reasonOr(r, "see its checks")+".")
	}
	body = append(body, warned(r)...)
	if t := r.Test(); t != nil {
		body = append(body, rev.testWords(t))
	}
	if r.Passes() {
		rev.Engine.Do(intent.Prepare{Candidate: r.ID, WithoutTest: rev.Ctx.NoTest})
	}
	approval := intent.Approve{Candidate: r.ID, WithoutTest: rev.Ctx.NoTest}
	if t := r.Test(); t != nil && !rev.Ctx.NoTest {
		approval.Test = t.Name
	}
	yes := "applies it and restarts"
	if !rev.Ctx.State.Started.Mode.Starts() {
		yes = "applies it"
	}
	rev.Dialog = &dialog.Confirm{
		Head: "Approve " + pane.Fix(r.ID) + ": " + r.Title + "?", Body: body,
		Yes: yes, Do: approval, Compact: true,
	}
}

// warned are the warnings of a candidate's checks, in words.
func warned(r session.CandidateRecord) []string {
	var list []string
	for _, c := range r.Checks {
		if c.Status == verdict.Warn && c.Name != verdict.Masking && c.Detail != "" {
			list = append(list, "⚠ "+c.Name+": "+strings.TrimSuffix(text.Line(c.Detail), ".")+".")
		}
	}
	return list
}

// testWords says what becomes of the regression test.
func (rev *Review) testWords(t *patch.RegressionTest) string {
	if rev.Ctx.NoTest {
		return "Its regression test is left out."
	}
	words := fmt.Sprintf("Adds %s to %s", t.Name, t.Edit.File)
	if t.Asserts != "" {
		words += " (asserts: " + text.Line(t.Asserts) + ")"
	}
	words += "."
	if t.Asks() {
		words += " Approving confirms the new ones."
	}
	return words
}

// Allow asks whether the proofs may do what the sandbox blocked.
func (rev *Review) Allow() {
	r, _ := rev.Ctx.State.Candidate(rev.Ctx.Candidate)
	blocked := pane.Blocked(r)
	if len(blocked) == 0 {
		return
	}
	what := blocked[0] // one consent at a time
	if file, one := strings.CutPrefix(what, verdict.AllowFile); one {
		rev.Dialog = &dialog.Confirm{
			Head: "Allow reading this file?",
			Body: []string{file, "The run of the fix was denied access to it. Proofs may read it for the rest of this session, and what could not be decided is proved again."},
			Yes:  "allows only this file", Do: intent.Allow{What: what},
			Key2: "h", Yes2: "allows " + allowWords[verdict.AllowFiles], Do2: intent.Allow{What: verdict.AllowFiles},
		}
		return
	}
	body := "Fixes are run before anyone has read them. This opens the sandbox for the rest of this session, and proves again what could not be decided."
	if what == verdict.AllowDirectives {
		body = "Fixes are built before anyone has read them, and these have C compilers and the go command read files. They are built in the sandbox for the rest of this session, and what was refused is proved again."
	}
	rev.Dialog = &dialog.Confirm{
		Head: "Allow " + allowWords[what] + "?", Body: []string{body},
		Yes: "allows it", Do: intent.Allow{What: what},
	}
}

var allowWords = map[string]string{
	verdict.AllowNetwork: "network access",
	verdict.AllowFiles:   "all your files, also in the home directory",

	verdict.AllowDirectives: "cgo, assembly and embedded files",
}

func reasonOr(r session.CandidateRecord, other string) string {
	if why := pane.Reason(r); why != "" {
		return strings.TrimSuffix(why, ".")
	}
	return other
}

// Reject asks for the reason.
func (rev *Review) Reject() {
	id := rev.Ctx.Candidate
	r, _ := rev.Ctx.State.Candidate(id)
	rev.Dialog = &dialog.Input{
		Head: "Reject " + pane.Fix(id) + ": " + r.Title, Body: "Why? The reason goes back to the model and into the log. It may be empty.", Enter: "rejects",
		Make: func(reason string) any { return intent.Reject{Candidate: id, Reason: strings.TrimSpace(reason)} },
	}
}

// HunkEdit is the edit that the cursor is on: the first one outside a review.
func (rev *Review) HunkEdit(c session.CandidateRecord) (patch.Edit, bool) {
	if h, ok := rev.Panes.Review.Hunk(); ok && rev.Reviewing {
		for _, e := range c.ToWrite() {
			if e.File == h.File {
				return e, true
			}
		}
	}
	if len(c.Edits) == 0 {
		return patch.Edit{}, false
	}
	return c.Edits[0], true
}

// FirstChange is the first line that an edit changes, in the new file.
func FirstChange(e patch.Edit) int {
	hunks := patch.Hunks(e)
	if len(hunks) == 0 {
		return 1
	}
	for _, l := range hunks[0].Lines {
		if l.Op == patch.Add {
			return l.New
		}
	}
	return hunks[0].NewStart
}

// ChooseCandidate selects the best candidate until the person chose one.
func (rev *Review) ChooseCandidate() {
	order := rev.Panes.Fixes.Order()
	for _, id := range order {
		if id == rev.Ctx.Candidate && (rev.Picked || rev.Reviewing) {
			return
		}
	}
	rev.Ctx.Candidate, rev.Picked = "", false
	if len(order) > 0 {
		rev.Ctx.Candidate = order[0]
	}
	rev.Panes.Fixes.Sync(rev.Ctx)
}

// Proposed opens the successor of a candidate that was edited or narrowed down.
func (rev *Review) Proposed(b *session.Proposed) {
	if rev.Follow == "" || b.Candidate.Parent != rev.Follow {
		return
	}
	rev.turnTo(b.Candidate.ID)
}

// Agreed opens the fix that makes the change already which a person has made of another.
func (rev *Review) Agreed(b *session.Agreed) {
	if rev.Follow != "" && b.Request == "" {
		rev.turnTo(b.Candidate)
	}
}

// turnTo shows a fix instead of the one that it was made of.
func (rev *Review) turnTo(id string) {
	rev.Follow = ""
	rev.Ctx.Candidate, rev.Picked = id, true
	rev.Ctx.Draft = nil
	if rev.Reviewing {
		rev.Panes.Review.Open(rev.Panes.Fixes.Best())
	}
}

// Undo asks whether the last applied fix is to be taken back.
func (rev *Review) Undo() {
	a, _ := rev.Ctx.State.Undoable()
	files := make([]string, len(a.Files))
	for i, f := range a.Files {
		files[i] = f.File
	}
	title := pane.Fix(a.Candidate)
	if c, ok := rev.Ctx.State.Candidate(a.Candidate); ok {
		title = text.Line(c.Title)
	}
	rev.Dialog = &dialog.Confirm{
		Head: "Undo the applied change?",
		Body: []string{fmt.Sprintf("The fix is taken back: %s. Its files: %s.", title, text.Line(strings.Join(files, ", ")))},
		Yes:  "restores the files", Do: intent.Undo{},
	}
}
