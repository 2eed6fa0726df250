package pane

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// drawn is the rows of a candidate, drawn in a way when they were first needed in it, and what
// they depend on; a drawing is what the rows of all depend on.
type (
	drawn struct {
		row
		rows [ways][]string
	}
	row struct {
		proving, cut    bool
		verdict         *verdict.Verdict
		behavior        *verdict.Behavior
		asserts         *session.Asserted
		record          *session.Record
		checks, also    int
		decision        session.Decision
		reason, printed string
	}
	drawing struct {
		width       int
		theme, best string
		against     *verdict.Behavior // of the best
		caseAt      int
		applied     string // the ids of those that are
	}
)

// The ways to draw a candidate are the sums of these.
const (
	asFirst = 1 << iota
	asSelected
	asRoomy
	ways
)

// candidate is the rows of one candidate: its standing, its title, its checks.
func (p *Fixes) candidate(i int, id string) []string {
	way := 0
	if i == 0 {
		way |= asFirst
	}
	if id == p.c.Candidate {
		way |= asSelected
	}
	if p.roomy {
		way |= asRoomy
	}
	d := p.kept[id]
	switch {
	case d == nil:
		return nil
	case p.c.Live.Proving[id] != "" || d.proving && !p.c.Live.Began[id].IsZero(): // which tells how far it is
		return p.draw(i, p.records[id])
	case d.rows[way] == nil:
		d.rows[way] = p.draw(i, p.records[id])
	}
	return d.rows[way]
}

// read takes the candidates from the state after each event, and drops the rows that
// no longer hold.
func (p *Fixes) read() {
	state := p.c.State
	applied := ""
	for _, a := range state.Applied {
		if !a.Undone {
			applied += a.Candidate + " "
		}
	}
	again := p.records == nil || p.seq != state.Seq
	if again {
		p.seq, p.records = state.Seq, map[string]session.CandidateRecord{}
		p.printed = session.Printed(state.Stops[p.caseAt].Candidates)
		for _, r := range state.Stops[p.caseAt].Candidates {
			p.records[r.ID] = r
		}
	}
	was := p.kept
	if now := (drawing{p.width, p.c.Theme.ID, p.Best(), p.records[p.Best()].Behavior, p.caseAt, applied}); p.keptFor != now {
		p.keptFor, was, again = now, nil, true
	}
	if !again {
		return
	}
	p.kept = make(map[string]*drawn, len(p.records))
	for id, r := range p.records {
		now := row{r.Proving(), r.Cut, r.Verdict, r.Behavior, r.Asserts, r.Record, len(r.Checks), len(r.Also), r.Decision, r.Reason, p.printed[id]}
		if p.kept[id] = was[id]; was[id] == nil || was[id].row != now {
			p.kept[id] = &drawn{row: now}
		}
	}
}

func (p *Fixes) draw(i int, r session.CandidateRecord) []string {
	t := p.c.Theme
	mark, title := "  ", t.Text
	if r.ID == p.c.Candidate {
		mark, title = t.Focus.Render("▸ "), t.Strong
	}
	if r.Decision == session.Rejected {
		title = t.Dim
	}
	number := t.Dim.Render(FixNumber(r.ID) + " ")
	if i > 0 && r.ID == p.Best() && r.Passes() {
		number = t.Dim.Render(FixNumber(r.ID)) + t.Focus.Render("★ ")
	}
	head := mark + number + Standing(p.c, r, p.width-24)
	size := p.size(r)
	who, room := proposers(r), max(p.width-text.Width(head)-text.Width(size)-4, 4)
	if text.Width(who) > room && r.Source.Provider == patch.BuiltinProvider {
		who = "" // it is what proposes where nothing is said
	}
	who = text.Cut(who, room)
	out := []string{text.Sides(head, t.Dim.Render(who)+" "+size, p.width)}
	for _, l := range text.Wrap(text.Line(r.Title), max(p.width-2, 1), 2) {
		out = append(out, "  "+title.Render(l))
	}
	if r.Parent != "" {
		out = append(out, "  "+t.Dim.Render(madeFrom(r)))
	}
	if badges := Badges(p.c, r, p.width-2); badges != "" {
		out = append(out, "  "+badges)
	}
	if words := Behavior(p.c, r); words != "" {
		out = append(out, "  "+words)
	}
	if first, ok := p.c.State.Candidate(p.Best()); ok {
		if words := differs(r, first, true); words != "" {
			for _, l := range text.Wrap(words, max(p.width-2, 1), apartRows) {
				out = append(out, "  "+t.Dim.Render(l))
			}
		}
	}
	if why := Reason(r); why != "" && (!r.Verified() || r.Effect() != verdict.Repairs) {
		rows := reasonRows
		if r.ID == p.c.Candidate || p.roomy {
			rows = 0
		}
		for _, l := range text.Wrap(text.Line(why), max(p.width-2, 1), rows) {
			out = append(out, "  "+t.Dim.Render(l))
		}
	}
	if words := prints(p.printed[r.ID]); words != "" {
		out = append(out, "  "+t.Dim.Render(text.Cut("prints: "+words, max(p.width-2, 1))))
	}
	return out
}

// reasonRows is how many rows the reason of a candidate has at most that is not
// selected, where the list has not enough of them.
const reasonRows = 2

// size is the size of a candidate: "+3 −1".
func (p *Fixes) size(r session.CandidateRecord) string {
	counts, ok := p.sizes[r.ID]
	if !ok {
		added, removed := session.Size(r.Candidate)
		counts = fmt.Sprintf("+%d −%d", added, removed)
		p.sizes[r.ID] = counts
	}
	plus, minus, _ := strings.Cut(counts, " ")
	t := p.c.Theme
	switch {
	case minus == "−0":
		return t.Good.Render(plus)
	case plus == "+0":
		return t.Stop.Render(minus)
	}
	return t.Good.Render(plus) + " " + t.Stop.Render(minus)
}
