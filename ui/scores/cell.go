package scores

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/diffview"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// maxLines bounds the lines of one prompt or answer that are drawn.
const maxLines = 4000

// cell is the case that is open, and how it was drawn last.
type cell struct {
	of       Case
	list     []Detail
	problem  string
	reading  bool
	width    int // that lines were drawn for; 0: not yet
	lines    []string
	sections []int // the lines where parts begin
}

// details are what was read of a case.
type details struct {
	column, number int
	list           []Detail
	problem        string
}

// read reads the case of the cursor; what is still being read is given up.
func (m *model) read() tea.Cmd {
	m.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.stop = cancel
	of, column, run := m.shown.cases.List[m.shown.lines.at], m.shown.row.Column, m.o.Run
	m.cell, m.scroll = cell{of: of, reading: true}, 0
	return func() tea.Msg {
		list, err := run.Details(ctx, column, of.Number)
		d := details{column: column, number: of.Number, list: list}
		if err != nil {
			d.problem = err.Error()
		}
		return d
	}
}

// diff is the patch of the first candidate of the first trial that has one.
func (c *cell) diff() string {
	for _, d := range c.list {
		if len(d.Candidates) > 0 {
			return d.Candidates[0].Diff
		}
	}
	return ""
}

// drawCell shows the open case, from where it was scrolled to.
func (m *model) drawCell() []string {
	t := m.theme
	name := t.Strong.Render(text.Line(m.cell.of.Name)) + t.Dim.Render("  "+text.Line(m.shown.row.Name))
	place := t.Dim.Render(fmt.Sprintf("%d of %d ", m.shown.lines.at+1, len(m.shown.cases.List)))
	lines := []string{" " + text.Sides(name, place, m.width-1), t.Border.Render(strings.Repeat("─", m.width))}
	if m.cell.reading {
		return append(lines, t.Faint.Render(" reading…"))
	}
	if m.cell.width != m.width {
		p := page{t: t, w: max(m.width-2, 1), split: m.split}
		p.cell(&m.cell)
		m.cell.width, m.cell.lines, m.cell.sections = m.width, p.lines, p.sections
	}
	return append(lines, m.scrolled(m.cell.lines)...)
}

// page draws a case from the top.
type page struct {
	t        theme.Theme
	w        int
	split    bool
	lines    []string
	sections []int
}

func (p *page) line(s string) { p.lines = append(p.lines, text.Cut(s, p.w)) }

func (p *page) wrapped(style theme.Style, s string) {
	lines := strings.Split(strings.TrimRight(text.Clean(s), "\n"), "\n")
	for i, l := range lines {
		if i == maxLines {
			p.line(p.t.Faint.Render("⋯ " + text.Plural(int64(len(lines)-i), "more line")))
			return
		}
		for _, w := range text.Wrap(strings.ReplaceAll(l, "\t", "    "), p.w, 20) {
			p.line(style.Render(w))
		}
	}
}

// section begins a part.
func (p *page) section(title string) {
	if len(p.lines) > 0 {
		p.lines = append(p.lines, "")
	}
	p.sections = append(p.sections, len(p.lines))
	p.line(p.t.Border.Render("── ") + title)
}

func (p *page) cell(c *cell) {
	t := p.t
	if c.problem != "" {
		p.wrapped(t.Warn, c.problem)
	}
	if len(c.list) == 0 && c.problem == "" {
		p.wrapped(t.Dim, "no result yet")
	}
	for _, d := range c.list {
		style := t.StopStrong
		if d.Good {
			style = t.GoodStrong
		}
		p.section(t.Strong.Render(fmt.Sprintf("Trial %d: ", d.Trial)) + style.Render(text.Line(d.Word)))
		if d.Failed != "" {
			p.wrapped(t.Stop, "pausetui failed: "+d.Failed)
		}
		if len(d.Candidates) == 0 {
			p.wrapped(t.Dim, "nothing was proposed")
		}
		for i, k := range d.Candidates {
			p.candidate(i+1, k)
		}
		for i, q := range d.Questions {
			p.section(t.Strong.Render(fmt.Sprintf("Answer %d", i+1)))
			p.wrapped(t.Text, q.Answer)
			if q.Error != "" {
				p.wrapped(t.Warn, q.Error)
			}
			p.section(t.Strong.Render(fmt.Sprintf("Prompt %d", i+1)))
			p.wrapped(t.Dim, q.Prompt)
		}
	}
}

func (p *page) candidate(n int, k Candidate) {
	t := p.t
	style, word := t.StopStrong, "not right"
	if k.Right {
		style, word = t.GoodStrong, "right"
	}
	p.section(t.Strong.Render(fmt.Sprintf("Fix %d: ", n)) + style.Render(word) + t.Text.Render(", "+text.Line(k.Title)))
	about := "by " + text.Line(k.By)
	if k.Effect != "" {
		about += " · " + text.Line(k.Effect)
	}
	p.wrapped(t.Dim, about)
	for _, c := range k.Checks {
		signs := map[string]string{"pass": t.Good.Render("✓"), "fail": t.Stop.Render("✗"), "warn": t.Warn.Render("!")}
		sign, ok := signs[c.Status]
		if !ok {
			sign = t.Faint.Render("·")
		}
		p.line(sign + " " + t.Text.Render(text.Fit(text.Line(c.Name), 11)) + t.Dim.Render(" "+text.Line(c.Status)+" "+text.Line(c.Detail)))
	}
	if k.Wrong != "" {
		p.wrapped(t.Warn, "hidden check: "+k.Wrong)
	}
	if len(k.Edits) > 0 {
		p.lines = append(p.lines, diffview.Render(k.Edits, diffview.Options{Width: p.w, Split: p.split, Palette: t.Diff()}).Lines...)
	} else {
		p.wrapped(t.Text, k.Diff)
	}
}

// caseOrder says how cases are sorted.
type caseOrder struct {
	by    int    // 0 by name, 1 by class, 2 the worst first
	given string // the filter that came from the matrix
}

// next goes to the next order, and says which it is.
func (o *caseOrder) next() string {
	o.by = (o.by + 1) % 3
	return []string{"sorted by name", "sorted by class", "sorted by the first score, the worst first"}[o.by]
}

func (o *caseOrder) sort(list []Case) {
	slices.SortStableFunc(list, func(a, b Case) int {
		switch o.by {
		case 1:
			return strings.Compare(a.Class, b.Class)
		case 2:
			if len(a.Figures) > 0 && len(b.Figures) > 0 && a.Figures[0].Good != b.Figures[0].Good {
				return map[bool]int{true: -1, false: 1}[a.Figures[0].Good < b.Figures[0].Good]
			}
		}
		return strings.Compare(a.Name, b.Name)
	})
}
