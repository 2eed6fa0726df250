package pane

import (
	"slices"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Fixes shows the candidates of the last crash, the best first, and the
// proposers that are being asked.
type Fixes struct {
	c             *Context
	width, height int
	order         []string // ids as shown
	top           int      // first line shown
	cursor        int      // among candidates
	caseAt        int
	ranked        []string // ids as session.Rank orders them
	rankedAt      uint64   // the event they were ranked after
	judged        []judged // what they were ranked by, in the order they came
	sizes         map[string]string
	kept          map[string]*drawn
	keptFor       drawing
	seq           uint64            // the event that these were made after:
	printed       map[string]string // by session.Printed
	records       map[string]session.CandidateRecord
	blocks        [][]string // the rows of the candidates, in their order
	total         int        // lines in all, those of the requests among them
	roomy         bool       // all reasons are whole, not only that of the selected one
	followed      string     // the candidate that was selected when it was last put in view
}

// NewFixes returns the pane.
func NewFixes() *Fixes { return &Fixes{caseAt: -1, sizes: map[string]string{}} }

// Title names the pane and says how many there are.
func (p *Fixes) Title() (string, string) {
	n := len(p.order)
	switch {
	case n == 0:
		return "Fixes", ""
	case p.c != nil && p.caseAt != p.c.State.Current:
		return "Fixes", text.Count(int64(n)) + " earlier"
	}
	return "Fixes", text.Count(int64(n))
}

// Empty reports whether there is neither a candidate nor a proposer to show.
func (p *Fixes) Empty(c *Context) bool {
	index := c.State.CaseIndex()
	if index < 0 || len(c.State.Stops[index].Candidates) > 0 {
		return index < 0
	}
	asked := c.State.Requests
	return len(asked) == 0 || asked[len(asked)-1].At.Before(c.State.Stops[index].At) || past(c.State, index)
}

// past reports whether the target is held elsewhere than at a crash for which there is no
// fix: what proposers said of that crash does not say anything about this stop.
func past(s session.State, crash int) bool {
	stop, held := s.CurrentStop()
	return held && s.Current != crash && !stop.Stop.Ended() && len(s.Stops[crash].Candidates) == 0 &&
		!slices.ContainsFunc(s.Requests, func(r session.Request) bool { return r.Answered == nil })
}

// Best is the id of the candidate that ranks first; empty when there is none. It
// is elsewhere when it came, or was proved, while the person was reading.
func (p *Fixes) Best() string {
	if len(p.ranked) == 0 {
		return ""
	}
	return p.ranked[0]
}

// Order is the ids of the candidates as they are shown.
func (p *Fixes) Order() []string { return p.order }

// Sync ranks the candidates. While the person looks through them and some are being
// proved, they keep their places, and new ones come last.
func (p *Fixes) Sync(c *Context) {
	p.c = c
	index := c.State.CaseIndex()
	if index != p.caseAt {
		p.caseAt, p.order, p.top, p.cursor = index, nil, 0, 0
		p.blocks, p.total, p.judged, p.ranked = nil, 0, nil, nil
	}
	if index < 0 {
		return
	}
	p.rank()
	ids := p.ranked
	if !c.Reading || !slices.ContainsFunc(c.State.Stops[index].Candidates, session.CandidateRecord.Proving) {
		p.order = slices.Clone(ids)
	} else {
		shown := map[string]bool{}
		for _, id := range p.order {
			shown[id] = true
		}
		p.order = append(p.order, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return shown[id] })...)
	}
	p.cursor = max(slices.Index(p.order, c.Candidate), 0)
	p.follow()
}

// rank orders the candidates again where one came, was proved or was decided about: it
// compares files, which is too much for each event.
func (p *Fixes) rank() {
	if p.rankedAt == p.c.State.Seq {
		return
	}
	p.rankedAt = p.c.State.Seq
	list := p.c.State.Stops[p.caseAt].Candidates
	var now []judged
	for _, r := range list {
		now = append(now, judged{r.ID, r.Verdict, r.Decision, r.Record})
	}
	if slices.Equal(now, p.judged) {
		return
	}
	p.judged, p.ranked = now, nil
	for _, r := range session.Rank(list) {
		p.ranked = append(p.ranked, r.ID)
	}
}

// judged is what may change of a candidate that its rank depends on.
type judged struct {
	id       string
	verdict  *verdict.Verdict
	decision session.Decision
	record   *session.Record
}

// follow keeps the selected candidate in view: from its first line on where it has
// more of them than there is room for, until the person scrolls.
func (p *Fixes) follow() {
	if p.caseAt < 0 {
		return
	}
	p.read()
	p.roomy = true
	if p.lay(); p.total > p.height {
		p.roomy = false
		p.lay()
	}
	switch first, end := p.bounds(); {
	case end-first <= p.height:
		p.top = min(first, max(p.top, end-p.height))
	case p.followed != p.selected():
		p.top = first
	default:
		p.top = min(max(p.top, first), end-p.height)
	}
	p.followed = p.selected()
	p.clampTop()
}

