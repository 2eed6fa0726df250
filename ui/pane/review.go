package pane

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/diffview"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/syntax"
	"github.com/pausetui/pausetui/ui/text"
)

// Review shows one candidate whole: in a few lines why, the diff, and below it
// what was proved.
type Review struct {
	c             *Context
	width, height int
	record        session.CandidateRecord
	known         bool
	top, hunk     int
	openedAt      string   // the candidate that ranked first when this one was opened
	lead, more    []string // the words above and below the diff
	changes       Changes
	diff          diffview.View
	drawn         diffKey
	cache         syntax.Cache
}

// diffKey is what a drawn diff depends on.
type diffKey struct {
	id, draft string
	test      string // of the regression test, and whether it is left out
	width     int
	split     bool
	theme     string
	cursor    diffview.HunkRef
}

// NewReview returns the pane.
func NewReview() *Review { return &Review{} }

// Open shows a candidate from its beginning, while best ranks first.
func (p *Review) Open(best string) {
	p.top, p.hunk, p.openedAt = 0, 0, best
	p.changes.shown, p.changes.opened, p.changes.row = false, false, 0
}

// Changes is the page of what the candidate changes.
func (p *Review) Changes() *Changes { return &p.changes }

// ToggleChanges shows what the candidate changes in what functions answer, or the diff again.
func (p *Review) ToggleChanges() {
	p.changes.toggle()
	p.redraw()
}

// Back closes what was opened last of that page; false where nothing is.
func (p *Review) Back() bool { return p.changes.back() }

// ShowTest goes to the diff of the regression test.
func (p *Review) ShowTest() {
	p.changes.shown = false
	p.redraw()
	for i, h := range p.diff.Hunks {
		if p.IsTest(h.File) {
			p.goToHunk(i)
			p.redraw()
			return
		}
	}
}

// Title is the candidate's own, its checks are the note.
func (p *Review) Title() (string, string) {
	if !p.known {
		return "Fix", ""
	}
	return "Fix " + FixNumber(p.record.ID) + " · " + text.Line(p.record.Title), ""
}

// Note is what was proved, for the right end of the border.
func (p *Review) Note() string {
	if !p.known {
		return ""
	}
	title, _ := p.Title()
	standing := Standing(p.c, p.record, p.width-text.Width(title)-30)
	room := p.width - text.Width(title) - text.Width(standing) - 4
	return standing + " " + Badges(p.c, p.record, max(room, 24))
}

// Sync takes in what has happened.
func (p *Review) Sync(c *Context) {
	p.c = c
	p.record, p.known = c.State.Candidate(c.Candidate)
	p.redraw()
}

// Resize says how much room there is.
func (p *Review) Resize(w, h int) {
	p.width, p.height = w, h
	if p.c != nil {
		p.redraw()
	}
}

// Edits is the changes that are being looked at: the candidate's own, then its
// regression test.
func (p *Review) Edits() []patch.Edit {
	if t := p.record.Test(); t != nil {
		return append(slices.Clip(p.record.Edits), t.Edit)
	}
	return p.record.Edits
}

// IsTest reports whether a file of the diff is the regression test's.
func (p *Review) IsTest(file string) bool {
	t := p.record.Test()
	return t != nil && t.Edit.File == file
}

// OwnHunks is how many hunks there are, without those of the regression test.
func (p *Review) OwnHunks() int {
	n := 0
	for _, h := range p.diff.Hunks {
		if !p.IsTest(h.File) {
			n++
		}
	}
	return n
}

// Hunk is the hunk that keys act on; false when there is none.
func (p *Review) Hunk() (diffview.HunkRef, bool) {
	if p.hunk < len(p.diff.Hunks) {
		return p.diff.Hunks[p.hunk], true
	}
	return diffview.HunkRef{}, false
}

// Hunks is how many there are.
func (p *Review) Hunks() int { return len(p.diff.Hunks) }

func (p *Review) redraw() {
	if !p.known || p.width <= 0 {
		return
	}
	p.changes.c, p.changes.record, p.changes.width, p.changes.height = p.c, p.record, p.width, p.height
	if p.changes.shown {
		p.changes.draw()
	}
	lead, whole := p.above()
	p.lead, p.more = lead, p.below(!whole)
	key := diffKey{id: p.record.ID, draft: fmt.Sprint(p.c.Draft), width: p.width, split: p.c.Split,
		theme: p.c.Theme.ID}
	left, notes := p.testOptions(&key)
	key.cursor, _ = p.Hunk()
	if key == p.drawn {
		return
	}
	p.diff = diffview.Render(p.Edits(), diffview.Options{
		Lines: p.cache.Lines, Width: p.width, Split: p.c.Split, Wrap: true,
		Left: left, Notes: notes, Cursor: key.cursor, Palette: p.c.Theme.Diff(),
	})
	p.hunk = max(min(p.hunk, len(p.diff.Hunks)-1), 0)
	if cursor, _ := p.Hunk(); cursor != key.cursor {
		p.drawn = diffKey{}
		p.redraw() // the first drawing found which hunks there are
		return
	}
	p.drawn = key
	p.clamp()
}

