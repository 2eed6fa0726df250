package pane

import (
	"fmt"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// requests is the rows of the proposers that are being asked, and of those
// that ended without a candidate.
func (p *Fixes) requests() []string {
	if p.caseAt < 0 {
		return nil
	}
	since := p.c.State.Stops[p.caseAt].At
	var out []string
	last := lastRefusals(p.c.State.Requests)
	for i, r := range p.c.State.Requests {
		if r.At.Before(since) {
			continue
		}
		switch {
		case refuses(r) && last[refusalOf(r)] != i: // it is said where it was said last
		case r.Answered == nil:
			out = append(out, p.asking(r)...)
		case r.Answered.Err != "":
			out = append(out, p.refused(r)...)
		case r.Answered.Candidates == 0:
			for _, l := range text.Wrap("– "+Proposer(r.Asked.Source)+" · "+nothing(r.Asked.Source), max(p.width, 1), 2) {
				out = append(out, p.c.Theme.Dim.Render(l))
			}
		}
	}
	return out
}

// refusal is what a proposer said in the place of a fix: empty for nothing to propose.
type refusal struct {
	source patch.Source
	err    string
}

func refuses(r session.Request) bool { return r.Answered != nil && r.Answered.Candidates == 0 }

func refusalOf(r session.Request) refusal { return refusal{r.Asked.Source, r.Answered.Err} }

// lastRefusals are the indexes of the requests that were refused so last.
func lastRefusals(requests []session.Request) map[refusal]int {
	last := map[refusal]int{}
	for i, r := range requests {
		if refuses(r) {
			last[refusalOf(r)] = i
		}
	}
	return last
}

// nothing says that a proposer has no fix.
func nothing(by patch.Source) string {
	if by.Provider == patch.BuiltinProvider {
		return "none of its rules fits here"
	}
	return "nothing to propose"
}

// asking is a request under way: how far its answer is, or how long it is silent.
// Why this model is asked is below, where it was chosen.
func (p *Fixes) asking(r session.Request) []string {
	t := p.c.Theme
	what := "thinking…"
	if s, ok := p.c.Live.Streams[r.Asked.Request]; ok && s.Tokens > 0 {
		what = fmt.Sprintf("writing %s tok", text.Count(int64(s.Tokens)))
	} else if n := len(r.Probes); n > 0 {
		what = text.Line(r.Probes[n-1].Words()) + " …"
	} else if since, ok := p.c.Live.Waiting[r.Asked.Request]; ok {
		what = "waiting " + text.Seconds(p.c.Now.Sub(since))
		if w := p.c.Live.Consent; w != nil && r.Asked.Source.Remote {
			what = "wants to send to " + text.Line(w.Host)
		}
	}
	round := ""
	if r.Asked.Round > 1 {
		round = fmt.Sprintf(" · try %d", r.Asked.Round)
	}
	out := []string{text.Cut(t.Focus.Render("◌ ")+Proposer(r.Asked.Source)+t.Dim.Render(" · "+what+round), p.width)}
	if r.Asked.Why == "" {
		return out
	}
	for _, l := range text.Wrap("chosen: "+text.Line(r.Asked.Why), max(p.width-2, 1), 2) {
		out = append(out, "  "+t.Dim.Render(l))
	}
	return out
}

// refused is a request that failed: what happened, and what to do about it.
func (p *Fixes) refused(r session.Request) []string {
	t := p.c.Theme
	var out []string
	limit := max(p.height/2, 2)
	for i, l := range text.Wrap(Proposer(r.Asked.Source)+" · "+text.Line(r.Answered.Err), max(p.width-2, 1), limit) {
		if i == 0 {
			out = append(out, t.Stop.Render("✗ ")+l)
			continue
		}
		out = append(out, "  "+l)
	}
	for _, l := range text.Wrap(text.Line(r.Answered.Hint), max(p.width-2, 1), limit) {
		if l != "" {
			out = append(out, "  "+t.Dim.Render(l))
		}
	}
	return out
}
