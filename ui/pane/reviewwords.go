package pane

import (
	"strings"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// better says that another candidate ranks first by now, and which key goes
// there.
func (p *Review) better() []string {
	best, ok := p.c.State.Candidate(p.c.Best)
	if !ok || !best.Passes() || best.ID == p.record.ID || p.record.Decision != "" || p.c.Best == p.openedAt {
		return nil
	}
	words := "A better fix has come: " + best.Verdict.Short() + ", " + text.Line(best.Title) + ". " + p.c.Keys.Key(keymap.Best) + " shows it."
	return wrapped(p.c.Theme.Focus.Render, "★ ", words, p.width, 0)
}

// above is the words above the diff: what is to be known first, in a few lines, and
// whether the explanation is whole.
func (p *Review) above() (out []string, whole bool) {
	out = append(append(p.better(), p.cautions()...), p.leftOut()...)
	room := max(p.height/leadPart-len(out)-1, 1)
	lines := p.explanation()
	if whole = len(lines) <= room; !whole {
		lines = append(lines[:room-1:room-1], text.Cut(lines[room-1]+" …", p.width))
	}
	out = append(out, lines...)
	if len(out) > 0 && p.height >= leadGap {
		out = append(out, "")
	}
	return out, whole
}

const (
	leadPart    = 4  // the part of the height that the words above the diff may take: a quarter
	cautionPart = 8  // … and that one of the cautions may take
	leadGap     = 10 // the height from which an empty line follows them
)

// below is the words below the diff: the explanation where it is not whole above, what
// was proved, and who proposed the fix.
func (p *Review) below(explain bool) []string {
	t := p.c.Theme
	out := []string{""}
	if explain {
		out = append(out, p.explanation()...)
	}
	out = append(out, p.checks()...)
	out = append(out, p.prints()...)
	for _, w := range p.record.Warnings {
		out = append(out, wrapped(t.Warn.Render, "⚠ ", text.Line(w), p.width, 0)...)
	}
	who := origins(p.record)
	if p.record.Source.Prompt != "" {
		who += " · prompt " + text.Line(p.record.Source.Prompt)
	}
	if p.record.Parent != "" {
		who += " · " + madeFrom(p.record)
	}
	return append(out, t.Faint.Render(text.Cut(who, p.width)))
}

// explanation is what the proposer says of the fix.
func (p *Review) explanation() []string {
	words := strings.Join(strings.Fields(text.Clean(p.record.Explanation)), " ")
	if words == "" {
		return nil
	}
	out := text.Wrap(words, min(p.width, 110), 0)
	named := Named(p.c.Stop.Stop)
	for i, l := range out {
		out[i] = text.Names(l, named, p.c.Theme.Strong.Render)
	}
	return out
}

// cautions says in a few lines each what speaks against the fix; it is whole below
// the diff.
func (p *Review) cautions() []string {
	t, list := p.c.Theme, p.record.Warnings[:min(len(p.record.Warnings), 2)]
	var out []string
	say := func(style func(string) string, head, words string) {
		out = append(out, wrapped(style, style(head), text.Line(words), p.width, max(p.height/cautionPart, 1))...)
	}
	switch why := Reason(p.record); {
	case why == "" || p.record.Verified() && p.record.Effect() == verdict.Repairs:
	case p.record.Asks():
		words := "it " + p.record.Verdict.How + ". Is that right? " + p.c.Keys.Key(keymap.Confirm) + " confirms it"
		say(t.Focus.Render, "? ", words)
	case p.record.Passes() && !p.record.Warns():
		if p.record.Verdict.Support != "" {
			why += "; " + p.record.Verdict.Support
		}
		if p.record.Verdict.Confirmed {
			why += "; confirmed"
		}
		say(t.Dim.Render, "· ", why)
	default:
		list = append([]string{why}, list...)
	}
	for _, w := range list {
		say(t.Warn.Render, "⚠ ", w)
	}
	return out
}

// leftOut says what the person has left out.
func (p *Review) leftOut() []string {
	var out []string
	style := p.c.Theme.Focus.Render
	if p.c.NoTest {
		out = append(out, wrapped(style, "☐ ", "The regression test is left out.", p.width, 0)...)
	}
	switch left := p.c.LeftOut(); {
	case left == 0:
	case left >= p.OwnHunks():
		out = append(out, wrapped(style, "☐ ", "Every hunk is left out: nothing remains to be proved.", p.width, 0)...)
	default:
		out = append(out, wrapped(style, "☐ ", "Hunks are left out: enter proves this selection as a fix of its own.", p.width, 0)...)
	}
	return out
}

// checks says in words what is more than a plain pass, and what a rerun showed.
func (p *Review) checks() []string {
	t := p.c.Theme
	out := p.kind()
	for _, c := range p.record.Checks {
		if c.Detail == "" || c.Name == verdict.Masking && p.record.Verdict != nil && p.record.Verdict.Seen() || (c.Status == verdict.Pass && c.Name != verdict.Rerun && c.Name != verdict.Regression && c.Name != verdict.Tests) {
			continue
		}
		if c.Status == verdict.Skip && c.Name == verdict.Tests {
			continue // its badge says as much
		}
		style := t.Dim.Render
		switch c.Status {
		case verdict.Fail:
			style = t.Stop.Render
		case verdict.Warn, verdict.Inconclusive:
			style = t.Warn.Render
		}
		detail := text.Line(c.Name) + ": " + text.Line(c.Detail)
		out = append(out, wrapped(style, sign(t, c.Status)+" ", detail, p.width, 0)...)
	}
	return out
}

// kind says what kind of fix it is, and what speaks for it.
func (p *Review) kind() []string {
	if !p.record.Passes() {
		return nil
	}
	t, v := p.c.Theme, p.record.Verdict
	var out []string
	if label := v.Label(); v.Effect != "" {
		sign, words, _ := strings.Cut(text.Line(label), " ")
		style := t.Good.Render
		switch {
		case p.record.Warns():
			style = t.Warn.Render
		case p.record.Asks():
			style = t.Focus.Render
		}
		if masking, ok := verdict.Find(v.Checks, verdict.Masking); ok {
			if _, cause, ok := strings.Cut(masking.Detail, session.Without); ok {
				words += session.Without + cause
			}
		}
		out = append(out, wrapped(style, style(sign)+" ", text.Line(words), p.width, 0)...)
	}
	for _, e := range v.Evidence {
		out = append(out, wrapped(t.Dim.Render, t.Dim.Render("·")+" ", text.Line(e.Detail), p.width, 0)...)
	}
	return out
}

// prints is what the candidate's run printed, where those of others that pass
// printed something else.
func (p *Review) prints() []string {
	words := Prints(p.c, p.record.ID)
	if words == "" {
		return nil
	}
	return wrapped(p.c.Theme.Text.Render, "→ ", "prints: "+words, p.width, 0)
}

// wrapped breaks words into at most limit lines (0: all) behind a sign.
func wrapped(style func(string) string, head, s string, w, limit int) []string {
	var out []string
	for i, l := range text.Wrap(s, max(w-2, 1), limit) {
		if i > 0 {
			head = "  "
		}
		out = append(out, head+style(l))
	}
	return out
}
