package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

func (m *model) openReview(id string) {
	m.selectCandidate(id)
	m.reviewing = true
	m.focus = layout.Fixes
	m.panes.review.Open(m.panes.fixes.Best())
}

func (m *model) leaveReview() { m.reviewing, m.ctx.Draft, m.ctx.NoTest = false, nil, false }

func (m *model) selectCandidate(id string) {
	if id != m.ctx.Candidate {
		m.ctx.Draft, m.ctx.NoTest = nil, false
	}
	m.ctx.Candidate, m.picked = id, true
}

// otherCandidate selects a neighbour, and goes there.
func (m *model) otherCandidate(d int) {
	order := m.panes.fixes.Order()
	i := slices.Index(order, m.ctx.Candidate) + d
	i = max(min(i, len(order)-1), 0)
	m.goToCandidate(order[i])
}

// goToCandidate selects a candidate, and goes there.
func (m *model) goToCandidate(id string) {
	m.selectCandidate(id)
	if m.reviewing {
		m.panes.review.Open(m.panes.fixes.Best())
		return
	}
	m.setFocus(layout.Fixes)
}

// reviewAction carries out what means something else while a candidate is
// open; done is false for the rest.
func (m *model) reviewAction(a keymap.Action) (cmd tea.Cmd, done bool) {
	switch a {
	case keymap.Back:
		m.leaveReview()
	case keymap.Hunk:
		m.toggleHunk()
	case keymap.Open:
		m.proveDraft()
	default:
		_, done = m.panes.review.Key(a)
		return nil, done
	}
	return nil, true
}

// toggleHunk takes or leaves the hunk under the cursor. It is a draft until it
// is proved as a candidate of its own.
func (m *model) toggleHunk() {
	h, ok := m.panes.review.Hunk()
	if !ok {
		return
	}
	if m.panes.review.IsTest(h.File) { // taken or left as a whole, and nothing to prove anew
		m.ctx.NoTest = !m.ctx.NoTest
		return
	}
	draft := map[string]map[int]bool{}
	for file, left := range m.ctx.Draft {
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
	m.ctx.Draft = draft
}

// proveDraft makes a candidate of what is left; it is proved like any other.
func (m *model) proveDraft() {
	if len(m.ctx.Draft) == 0 {
		return
	}
	left, count := map[string][]int{}, 0
	for file, hunks := range m.ctx.Draft {
		for i := range hunks {
			left[file] = append(left[file], i)
			count++
		}
		slices.Sort(left[file])
	}
	if count >= m.panes.review.OwnHunks() {
		m.say("warn", "every hunk is left out: nothing remains to be proved")
		return
	}
	m.follow = m.ctx.Candidate
	m.face.Do(engine.LeaveHunks{Candidate: m.ctx.Candidate, Left: left})
	m.say("info", "this selection is being proved as a candidate of its own")
}

// approve asks; only y applies.
func (m *model) approve() {
	if len(m.ctx.Draft) > 0 {
		m.proveDraft()
		return
	}
	if !m.reviewing {
		m.openReview(m.ctx.Candidate)
	}
	r, _ := m.ctx.State.Candidate(m.ctx.Candidate)
	place, of := m.place()
	body := []string{r.Title, "Changes " + strings.Join(r.Files(), ", ") + "."}
	switch {
	case r.Verified():
		body = append(body, r.Verdict.Label()+": "+pane.Proved(r)+".")
	case r.Passes():
		body = append(body, r.Verdict.Label()+".")
	case r.Verdict == nil:
		body = append(body, "⚠ It is still being proved.")
	default:
		body = append(body, "⚠ It is not verified: "+reasonOr(r, "see its checks")+".")
	}
	if t := r.Test(); t != nil {
		body = append(body, m.testWords(t))
	}
	if r.Passes() {
		m.face.Do(engine.Prepare{Candidate: r.ID, WithoutTest: m.ctx.NoTest})
	}
	yes := "applies it and restarts"
	if !m.ctx.State.Started.Mode.Starts() {
		yes = "applies it"
	}
	m.dialog = &dialog.Confirm{
		Head: fmt.Sprintf("Approve fix %d of %d?", place, of), Body: body,
		Yes: yes, Do: engine.Approve{Candidate: r.ID, WithoutTest: m.ctx.NoTest},
	}
}

// testWords says what becomes of the regression test.
func (m *model) testWords(t *patch.RegressionTest) string {
	if m.ctx.NoTest {
		return "Its regression test is left out."
	}
	words := fmt.Sprintf("Adds %s to %s", t.Name, t.Edit.File)
	if t.Asserts != "" {
		words += " (asserts: " + text.Line(t.Asserts) + ")"
	}
	return words + "."
}

// allow asks whether the proofs may do what the sandbox blocked.
func (m *model) allow() {
	r, _ := m.ctx.State.Candidate(m.ctx.Candidate)
	blocked := pane.Blocked(r)
	if len(blocked) == 0 {
		return
	}
	what := blocked[0] // one consent at a time
	if file, one := strings.CutPrefix(what, verdict.AllowFile); one {
		m.dialog = &dialog.Confirm{
			Head: "Allow reading this file?",
			Body: []string{file, "The candidate's run was refused it. It is shown to the proofs for the rest of this session, read-only, and what could not be decided is proved again."},
			Yes:  "allows only this file", Do: engine.Allow{What: what},
			Key2: "h", Yes2: "allows " + allowWords[verdict.AllowFiles], Do2: engine.Allow{What: verdict.AllowFiles},
		}
		return
	}
	body := "Candidates are run before anyone has read them. This opens the sandbox for the rest of this session, and proves again what could not be decided."
	if what == verdict.AllowDirectives {
		body = "Candidates are built before anyone has read them, and these have C compilers and the go command read files. They are built in the sandbox for the rest of this session, and what was refused is proved again."
	}
	m.dialog = &dialog.Confirm{
		Head: "Allow " + allowWords[what] + "?", Body: []string{body},
		Yes: "allows it", Do: engine.Allow{What: what},
	}
}

var allowWords = map[string]string{
	verdict.AllowNetwork: "the real network",
	verdict.AllowFiles:   "your files, the home directory too",

	verdict.AllowDirectives: "cgo, assembly and embedded files",
}

func reasonOr(r session.CandidateRecord, other string) string {
	if why := pane.Reason(r); why != "" {
		return strings.TrimSuffix(why, ".")
	}
	return other
}

// reject asks for the reason.
func (m *model) reject() {
	id := m.ctx.Candidate
	r, _ := m.ctx.State.Candidate(id)
	m.dialog = &dialog.Input{
		Head: "Reject: " + r.Title, Body: "Why? The reason goes back to the model and into the log. It may be empty.", Enter: "rejects",
		Make: func(reason string) any { return engine.Reject{Candidate: id, Reason: strings.TrimSpace(reason)} },
	}
}

// hunkEdit is the edit that the cursor is on: the first one outside a review.
func (m *model) hunkEdit(c patch.Candidate) (patch.Edit, bool) {
	if h, ok := m.panes.review.Hunk(); ok && m.reviewing {
		for _, e := range c.Edits {
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

// firstChange is the first line that an edit changes, in the new file.
func firstChange(e patch.Edit) int {
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
