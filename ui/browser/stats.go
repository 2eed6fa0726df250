package browser

import (
	"fmt"
	"strings"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// drawStats shows the statistics of the query.
func (m *model) drawStats() []string {
	t := m.pane.Theme
	title := " " + t.Strong.Render("Statistics")
	if q := m.query.Text(); q != "" {
		title += t.Dim.Render(" of " + text.Line(q))
	}
	lines := []string{title, t.Border.Render(strings.Repeat("─", m.width))}
	if m.stats == nil {
		return append(lines, t.Faint.Render(" counting…"))
	}
	return append(lines, m.scrolled(m.figures(*m.stats))...)
}

func (m *model) figures(s index.Stats) []string {
	t := m.pane.Theme
	if s.Sessions == 0 {
		return []string{t.Text.Render("no sessions")}
	}
	lines := []string{
		t.Text.Render(fmt.Sprintf("%s from %s to %s", text.Plural(int64(s.Sessions), "session"), s.From.Local().Format("2 Jan 2006"), s.To.Local().Format("2 Jan 2006"))),
		"",
	}
	for _, r := range []struct {
		words string
		rate  index.Rate
	}{{"applied fixes that held", s.Fixed}, {"applied fixes that came back", s.CameBack}, {"fixes that skip or hide", s.Masking}, {"fixes that decline", s.Declining}} {
		lines = append(lines, m.rate(r.words, r.rate)...)
	}
	for _, d := range []struct {
		words  string
		median *float64
	}{{"median to the stop", s.ToStop}, {"… then to a verified fix", s.ToVerified}, {"… then to a decision", s.ToDecision}} {
		lines = append(lines, t.Text.Render(text.Fit(d.words, labels))+t.Strong.Render(secondsOf(d.median)))
	}
	lines = append(lines, t.Dim.Render(fmt.Sprintf("tokens %s in, %s out; cost %.2f", text.Count(int64(s.TokensIn)), text.Count(int64(s.TokensOut)), s.Cost)), "")
	lines = append(lines, m.days(s.Days)...)
	lines = append(lines, m.bars("Outcomes", s.Outcomes)...)
	lines = append(lines, m.bars("Classes", s.Classes)...)
	lines = append(lines, m.bars("Kinds of fixes that passed their checks", s.Effects)...)
	lines = append(lines, m.proposers(s.Proposers)...)
	lines = append(lines, m.bars("Why iterations failed", s.Failures)...)
	lines = append(lines, m.bars("Most frequent faults", labeled(s.Prints))...)
	lines = append(lines, m.bars("Packages", s.Packages)...)
	return append(lines, m.bars("Functions", s.Functions)...)
}

// Figures are the statistics as lines of at most w cells, without colors.
func Figures(s index.Stats, w int) []string {
	m := &model{pane: &pane.Context{}, width: w}
	return m.figures(s)
}

func labeled(list []index.Count) []index.Count {
	var named []index.Count
	for _, c := range list {
		c.Name = c.Label
		named = append(named, c)
	}
	return named
}

// labels is the width of the words before a figure.
const labels = 30

// rate is a share with its interval, which has a line of its own on a narrow
// screen.
func (m *model) rate(words string, r index.Rate) []string {
	t := m.pane.Theme
	line := t.Text.Render(text.Fit(words, labels))
	if r.Of == 0 {
		return []string{line + t.Faint.Render("none yet")}
	}
	line += t.Strong.Render(fmt.Sprintf("%d of %d", r.N, r.Of))
	interval := fmt.Sprintf("%.0f %% (95 %%: %.0f–%.0f)", 100*float64(r.N)/float64(r.Of), r.Low, r.High)
	if m.width < 64 {
		return []string{line, t.Dim.Render("  " + interval)}
	}
	return []string{line + t.Dim.Render(", "+interval)}
}

func secondsOf(s *float64) string {
	if s == nil {
		return "–"
	}
	return text.Duration(time.Duration(*s * float64(time.Second)))
}

// maxBars bounds the bars of a chart.
const maxBars = 10

// bars is a chart of counts; the part of each bar that ended fixed is filled.
func (m *model) bars(title string, list []index.Count) []string {
	if len(list) == 0 {
		return nil
	}
	t := m.pane.Theme
	lines := []string{t.Strong.Render(title)}
	most, wide := 1, 0
	for _, c := range list {
		most, wide = max(most, c.N), max(wide, text.Width(text.Line(c.Name)))
	}
	wide = min(wide, max(m.width/3, 12))
	room := min(max(m.width-wide-20, 4), 8*most) // a single session is no full bar
	for i, c := range list {
		if i == maxBars {
			lines = append(lines, t.Faint.Render(fmt.Sprintf("  ⋯ %d more", len(list)-i)))
			break
		}
		cells := max(c.N*room/most, 1)
		fixed := min(c.Fixed*room/most, cells)
		bar := t.Good.Render(strings.Repeat("█", fixed)) + t.Dim.Render(strings.Repeat("▒", cells-fixed))
		words := fmt.Sprintf(" %d", c.N)
		if c.Fixed > 0 {
			words += fmt.Sprintf(", %d fixed", c.Fixed)
		}
		lines = append(lines, "  "+text.Fit(t.Text.Render(text.Line(c.Name)), wide)+" "+bar+t.Dim.Render(words))
	}
	return append(lines, "")
}

// days is a column for each day, the newest at the right.
func (m *model) days(list []index.Day) []string {
	if len(list) < 2 {
		return nil
	}
	t := m.pane.Theme
	list = list[max(len(list)-(m.width-4), 0):]
	most := 1
	for _, d := range list {
		most = max(most, d.Sessions)
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	var columns strings.Builder
	for _, d := range list {
		style := t.Dim
		if d.Fixed > 0 {
			style = t.Good
		}
		columns.WriteString(style.Render(string(steps[(d.Sessions*len(steps)-1)/most])))
	}
	return []string{t.Strong.Render("Days with sessions"), "  " + columns.String(), t.Faint.Render("  " + list[0].Date + " to " + list[len(list)-1].Date + "; at most " + fmt.Sprint(most) + " a day"), ""}
}

func (m *model) proposers(list []index.Proposer) []string {
	if len(list) == 0 {
		return nil
	}
	t := m.pane.Theme
	wide := 12
	for _, p := range list {
		wide = max(wide, text.Width(proposerName(p)))
	}
	wide = min(wide, max(m.width/3, 12))
	masks, interval := "", ""
	if m.width >= wide+64 {
		masks = "   skips or hides"
	}
	if m.width >= wide+84 {
		interval = "   fixed, 95 %"
	}
	lines := []string{t.Strong.Render("Who proposed"), t.Faint.Render("  " + text.Fit("", wide) + "  proposed  verified   applied     fixed  came back" + masks + interval)}
	for i, p := range list {
		if i == maxBars {
			break
		}
		line := "  " + text.Fit(t.Text.Render(proposerName(p)), wide) + t.Dim.Render(fmt.Sprintf("%10d%10d%10d", p.Proposed, p.Verified.N, p.Applied)) +
			t.Good.Render(fmt.Sprintf("%10d", p.Fixed.N)) + t.Dim.Render(fmt.Sprintf("%11d", p.CameBack))
		if masks != "" {
			line += t.Dim.Render(fmt.Sprintf("%10d", p.Masking))
		}
		if interval != "" && p.Fixed.Of > 0 {
			line += t.Dim.Render(fmt.Sprintf("%14s", fmt.Sprintf("%.0f–%.0f %%", p.Fixed.Low, p.Fixed.High)))
		}
		lines = append(lines, line)
	}
	return append(lines, "")
}

func proposerName(p index.Proposer) string {
	name := text.Line(p.Name)
	if name == patch.BuiltinModel {
		name = "the built-in fixer"
	}
	if p.Prompt != "" {
		name += " · " + text.Line(p.Prompt)
	}
	return name
}
