package browser

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/diffview"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// document is a session that was read, and how it was drawn last.
type document struct {
	state   session.State
	decided []string // who did
	problem string
	stale   bool // the session has gone on since
	width   int  // that lines were drawn for; 0: not yet
	lines   []string
}

// load reads a journal.
func load(path string) *document {
	events, err := session.ReadFile(path)
	d := &document{state: session.Fold(session.NewState(), events)}
	for _, e := range events {
		if _, ok := e.Body.(*session.Decided); ok && !slices.Contains(d.decided, e.Actor) {
			d.decided = append(d.decided, e.Actor)
		}
	}
	if err != nil {
		d.problem = err.Error()
	}
	return d
}

// best is the candidate that was applied last, or else the verified one that
// is first; empty without one.
func (d *document) best() string {
	if d == nil {
		return ""
	}
	return d.state.BestCandidate()
}

// patch is the change of the best candidate, as git apply takes it.
func (d *document) patch() string {
	best := d.best()
	if best == "" {
		return ""
	}
	for _, stop := range d.state.Stops {
		for _, c := range stop.Candidates {
			if c.ID != best {
				continue
			}
			var out strings.Builder
			for _, e := range c.ToWrite() {
				out.WriteString(patch.Unified(e))
			}
			return out.String()
		}
	}
	return ""
}

// draw returns the lines of the session in w cells.
func (d *document) draw(c *pane.Context, w int) []string {
	if d.width == w {
		return d.lines
	}
	p := page{c: c, w: w, d: d}
	if d.problem != "" {
		p.wrapped(c.Theme.Warn.Render, d.problem)
		p.blank()
	}
	p.head()
	for _, s := range d.state.Stops {
		if s.Stop.Crashed() {
			p.stop(s)
		}
	}
	p.end()
	d.width, d.lines = w, p.lines
	return d.lines
}

// page draws a session from the top.
type page struct {
	c     *pane.Context
	w     int
	d     *document
	lines []string
}

func (p *page) line(s string) { p.lines = append(p.lines, text.Cut(s, p.w)) }
func (p *page) blank()        { p.lines = append(p.lines, "") }

func (p *page) wrapped(style func(string) string, s string) {
	for _, l := range text.Wrap(text.Line(s), p.w, 20) {
		p.line(style(l))
	}
}

func (p *page) head() {
	s, t := p.d.state, p.c.Theme
	f := session.Summarize(s)
	p.line(t.Strong.Render(text.Line(f.Target)) + t.Dim.Render(" · "+s.Opened.Local().Format("2 Jan 2006 15:04")+" · "+text.Duration(time.Duration(f.Seconds*float64(time.Second)))))
	outcome := text.Line(f.Outcome)
	if f.Judgement != "" {
		outcome += " · judged " + text.Line(f.Judgement)
	}
	if n := len(s.Applied); n > 0 && s.Applied[n-1].Undone {
		outcome += " · undone"
	}
	p.line(outcomeStyle(t, f.Outcome, f.Judgement).Render(outcome))
	others := slices.DeleteFunc(slices.Clone(p.d.decided), func(who string) bool { return who == "person" || who == "fix" })
	if len(others) > 0 {
		p.wrapped(t.Dim.Render, "decided by "+strings.Join(p.d.decided, ", "))
	}
	if asked := askedModels(f.Models); len(asked) > 0 {
		p.wrapped(t.Dim.Render, "asked: "+strings.Join(asked, ", "))
	}
	p.blank()
}

// askedModels are the models of a session by their names, without the built-in fixer,
// which is always asked, and without requests that chose no model.
func askedModels(list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(m string) bool { return m == patch.BuiltinModel || strings.HasPrefix(m, "/") })
}

func (p *page) stop(s session.StopRecord) {
	t := p.c.Theme
	class, message := "", ""
	if s.Stop.Panic != nil {
		class, message = s.Stop.Panic.Class.Words(), s.Stop.Panic.Message
	}
	p.line(t.StopStrong.Render("▌ " + text.Line(class)))
	p.wrapped(t.Text.Render, message)
	if s.Diagnosis != nil {
		p.wrapped(t.Dim.Render, s.Diagnosis.Words())
	}
	p.blank()
	p.stack(s)
	p.values(s)
	for _, c := range session.Rank(s.Candidates) {
		p.candidate(c)
	}
}

// stack names the user's frames.
func (p *page) stack(s session.StopRecord) {
	t := p.c.Theme
	for i, f := range s.Stop.Frames {
		if !f.User {
			continue
		}
		mark := "  "
		if i == s.Stop.Selected {
			mark = t.Stop.Render("▸ ")
		}
		at := fmt.Sprintf("%s:%d", text.Line(p.d.state.Started.Workspace.Rel(f.File)), f.Line)
		p.line(mark + text.Sides(t.Text.Render(text.Function(f.Function)), t.Dim.Render(at), p.w-2))
	}
	p.blank()
}

// maxValues bounds the values of the culprit's frame that are shown.
const maxValues = 12

func (p *page) values(s session.StopRecord) {
	f, ok := s.Stop.SelectedFrame()
	if !ok || len(f.Variables()) == 0 {
		return
	}
	t := p.c.Theme
	for i, v := range f.Variables() {
		if i == maxValues {
			p.line(t.Faint.Render(fmt.Sprintf("  ⋯ %d more", len(f.Variables())-i)))
			break
		}
		p.line("  " + t.Text.Render(text.Line(v.Name)) + " " + t.Value.Render(text.Line(session.Short(v, max(p.w-len(v.Name)-3, 8)))))
	}
	p.blank()
}

func (p *page) candidate(c session.CandidateRecord) {
	t := p.c.Theme
	title := t.Strong.Render("Fix "+pane.FixNumber(c.ID)+" ") + t.Text.Render(text.Line(c.Title))
	by := text.Line(c.Source.Who())
	if c.Source.Prompt != "" {
		by += " · " + text.Line(c.Source.Prompt)
	}
	p.line(text.Sides(title, t.Dim.Render(by), p.w))
	if c.Verdict != nil {
		style := t.Good
		if !c.Verified() {
			style = t.Warn
		}
		p.wrapped(style.Render, c.Verdict.Label())
	}
	p.line(pane.Badges(p.c, c, p.w))
	if c.Decision != "" {
		words := string(c.Decision)
		if c.Reason != "" {
			words += ": " + c.Reason
		}
		p.wrapped(t.Key.Render, words)
	}
	if c.Explanation != "" {
		p.wrapped(t.Dim.Render, c.Explanation)
	}
	view := diffview.Render(c.ToWrite(), diffview.Options{Width: p.w, Palette: t.Diff()})
	p.lines = append(p.lines, view.Lines...)
	p.blank()
}

func (p *page) end() {
	s, t := p.d.state, p.c.Theme
	for _, a := range s.Applied {
		words := pane.Fix(a.Candidate) + " was applied"
		switch {
		case a.Undone:
			words += ", and undone"
		case a.Judgement != "":
			words += ", and judged " + string(a.Judgement) + ": " + a.Evidence
		}
		p.wrapped(t.Text.Render, words)
	}
	for _, n := range s.Notices {
		if n.Level == "error" || n.Level == "warn" {
			p.wrapped(t.Warn.Render, n.Text)
		}
	}
	if s.Ended != nil && s.Ended.Error != "" {
		p.wrapped(t.Stop.Render, s.Ended.Error)
	}
}