// testOptions says how the regression test is drawn: named, and as left out
// where it is.
func (p *Review) testOptions(key *diffKey) (left map[string]map[int]bool, notes map[string]string) {
	t := p.record.Test()
	if t == nil {
		return p.c.Draft, nil
	}
	key.test = fmt.Sprint(t.Name, p.c.NoTest)
	left = maps.Clone(p.c.Draft)
	if p.c.NoTest {
		if left == nil {
			left = map[string]map[int]bool{}
		}
		hunks := map[int]bool{}
		for i := range patch.Hunks(t.Edit) {
			hunks[i] = true
		}
		left[t.Edit.File] = hunks
	}
	label := "regression test from the captured values"
	if t.Asserts != "" {
		label = "regression test · " + text.Line(t.Asserts)
	}
	return left, map[string]string{t.Edit.File: label}
}

func (p *Review) total() int {
	return len(p.lead) + len(p.diff.Lines) + len(p.more)
}

func (p *Review) clamp() { p.top = max(min(p.top, p.total()-p.height), 0) }

// Key scrolls through the candidate and moves from hunk to hunk.
func (p *Review) Key(a keymap.Action) (Effect, bool) {
	if p.changes.shown {
		return nil, p.changes.key(a)
	}
	switch a {
	case keymap.Up:
		p.step(-1)
	case keymap.Down:
		p.step(1)
	case keymap.HunkPrev:
		p.goToHunk(p.hunk - 1)
	case keymap.HunkNext:
		p.goToHunk(p.hunk + 1)
	case keymap.PageUp:
		p.ScrollBy(-max(p.height-2, 1))
	case keymap.PageDown:
		p.ScrollBy(max(p.height-2, 1))
	case keymap.Top:
		p.top, p.hunk = 0, 0
	case keymap.Bottom:
		p.top, p.hunk = p.total(), max(len(p.diff.Hunks)-1, 0)
		p.clamp()
	default:
		return nil, false
	}
	p.redraw()
	return nil, true
}

// goToHunk puts the cursor on a hunk, and the hunk in view.
func (p *Review) goToHunk(n int) {
	p.hunk = max(min(n, len(p.diff.Hunks)-1), 0)
	if h, ok := p.Hunk(); ok {
		p.top = len(p.lead) + p.diff.HunkLine[h] - 1
		p.clamp()
	}
}

// step scrolls by a line, and where nothing is left to scroll goes on to the
// next hunk.
func (p *Review) step(d int) {
	end := max(p.total()-p.height, 0)
	next := p.top + d
	if next >= 0 && next <= end && (d > 0 || p.hunk <= p.hunkInView()) {
		p.top = next
		p.hunk = p.hunkInView()
		return
	}
	p.hunk = max(min(p.hunk+d, len(p.diff.Hunks)-1), 0)
}

// hunkInView is the last hunk that begins in the upper part of the window.
func (p *Review) hunkInView() int {
	at := 0
	for i, h := range p.diff.Hunks {
		if len(p.lead)+p.diff.HunkLine[h] <= p.top+p.height/3 {
			at = i
		}
	}
	return at
}

// Click puts the cursor on the hunk that was clicked.
func (p *Review) Click(y int) Effect {
	if p.changes.shown {
		p.changes.click(y)
		return nil
	}
	for i, h := range p.diff.Hunks {
		if len(p.lead)+p.diff.HunkLine[h] <= p.top+y {
			p.hunk = i
		}
	}
	p.redraw()
	return nil
}

// ScrollBy scrolls.
func (p *Review) ScrollBy(n int) {
	if p.changes.shown {
		p.changes.scrollBy(n)
		return
	}
	p.top += n
	p.clamp()
	if p.total() > p.height {
		p.hunk = p.hunkInView()
	}
	p.redraw()
}

// Needs nothing: candidates hold their files.
func (p *Review) Needs() []inspect.Need { return nil }

// View draws what is in the window.
func (p *Review) View(open bool) []string {
	if !p.known {
		return []string{p.c.Theme.Dim.Render("This fix is not known any more; esc goes back.")}
	}
	if !open { // a preview: what it changes, then why
		all := slices.Concat(p.diff.Lines, p.below(true))
		return all[:min(len(all), p.height)]
	}
	all, top := p.changes.lines, p.changes.top
	if !p.changes.shown {
		all, top = slices.Concat(p.lead, p.diff.Lines, p.more), p.top
	}
	from := max(min(top, len(all)-1), 0)
	return all[from:min(from+p.height, len(all))]
}

// Extent is the part of the rows that is shown.
func (p *Review) Extent() Extent {
	if p.changes.shown {
		return Extent{p.changes.top, p.height, len(p.changes.lines)}
	}
	return Extent{p.top, p.height, p.total()}
}