// lay makes the rows of all candidates.
func (p *Fixes) lay() {
	p.blocks, p.total = p.blocks[:0], len(p.requests())
	for i, id := range p.order {
		p.blocks = append(p.blocks, p.candidate(i, id))
		p.total += len(p.blocks[i])
	}
}

// selected is the id of the candidate under the cursor; empty where there is none.
func (p *Fixes) selected() string {
	if p.cursor < len(p.order) {
		return p.order[p.cursor]
	}
	return ""
}

// bounds is the first line of the selected candidate, and the one after its last.
func (p *Fixes) bounds() (first, end int) {
	for i, rows := range p.blocks {
		first, end = end, end+len(rows)
		if i == p.cursor {
			return first, end
		}
	}
	return 0, 0
}

// scrolled goes on within a candidate that has more lines than there is room for;
// false where it ends.
func (p *Fixes) scrolled(a keymap.Action) bool {
	first, end := p.bounds()
	to := p.top
	switch {
	case end-first <= p.height:
		return false
	case a == keymap.Down || a == keymap.PageDown:
		to = min(p.top+max(p.height-1, 1), end-p.height)
	case a == keymap.Up || a == keymap.PageUp:
		to = max(p.top-max(p.height-1, 1), first)
	}
	if to == p.top {
		return false
	}
	p.top = to
	return true
}

func (p *Fixes) clampTop() { p.top = max(min(p.top, p.total-p.height), 0) }

// Resize says how much room there is.
func (p *Fixes) Resize(w, h int) {
	if w == p.width && h == p.height {
		return
	}
	p.width, p.height = w, h
	if p.c != nil {
		p.follow()
	}
}

// Key moves among the candidates; enter opens one.
func (p *Fixes) Key(a keymap.Action) (Effect, bool) {
	if p.scrolled(a) {
		return nil, true
	}
	to := p.cursor
	switch a {
	case keymap.Up, keymap.PageUp:
		to--
	case keymap.Down, keymap.PageDown:
		to++
	case keymap.Top:
		to = 0
	case keymap.Bottom:
		to = len(p.order) - 1
	case keymap.Open, keymap.Right:
		if p.cursor < len(p.order) {
			return OpenCandidate{p.order[p.cursor]}, true
		}
		return nil, true
	default:
		return nil, false
	}
	if len(p.order) == 0 {
		return nil, true
	}
	if to >= len(p.order) { // below the last one is who has been asked
		p.ScrollBy(to - p.cursor)
	}
	p.cursor = max(min(to, len(p.order)-1), 0)
	p.follow()
	return SelectCandidate{p.order[p.cursor]}, true
}

// Click selects a candidate; a second click opens it.
func (p *Fixes) Click(y int) Effect {
	line, airy := -p.top, p.airy()
	for i, rows := range p.blocks {
		line += len(rows)
		if airy {
			line++
		}
		if y < line {
			if i == p.cursor {
				return OpenCandidate{p.order[i]}
			}
			return SelectCandidate{p.order[i]}
		}
	}
	return nil
}

// ScrollBy scrolls without changing what is selected.
func (p *Fixes) ScrollBy(n int) { p.top += n; p.clampTop() }

// Needs nothing: candidates come as events.
func (p *Fixes) Needs() []inspect.Need { return nil }

// View draws candidates and requests.
func (p *Fixes) View(focused bool) []string {
	if p.caseAt < 0 || past(p.c.State, p.caseAt) {
		return empty(p.c, p.width, "Fixes will be here after a panic, each with what was proved of it.")
	}
	var out []string
	line := 0
	airy := p.airy()
	for i, rows := range p.blocks {
		for _, l := range rows {
			if line >= p.top && len(out) < p.height {
				if focused && i == p.cursor {
					l = p.c.Theme.Selected.Over(text.Fit(l, p.width))
				}
				out = append(out, l)
			}
			line++
		}
		if airy {
			out = append(out, "")
		}
	}
	for _, l := range p.requests() {
		if line >= p.top && len(out) < p.height {
			out = append(out, l)
		}
		line++
	}
	if line == 0 && p.c.State.Started.Mode.Kind == session.ModePast {
		return empty(p.c, p.width, "Fixes are shown in the present: "+p.c.Keys.Key(keymap.ToStop)+" returns to it.")
	}
	if line == 0 {
		return empty(p.c, p.width, "No fixes yet: "+p.c.Keys.Key(keymap.Ask)+" asks for some.")
	}
	return out
}

// airy reports whether there is room for an empty row after each candidate.
func (p *Fixes) airy() bool { return p.total+len(p.order) <= p.height }

// Extent is the part of the rows that is shown.
func (p *Fixes) Extent() Extent { return Extent{p.top, p.height, p.total} }
